"""Choose the section of a number format that shows a value, and give the text that comes out."""

import datetime
import math
from collections.abc import Sequence
from typing import NamedTuple

from reader.office.formats.chinese_digits import replace_digits, spell_number
from reader.office.formats.dates import FIRST_1900, LEAP_1900, format_date
from reader.office.formats.numbers import format_number, format_plain
from reader.office.formats.sections import Section, parse_format

# Formats that a file names only by their number. Number 14 and its like each program shows as its country writes dates:
# only the year first is unmistakable.
_BUILT_IN = (
    "0=General | 1=0 | 2=0.00 | 3=#,##0 | 4=#,##0.00 | 9=0% | 10=0.00% | 11=0.00E+00 | 12=# ?/? | "
    "13=# ??/?? | 14=yyyy-mm-dd | 15=d-mmm-yy | 16=d-mmm | 17=mmm-yy | 18=h:mm AM/PM | "
    "19=h:mm:ss AM/PM | 20=h:mm | 21=h:mm:ss | 22=yyyy-mm-dd h:mm | 37=#,##0;(#,##0) | "
    '38=#,##0;(#,##0) | 39=#,##0.00;(#,##0.00) | 40=#,##0.00;(#,##0.00) | 41=#,##0;(#,##0);"-" | '
    '42=#,##0;(#,##0);"-" | 43=#,##0.00;(#,##0.00);"-" | 44=#,##0.00;(#,##0.00);"-" | 45=mm:ss | '
    "46=[h]:mm:ss | 47=mm:ss.0 | 48=##0.0E+0 | 49=@"
)
BUILT_IN = {int(number): code for number, _, code in (pair.partition("=") for pair in _BUILT_IN.split(" | "))}
# Amounts in the money of whoever looks at them: which one, the file does not say.
BUILT_IN |= {5: "#,##0;(#,##0)", 6: "#,##0;(#,##0)", 7: "#,##0.00;(#,##0.00)", 8: "#,##0.00;(#,##0.00)"}
BUILT_IN |= dict.fromkeys([*range(27, 32), 36, *range(50, 55), 57, 58], "yyyy-mm-dd") | {32: "h:mm", 33: "h:mm:ss"}
PLAIN = ("General", "", "@")


class Shown(NamedTuple):
    """is_plain: the value stands there without its format, which was not understood."""

    text: str
    is_plain: bool = False


def format_value(value: object, code: str, *, from_1904: bool = False) -> Shown:
    """Days are given as the count that a sheet keeps."""
    if isinstance(value, bool):
        return Shown("TRUE" if value else "FALSE")
    if isinstance(value, int | float):
        return format_counted(float(value), code, from_1904=from_1904)
    return Shown("" if value is None else format_text(str(value), code))


def format_text(text: str, code: str) -> str:
    if "@" not in code:
        return text
    sections = parse_format(code)
    section = next((each for each in sections if each.kind == "text"), None)
    tokens = section.tokens if section else ()
    # A sign of a number in a section of text is a letter like any other.
    shown = "".join(text if token == ("sign", "@") else token.text for token in tokens)
    return " ".join(shown.split(" ")).strip() if section else text


def format_counted(value: float, code: str, *, from_1904: bool) -> Shown:
    if code in PLAIN or not math.isfinite(value):
        return Shown(format_plain(value) if math.isfinite(value) else str(value))
    chosen = choose_section(value, parse_format(code))
    text = None
    if chosen is not None:
        section, has_own_sign = chosen
        text = format_by_section(abs(value) if has_own_sign else value, section, from_1904=from_1904)
    return Shown(format_plain(value), is_plain=True) if text is None else Shown(text.strip())


def format_by_section(value: float, section: Section, *, from_1904: bool) -> str | None:
    match section.kind:
        case "number":
            text = format_number(value, section)
            return replace_digits(text, section.script) if text and section.script else text
        case "date":
            return format_date(value, section, from_1904=from_1904)
        case "literal":
            sign = "-" if value < 0 and section.tokens else ""
            return sign + "".join(token.text for token in section.tokens)
    if any(token.kind in ("date", "place") for token in section.tokens):
        return None
    plain = format_plain(abs(value))
    plain = spell_number(plain, section.script) if section.script else plain
    texts = [plain if token.kind == "general" or token.text == "@" else token.text for token in section.tokens]
    return ("-" if value < 0 else "") + "".join(texts)


def choose_section(value: float, sections: Sequence[Section]) -> tuple[Section, bool] | None:
    """The section, and whether it brings the sign of a negative number itself; None where no section is meant."""
    numeric = list(sections[:3]) if len(sections) > 3 else [each for each in sections if each.kind != "text"]
    if not numeric:
        return (sections[0], False) if sections else None
    if any(section.condition for section in numeric[:2]):
        return choose_by_conditions(value, numeric)
    if value < 0 and len(numeric) > 1:
        return numeric[1], True
    if value == 0 and len(numeric) > 2:
        return numeric[2], False
    return numeric[0], False


def choose_by_conditions(value: float, sections: Sequence[Section]) -> tuple[Section, bool] | None:
    for at, section in enumerate(sections):
        condition = section.condition
        if condition is not None and condition.holds(value):
            return section, condition.is_for_negatives
        if condition is None and (at == len(sections) - 1 or (at == 0 and value > 0) or (at == 1 and value < 0)):
            return section, at == 1 and len(sections) > 2
    return None


def count_days(value: datetime.datetime | datetime.date | datetime.time | datetime.timedelta) -> float:
    """As a sheet of the 1900 system keeps it."""
    if isinstance(value, datetime.timedelta):
        return value.total_seconds() / 86_400
    if isinstance(value, datetime.time):
        return (value.hour * 3600 + value.minute * 60 + value.second + value.microsecond / 1e6) / 86_400
    whole = value.date() if isinstance(value, datetime.datetime) else value
    days = (whole - FIRST_1900).days
    clock = count_days(value.time()) if isinstance(value, datetime.datetime) else 0.0
    return (days - 1 if 1 < days <= LEAP_1900 else days) + clock
