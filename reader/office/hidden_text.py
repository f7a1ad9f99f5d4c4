"""Text of OpenDocument that a style, a condition or a section hides: left out, and counted."""

from collections.abc import Iterator

from reader.gaps import Gap
from reader.markup.safe_xml import Node

STYLED = frozenset(("span", "p", "h", "a", "section", "list-item"))
PROPERTIES = ("text-properties", "section-properties")
CONDITIONS = ("hidden-text", "hidden-paragraph")
# Styles that are based on each other; a file may let them go round.
MAX_BASES = 20


def leave_out_hidden(root: Node, styles: Node | None) -> Iterator[Gap]:
    """Take it out of the tree; the gap says how much it was."""
    hidden = find_hidden_styles(root, styles)
    body = root.find("body")
    words = remove_hidden(body, hidden) if body else 0
    if words:
        count = "1 word is" if words == 1 else f"{words:,} words are"
        yield Gap("hidden", f"{count} hidden in the file, by a style or a condition, and left out.")


def find_hidden_styles(*roots: Node | None) -> set[str]:
    bases: dict[str, str] = {}
    hidden: dict[str, bool] = {}
    for root in filter(None, roots):
        for style in root.find_all("style"):
            signs = [each.get("display") for each in style.elements if each.kind in PROPERTIES]
            bases[style.get("name")] = style.get("parent-style-name")
            if any(signs):
                hidden[style.get("name")] = "none" in signs
    return {name for name in bases if is_hidden(name, hidden, bases)} if any(hidden.values()) else set()


def is_hidden(name: str, hidden: dict[str, bool], bases: dict[str, str]) -> bool:
    for _ in range(MAX_BASES):
        if name in hidden or not name:
            break
        name = bases.get(name, "")
    return hidden.get(name, False)


def remove_hidden(node: Node, hidden: set[str]) -> int:
    """Return how many words are gone."""
    words, kept = 0, list[Node | str]()
    for child in node.children:
        if isinstance(child, str):
            kept.append(child)
        elif is_left_out(child, hidden):
            words += max(1, count_words(child))
        else:
            words += remove_hidden(child, hidden)
            kept.append(child)
    node.children = kept
    return words


def is_left_out(node: Node, hidden: set[str]) -> bool:
    if node.kind in CONDITIONS:
        return node.get("is-hidden") == "true"
    if node.kind == "section" and node.get("display") == "none":
        return True
    return node.kind in STYLED and node.get("style-name") in hidden


def count_words(node: Node) -> int:
    own = node.get("string-value") if node.kind in CONDITIONS else ""
    texts = (child.split() if isinstance(child, str) else [""] * count_words(child) for child in node.children)
    return len(own.split()) + sum(map(len, texts))
