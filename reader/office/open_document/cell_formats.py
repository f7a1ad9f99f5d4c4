"""Number formats of OpenDocument sheets, written as the codes that other sheets give (ODF 1.3 part 3, 16.29).

A cell bears a text beside its value; only programs that leave it out need them.
"""

import re
from bisect import bisect_right

from reader.markup.safe_xml import Node
from reader.office.formats.sections import CONDITION, Condition
from reader.office.formats.values import Shown, format_value
from reader.office.open_document.list_styles import list_styles, read_count
from reader.office.workbook.stored_days import read_stored_day

MAX_PLACES = 15
MAX_BASES = 20
STYLES = tuple(f"{kind}-style" for kind in ("number", "percentage", "currency", "date", "time", "boolean", "text"))
DEFAULTS = {"percentage": "0.00%", "time": "[h]:mm:ss"}
DURATION = re.compile(r"(-?)PT(?:(\d{1,7})H)?(?:(\d{1,9})M)?(?:(\d{1,9}(?:[.,]\d{1,9})?)S)?")
SCALE = re.compile(r"1((?:000){1,6})(?:\.0+)?")
# Signs of a part of a day: short, and long.
PARTS = {"day": ("d", "dd"), "day-of-week": ("ddd", "dddd"), "year": ("yy", "yyyy"), "era": ("g", "ggg")}
PARTS |= {"hours": ("h", "hh"), "minutes": ("m", "mm"), "am-pm": ("AM/PM", "AM/PM")}
IGNORED = ("text-properties", "map", "fill-character", "")


class CellFormats:
    """Number formats by the names of the styles of cells."""

    def __init__(self, *roots: Node | None) -> None:
        self.formats: dict[str, Node] = {}
        self.cells: dict[str, Node] = {}
        for root in filter(None, reversed(roots)):
            for node in list_styles(root):
                if node.kind in STYLES:
                    self.formats[node.get("name")] = node
                elif node.kind == "style" and node.get("family") == "table-cell":
                    self.cells[node.get("name")] = node
        self.codes: dict[str, str | None] = {}

    def find(self, style: str) -> Node | None:
        for _ in range(MAX_BASES):
            node = self.cells.get(style)
            if node is None:
                return None
            if named := node.get("data-style-name"):
                return self.formats.get(named)
            style = node.get("parent-style-name")
        return None

    def show(self, value: float | bool | str, kind: str, style: str) -> Shown:
        """kind: of the value. A format that is not understood gives the plain value."""
        node = self.find(style)
        if node is None or isinstance(value, str | bool):
            return format_value(value, DEFAULTS.get(kind, find_day_code(value) if kind == "date" else "General"))
        chosen, has_own_sign = self.choose(node, value)
        code = self.find_code(chosen)
        if code is None:
            return Shown(format_value(value, "General").text, is_plain=True)
        return format_value(abs(value) if has_own_sign else value, code)

    def choose(self, node: Node, value: float) -> tuple[Node, bool]:
        """The format of the first condition that holds, and whether it brings the sign of negative numbers itself."""
        conditions: list[Condition] = []
        for each in node.elements:
            condition = read_condition(each.get("condition")) if each.kind == "map" else None
            if condition is None:
                continue
            if condition.holds(value):
                return self.formats.get(each.get("apply-style-name"), node), condition.is_for_negatives
            conditions.append(condition)
        return node, any(condition.operator == ">=" and condition.number == 0 for condition in conditions)

    def find_code(self, node: Node) -> str | None:
        name = node.get("name")
        if name not in self.codes:
            self.codes[name] = write_code(node)
        return self.codes[name]


class ColumnStyles:
    """Styles that cells of a column take where neither they nor their row name one."""

    def __init__(self) -> None:
        self.firsts: list[int] = []
        self.names: list[str] = []

    def add(self, first: int, name: str) -> None:
        self.firsts.append(first)
        self.names.append(name)

    def find(self, column: int) -> str:
        at = bisect_right(self.firsts, column) - 1
        return self.names[at] if at >= 0 else ""


def read_value(cell: Node) -> float | bool | str | None:
    """Read the value of a cell; days as they are counted. None where it has none, or it is a text."""
    match cell.get("value-type"):
        case "float" | "percentage" | "currency":
            return read_float(cell.get("value"))
        case "date":
            return read_stored_day(cell.get("date-value"), from_1904=False)
        case "time":
            return read_duration(cell.get("time-value"))
        case "boolean":
            return cell.get("boolean-value") == "true"
    return None


def read_float(text: str) -> float | str | None:
    try:
        return float(text)
    except ValueError:
        return text or None


