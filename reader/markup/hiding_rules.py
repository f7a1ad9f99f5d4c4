"""Rules of a page's own style sheets that hide elements. Of the cascade only the order of rules is followed."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from selectolax.lexbor import LexborNode, SelectolaxError

MAX_LETTERS, MAX_RULES = 500_000, 300
# For all rules together; beyond it none of such a page is followed, so that nothing is left out by half of them.
MAX_MATCHES = 300_000
COMMENT = re.compile(r"/\*.*?\*/", re.S)
RULE = re.compile(r"([^{}]*)\{([^{}]*)\}")
DISPLAY = re.compile(r"(?:^|;)\s*(?:display\s*:\s*([\w-]+)|(visibility)\s*:\s*([\w-]+))", re.I)
# Rules for the screen are among the others; those for other media are not.
MEDIA = re.compile(r"@media\b[^{]*\b(?:screen|all)\b[^{]*\{|@media\s*\((?:min|max)-[^{]*\{", re.I)
# Nobody points at anything on a page that is printed, and no selector finds what a program makes.
STATES = re.compile(r":(?:hover|focus|active|visited|target|before|after|:)", re.I)


class HidingRule(NamedTuple):
    selector: str
    is_hiding: bool


def find_hidden(root: LexborNode) -> set[int]:
    """Elements that the last rule for them hides, by their place in memory."""
    hidden: set[int] = set()
    sheets = (node.text() or "" for node in root.css("style") if is_for_screens(node))
    room = MAX_MATCHES
    for rule in list_rules("\n".join(sheets)):
        try:
            matching = {node.mem_id for node in root.css(rule.selector)}
        except (SelectolaxError, ValueError):
            continue
        room -= len(matching)
        if room < 0:
            return set()
        hidden = hidden | matching if rule.is_hiding else hidden - matching
    return hidden


def is_for_screens(node: LexborNode) -> bool:
    media = (node.attributes.get("media") or "all").lower()
    return "screen" in media or "all" in media


def list_rules(text: str) -> Iterator[HidingRule]:
    """Rules that say whether something is shown; none where nothing is hidden."""
    if "none" not in text and "hidden" not in text:
        return
    plain = remove_other_media(COMMENT.sub(" ", text[:MAX_LETTERS]))
    rules = (rule for match in RULE.finditer(plain) for rule in read_rule(match[1].strip(), match[2]))
    for count, rule in enumerate(rules):
        if count == MAX_RULES:
            return
        yield rule


def read_rule(selector: str, declarations: str) -> Iterator[HidingRule]:
    signs = list(DISPLAY.finditer(declarations))
    if not signs or not selector or selector.startswith("@"):
        return
    is_hiding = any((sign[1] or sign[3] or "").lower() in ("none", "hidden") for sign in signs)
    shown = (part.strip() for part in selector.split(","))
    yield from (HidingRule(part, is_hiding) for part in shown if part and not STATES.search(part))


def remove_other_media(text: str) -> str:
    """Blocks within blocks that begin with an @ and are not for the screen."""
    kept, at = [], 0
    while (start := text.find("@", at)) >= 0:
        opening, end = text.find("{", start), text.find(";", start)
        kept.append(text[at:start])
        if opening < 0 or 0 <= end < opening:
            at = end + 1 if end >= 0 else len(text)
            continue
        close = find_close(text, opening)
        kept.append(text[opening + 1 : close] if MEDIA.match(text, start) else "")
        at = close + 1
    return "".join([*kept, text[at:]])


def find_close(text: str, opening: int) -> int:
    depth = 0
    for match in re.compile(r"[{}]").finditer(text, opening):
        depth += 1 if match[0] == "{" else -1
        if not depth:
            return match.start()
    return len(text)
