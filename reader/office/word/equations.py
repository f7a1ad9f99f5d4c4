"""Equations of Office Open XML in one line: `(1734.56)/(12)`, `x^2`, `√(a+b)` (ECMA-376 part 1, 22.1)."""

from reader.markup.safe_xml import Node

HIDDEN = ("0", "off", "false")


def write_equation(node: Node) -> str:
    """Whatever has a shape of its own gets brackets, so that no two numbers run into each other."""
    return "".join(map(write_part, node.elements))


def write_part(node: Node) -> str:
    kind = node.kind
    if kind == "t":
        return node.own_text
    if kind.endswith("Pr") or kind in ("del", "moveFrom"):
        return ""
    writer = WRITERS.get(kind)
    return writer(node) if writer else write_equation(node)


def write_child(node: Node, kind: str) -> str:
    child = node.find(kind)
    return write_equation(child) if child else ""


def bracket(text: str) -> str:
    return text if len(text) == 1 or text.isdecimal() else f"({text})"


def write_fraction(node: Node) -> str:
    above, below = write_child(node, "num"), write_child(node, "den")
    return f"({above})/({below})"


def write_scripts(node: Node) -> str:
    base, below, above = (write_child(node, kind) for kind in ("e", "sub", "sup"))
    scripts = (f"_{bracket(below)}" if below else "") + (f"^{bracket(above)}" if above else "")
    return f"{scripts}{base}" if node.kind == "sPre" else f"{bracket_base(base)}{scripts}"


def bracket_base(text: str) -> str:
    return text if text.isalnum() or text.endswith((")", "]", "}")) or not text else f"({text})"


def write_root(node: Node) -> str:
    degree = write_child(node, "deg")
    return f"{bracket(degree) if degree else ''}√({write_child(node, 'e')})"


def write_operator(node: Node) -> str:
    sign = find_sign(node, "naryPr", "chr", "∫")
    below, above = write_child(node, "sub"), write_child(node, "sup")
    limits = (f"_{bracket(below)}" if below else "") + (f"^{bracket(above)}" if above else "")
    return f"{sign}{limits}({write_child(node, 'e')})"


def write_delimited(node: Node) -> str:
    begin, end = find_sign(node, "dPr", "begChr", "("), find_sign(node, "dPr", "endChr", ")")
    between = find_sign(node, "dPr", "sepChr", "|")
    return begin + between.join(write_equation(child) for child in node.elements if child.kind == "e") + end


def write_function(node: Node) -> str:
    argument = write_child(node, "e")
    return write_child(node, "fName") + (argument if argument.startswith("(") else f"({argument})")


def write_limit(node: Node) -> str:
    sign = "_" if node.kind == "limLow" else "^"
    return f"{write_child(node, 'e')}{sign}{bracket(write_child(node, 'lim'))}"


def write_accent(node: Node) -> str:
    return write_child(node, "e") + find_sign(node, "accPr", "chr", "\u0302")


def write_matrix(node: Node) -> str:
    rows = (", ".join(write_equation(cell) for cell in row.elements if cell.kind == "e") for row in node.find_all("mr"))
    return f"[{'; '.join(rows)}]"


def write_lines(node: Node) -> str:
    return "; ".join(write_equation(child) for child in node.elements if child.kind == "e")


def write_phantom(node: Node) -> str:
    shown = node.find("phantPr", "show")
    return "" if shown and shown.get("val") in HIDDEN else write_child(node, "e")


def find_sign(node: Node, properties: str, kind: str, default: str) -> str:
    sign = node.find(properties, kind)
    return sign.get("val") if sign else default


WRITERS = {
    "f": write_fraction,
    "sSup": write_scripts,
    "sSub": write_scripts,
    "sSubSup": write_scripts,
    "sPre": write_scripts,
    "rad": write_root,
    "nary": write_operator,
    "d": write_delimited,
    "func": write_function,
    "limLow": write_limit,
    "limUpp": write_limit,
    "acc": write_accent,
    "m": write_matrix,
    "eqArr": write_lines,
    "phant": write_phantom,
}
