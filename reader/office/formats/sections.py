"""A number format taken apart: up to four sections, each with its signs, its condition and its language."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

from reader.office.formats.chinese_digits import FORM, find_script

# Excel takes no longer one.
MAX_LETTERS = 255
TOKEN = re.compile(
    r"""(?P<quoted>"[^"]*"?) | \\(?P<escaped>.?) | \[(?P<bracket>[^\]]*)\]? | _(?P<space>.?) | \*.? | b1(?=[ymdge])
    | (?P<general>General) | (?P<half>AM/PM|A/P) | (?P<power>E[+-]) | (?P<date>y+|m+|d+|h+|s+|e+|g+|aaaa?|b+)
    | (?P<place>[0\#?]) | (?P<sign>[.,%/@;]) | (?P<letter>.)""",
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)
ELAPSED = re.compile(r"h+|m+|s+", re.I)
CONDITION = re.compile(r"(<=|>=|<>|<|>|=)\s*(-?\d{1,15}(?:\.\d{1,15})?)")
Kind = Literal["literal", "general", "half", "power", "date", "elapsed", "place", "sign"]
AS_THEY_ARE: dict[str | None, Kind] = {
    "general": "general",
    "half": "half",
    "power": "power",
    "date": "date",
    "place": "place",
    "sign": "sign",
}
SectionKind = Literal["general", "number", "date", "text", "literal", "unknown"]


class Token(NamedTuple):
    kind: Kind
    text: str


class Condition(NamedTuple):
    operator: str
    number: float

    def holds(self, value: float) -> bool:
        below, same = value < self.number, value == self.number
        return {"<": below, "<=": below or same, "=": same, "<>": not same}.get(
            self.operator, not below and (not same or self.operator == ">=")
        )

    @property
    def is_for_negatives(self) -> bool:
        """Whether nothing else can be shown by this section, which then brings its own sign."""
        return (self.operator == "<" and self.number <= 0) or (self.operator == "<=" and self.number < 0)


@dataclass(frozen=True)
class Section:
    """locale: as the format names it, a number of Windows or a language tag. script: of its digits, where not Latin."""

    tokens: tuple[Token, ...]
    condition: Condition | None = None
    locale: str = ""
    script: str = ""

    @property
    def kind(self) -> SectionKind:
        kinds = {token.kind for token in self.tokens}
        if ("sign", "@") in self.tokens:
            return "text"
        if "general" in kinds:
            return "general"
        if kinds & {"elapsed", "half"} or any(token.text[0] in "ymdhs" for token in self.tokens if is_date(token)):
            return "date"
        if "place" in kinds:
            return "number"
        return "date" if "date" in kinds else "literal"


def is_date(token: Token) -> bool:
    return token.kind == "date"


@lru_cache(maxsize=1000)
def parse_format(code: str) -> tuple[Section, ...]:
    """Return the sections; none of a format that is too long to be one."""
    if len(code) > MAX_LETTERS:
        return ()
    parts: list[list[re.Match[str]]] = [[]]
    for match in TOKEN.finditer(code):
        if match["sign"] == ";":
            parts.append([])
        else:
            parts[-1].append(match)
    return tuple(map(make_section, parts[:4]))


def make_section(matches: list[re.Match[str]]) -> Section:
    tokens: list[Token] = []
    condition, locale, form = None, "", ""
    for match in matches:
        if (bracket := match["bracket"]) is None:
            tokens += [token] if (token := make_token(match)) else []
        elif bracket.startswith("$"):
            currency, _, language = bracket[1:].partition("-")
            locale = language or locale
            tokens += [Token("literal", currency)] if currency else []
        elif ELAPSED.fullmatch(bracket):
            tokens.append(Token("elapsed", bracket.lower()))
        elif comparison := CONDITION.fullmatch(bracket.strip()):
            condition = Condition(comparison[1], float(comparison[2]))
        elif digits := FORM.fullmatch(bracket):
            form = digits[1]
        # Colours and wide digits change how it looks and not what it says.
    script = find_script(locale, form) if form else ""
    if script and not tokens:
        tokens.append(Token("general", "GENERAL"))
    return Section(tuple(tokens), condition, locale, script)


def make_token(match: re.Match[str]) -> Token | None:
    """None for what only fills the width of the cell."""
    kind, text = match.lastgroup, match[0]
    if kind == "quoted":
        return Token("literal", text.strip('"'))
    if kind == "escaped":
        return Token("literal", match["escaped"])
    if kind == "space":
        return Token("literal", " ")
    if kind in AS_THEY_ARE:
        return Token(AS_THEY_ARE[kind], text.lower() if kind == "date" else text.upper())
    return Token("literal", text) if kind == "letter" else None