def read_duration(text: str) -> float | str | None:
    match = DURATION.fullmatch(text)
    if match is None:
        return text or None
    hours, minutes, seconds = (float((part or "0").replace(",", ".")) for part in match.groups()[1:])
    days = (hours * 3600 + minutes * 60 + seconds) / 86_400
    return -days if match[1] else days


def find_day_code(value: object) -> str:
    return "yyyy-mm-dd" if isinstance(value, float) and value.is_integer() else "yyyy-mm-dd hh:mm:ss"


def read_condition(text: str) -> Condition | None:
    match = CONDITION.fullmatch(text.removeprefix("value()").replace("!=", "<>").strip())
    return Condition(match[1], float(match[2])) if match else None


def write_code(node: Node) -> str | None:
    """None for a format with a part that no code stands for."""
    pieces = [write_piece(child, node) for child in node.elements]
    if None in pieces:
        return None
    # A day is written in the language of its format.
    language = "-".join(filter(None, (node.get("language"), node.get("country"))))
    locale = f"[$-{language}]" if language and node.kind == "date-style" else ""
    code = locale + "".join(filter(None, pieces))
    return code or '""'


def write_piece(piece: Node, style: Node) -> str | None:
    kind = piece.kind
    if kind in PARTS:
        return write_part_of_day(piece, style)
    match kind:
        case "text" | "currency-symbol":
            return quote(piece.own_text, is_percent=style.kind == "percentage-style")
        case "number":
            return write_places(piece) if piece.find("embedded-text") is None else None
        case "scientific-number":
            return f"{write_places(piece)}E+{'0' * read_places(piece, 'min-exponent-digits', 2)}"
        case "fraction":
            return write_fraction(piece)
        case "month":
            return "m" * (2 * (piece.get("textual") == "true") + 1 + (piece.get("style") == "long"))
        case "seconds":
            decimals = read_places(piece, "decimal-places", 0)
            return ("ss" if piece.get("style") == "long" else "s") + (f".{'0' * decimals}" if decimals else "")
        case "text-content":
            return "@"
        case "boolean":
            return "General"
    return "" if kind in IGNORED else None


def write_part_of_day(piece: Node, style: Node) -> str | None:
    code = PARTS[piece.kind][piece.get("style") == "long"]
    parts = [each.kind for each in style.elements if each.kind in ("hours", "minutes", "seconds")]
    # Time that goes beyond a day is counted in the largest part.
    is_elapsed = style.get("truncate-on-overflow") == "false" and parts[:1] == [piece.kind]
    if parts == ["minutes"] and not is_elapsed:
        # A code with minutes alone would be the month.
        return None
    return f"[{code}]" if is_elapsed else code


def quote(text: str, *, is_percent: bool) -> str:
    """The sign of a percentage is the one text that says something about the number."""
    pieces = text.replace('"', '"\\""').split("%") if is_percent else [text.replace('"', '"\\""')]
    return "%".join(f'"{piece}"' if piece else "" for piece in pieces)


def read_places(piece: Node, name: str, default: int) -> int:
    return min(read_count(piece.get(name), lowest=0), MAX_PLACES) if piece.get(name) else default


def write_places(piece: Node) -> str:
    """Without a count of decimals as many are shown as there are."""
    if not piece.get("decimal-places") and piece.kind == "number":
        return "General"
    decimals = read_places(piece, "decimal-places", 0)
    is_open = has(piece, "decimal-replacement") and not piece.get("decimal-replacement")
    fixed = min(decimals, read_places(piece, "min-decimal-places", 0 if is_open else decimals))
    places = f".{'0' * fixed}{'#' * (decimals - fixed)}" if decimals else ""
    zeros = "0" * read_places(piece, "min-integer-digits", 0) or "#"
    # A group needs a place before the comma, at least one of thousands.
    whole = f"{'#' * max(0, 4 - len(zeros))}{zeros}"
    whole = f"{whole[:-3]},{whole[-3:]}" if piece.get("grouping") == "true" else zeros
    return f"{whole}{places}{write_scale(piece.get('display-factor'))}"


def write_scale(factor: str) -> str:
    """One comma for each thousand by which the number is divided."""
    match = SCALE.fullmatch(factor)
    return "," * (len(match[1]) // 3) if match else ""


def has(piece: Node, name: str) -> bool:
    return any(key.rpartition(":")[2] == name for key in piece.attributes)


def write_fraction(piece: Node) -> str:
    above = "?" * max(1, read_places(piece, "min-numerator-digits", 1))
    fixed = piece.get("denominator-value")
    places = "?" * max(1, read_places(piece, "min-denominator-digits", 1))
    below = fixed if fixed.isdecimal() and len(fixed) < 6 else places
    front = "# " if has(piece, "min-integer-digits") else ""
    return f"{front}{above}/{below}"
