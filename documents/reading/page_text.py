"""Document text as models get it: marked, labelled as untrusted data, and unable to imitate our own markers."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from documents.models import Reading
from documents.reading.blocks import BlockPlace
from documents.reading.gaps import Gap, list_file_gaps, list_files_left_out, list_page_gaps, name_pages
from documents.reading.nesting.addresses import find_address
from documents.reading.tables.marked_lines import mark_lines
from documents.reading.tables.reading_tables import iterate_blocks
from documents.reading.tables.structure import Block, Table, TableRow, TextLine
from kit import sanitize

_MARKERS = ("data", "page", "cut")
# Signs of other scripts and widths that look like "<".
_OPENING = "<\uff1c\ufe64\u2039\u2329\u3008\u27e8\u276e\u1438\u02c2\u227a\u276c\u29fc"
# Spaces, slashes and their look-alikes, and signs that are not seen at all.
_SKIPPED = re.compile(
    r"[\s/\\!?\u2044\u2215\u29f8\uff0f\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff\u00ad]+"
)
# Letters that look like those of the markers: Cyrillic, Greek, Latin variants.
_LOOKALIKES = {
    ord(letter): meant
    for meant, letters in {
        "a": "\u0430\u03b1\u0251",
        "c": "\u0441\u03f2",
        "d": "\u0501\u217e",
        "e": "\u0435\u0454\u03b5",
        "g": "\u0261\u0581",
        "p": "\u0440\u03c1",
        "t": "\u0442\u03c4",
        "u": "\u057d\u03c5\u028b",
    }.items()
    for letter in letters
}
# What a chat template makes of its own signs: a server of one's own may read "<|im_start|>system" in a document as the
# start of a new message. Seen in ChatML, Llama 2 and 3, Mistral, Gemma, DeepSeek and Qwen; in text they are rare.
_TEMPLATE = re.compile(
    r"<(?=[|\uff5c]|/?(?:s|bos|eos|pad|unk|think|thinking|tool_calls?|tool_response|start_of_turn|end_of_turn)>"
    r"|function=|<\s*/?\s*SYS\s*>>)"
    r"|\[(?=/?(?:INST|SYSTEM_PROMPT|TOOL_CALLS|TOOL_RESULTS|AVAILABLE_TOOLS)\])",
    re.I,
)
_JSON_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_NUMBERED = re.compile(r"\[(\d+)\.(\d+)\]")
_AHEAD = 40
BYTES_A_TOKEN = 3.5
PAGE_MARK_TOKENS = 12


@dataclass(frozen=True)
class MarkedText:
    """Text that is safe to put into a data block. `pages`: those in it, whole or in part; `next_place`: the first line
    that was cut off; None where nothing was. `first_line`: of its first page, where it does not begin with line 1.
    """

    text: str
    pages: list[int]
    next_place: BlockPlace | None = None
    first_line: int = 1

    @property
    def cut(self) -> bool:
        return self.next_place is not None

    @property
    def whole_pages(self) -> list[int]:
        begun = self.pages[:1] if self.first_line > 1 else []
        return [page for page in self.pages if page not in (*begun, self.cut_page)]

    @property
    def cut_page(self) -> int:
        """The page of which it has only the first lines; 0 where there is none."""
        return self.next_place.page if self.next_place and self.next_place.page in self.pages else 0

    def describe_part(self, page_count: int) -> str:
        """Which of so many pages it has, as a sentence; empty where it has all."""
        if len(self.whole_pages) == page_count:
            return ""
        if not self.pages:
            return f"No line of its {page_count} pages was read."
        pages = name_pages(self.pages).capitalize()
        rest = (
            f", page {self.cut_page} only up to line {self.next_place.line - 1}"
            if self.next_place and self.cut_page
            else ""
        )
        return f"{pages} of {page_count} {'was' if len(self.pages) == 1 else 'were'} read{rest}."


def mark_pages(
    reading: Reading,
    *,
    pages: Collection[int] | None = None,
    max_tokens: int | None = None,
    first_line: int = 1,
    with_addresses: bool = False,
) -> MarkedText:
    """`<page number="1">`, a line `[page.line] cell | cell` for each row, `</page>`. Hidden words are left out.

    A table has its empty cells too; where it goes on from an earlier page it begins with its head.
    What goes over `max_tokens` (estimated) is cut at a line, and the text says from which page and line on.
    `first_line`: of the first of the pages, whose lines before it are left out. `with_addresses`: behind each line.
    """
    pages_read = reading.pages.order_by("number")
    if pages is not None:
        pages_read = pages_read.filter(number__in=pages)
    needed = pages_read.only("reading", "number", "words", "illegible", "fault")
    numbered = {
        page.number: list_page_lines(page.number, blocks, with_addresses=with_addresses)
        + _list_notes(list_page_gaps(page))
        for page, blocks in iterate_blocks(reading, needed)
    }
    about_file = [*list_file_gaps(reading), *list_files_left_out(reading.document)]
    if numbered and (notes := _list_notes(about_file)):
        numbered[min(numbered)] = [*notes, *numbered[min(numbered)]]
    if first_line > 1 and numbered:
        number = min(numbered)
        numbered[number] = _skip_lines(number, numbered[number], first_line)
    if max_tokens is None:
        return MarkedText(_join_pages(numbered), list(numbered), first_line=first_line)
    return replace(_cut_to_tokens(numbered, max_tokens), first_line=first_line)


def estimate_pages(reading: Reading) -> dict[int, int]:
    """The tokens that each page takes."""
    pages = reading.pages.only("reading", "number", "words").order_by("number")
    return {
        page.number: estimate_tokens("\n".join(list_page_lines(page.number, blocks)))
        for page, blocks in iterate_blocks(reading, pages)
    }


def list_page_lines(number: int, blocks: Sequence[Block], *, with_addresses: bool = False) -> list[str]:
    """A page that begins inside of something says of what, since the lines that it is inside of are on others."""
    lines = mark_lines(number, blocks, with_addresses=with_addresses)
    text = "\n".join([*_describe_beginning(blocks), *lines])
    return neutralize(text).split("\n") if text else []


def _describe_beginning(blocks: Sequence[Block]) -> Iterator[str]:
    first = blocks[0] if blocks else None
    line = first.rows[0] if isinstance(first, Table) and first.rows else first
    if isinstance(line, TextLine | TableRow) and line.indent:
        around = find_address(line.words).rpartition("/")[0]
        if around:
            yield f"(This page begins inside of {around}.)"


def _list_notes(gaps: Iterable[Gap]) -> list[str]:
    """What a model has to know of a page or file that is missing in part: what it does not see may stand there."""
    return [f"({neutralize(gap.sentence)})" for gap in gaps]


def wrap_page(number: int, lines: list[str]) -> str:
    inner = "\n".join(lines) or "(no text on this page)"
    return f'<page number="{number}">\n{inner}\n</page>'


def make_data_block(kind: str, text: str | MarkedText, **attributes: object) -> str:
    """`<data kind="…" …>` around untrusted text. Plain text is neutralized here; MarkedText was already."""
    inner = text.text if isinstance(text, MarkedText) else neutralize(text)
    named = {"kind": kind, **attributes}
    written = " ".join(f'{name}="{_escape_attribute(value)}"' for name, value in named.items())
    return f"<data {written}>\n{inner}\n</data>"


def neutralize(text: str) -> str:
    """The text with each `<` (or look-alike) that begins a marker of ours or of a chat template written as `&lt;`.

    What cannot be seen is left out: a person has to be able to read what a model reads.
    """
    text = _escape_templates(sanitize.strip_invisible(text))
    begins = _find_marker_starts(text)
    return "".join("&lt;" if at in begins else char for at, char in enumerate(text)) if begins else text


def neutralize_json(text: str) -> str:
    """JSON with those signs written as escapes: the same value to whoever parses it, but for what cannot be seen."""
    text = sanitize.strip_invisible(text)
    if any(sign in text for sign in _OPENING):
        text = _JSON_STRING.sub(lambda match: _escape_string(match[0]), text)
    return escape_templates_in_json(text)


def escape_templates_in_json(text: str) -> str:
    """JSON with the signs of chat templates alone as escapes, for what contains blocks of ours."""
    return _TEMPLATE.sub(lambda sign: _escape_sign(sign[0]), text)


def _escape_templates(text: str) -> str:
    return _TEMPLATE.sub(lambda sign: "&lt;" if sign[0] == "<" else "&#91;", text)


def _escape_string(string: str) -> str:
    """A JSON string with the signs that begin a marker as escapes."""
    text = json.loads(string, strict=False)
    begins = _find_marker_starts(text)
    if not begins:
        return string
    written = (json.dumps(char, ensure_ascii=False)[1:-1] for char in text)
    return f'"{"".join(_escape_sign(text[at]) if at in begins else sign for at, sign in enumerate(written))}"'


def _escape_sign(sign: str) -> str:
    return f"\\u{ord(sign):04x}"


def _find_marker_starts(text: str) -> set[int]:
    """Where a sign stands that begins a marker of ours."""
    if not any(sign in text for sign in _OPENING):
        return set()
    return {at for at, char in enumerate(text) if char in _OPENING and _is_marker(text[at + 1 : at + 1 + _AHEAD])}


def estimate_tokens(text: str) -> int:
    """A little more than most tokenizers count."""
    return round(len(text.encode()) / BYTES_A_TOKEN) + 1


def _is_marker(ahead: str) -> bool:
    folded = unicodedata.normalize("NFKC", ahead).casefold().translate(_LOOKALIKES)
    return _SKIPPED.sub("", folded).startswith(_MARKERS)


def _escape_attribute(value: object) -> str:
    text = "".join(char if char.isprintable() else " " for char in str(value))
    return text.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;").replace(">", "&gt;")


def _skip_lines(page: int, lines: Sequence[str], first_line: int) -> list[str]:
    """Without those of the page before this one; the head of a table from an earlier page stays."""
    numbers = (_read_number(page, line) for line in lines)
    return [line for line, number in zip(lines, numbers, strict=True) if number is None or number >= first_line]


def _cut_to_tokens(numbered: dict[int, list[str]], max_tokens: int) -> MarkedText:
    shown: dict[int, list[str]] = {}
    left = max_tokens
    for number, lines in numbered.items():
        left -= PAGE_MARK_TOKENS
        for at, line in enumerate(lines):
            left -= estimate_tokens(line)
            if left < 0:
                return _add_cut_note(shown, list(numbered), BlockPlace(number, _find_next_line(number, lines, at)))
            shown.setdefault(number, []).append(line)
        shown.setdefault(number, [])
    return MarkedText(_join_pages(shown), list(shown))


def _find_next_line(page: int, lines: Sequence[str], at: int) -> int:
    """The number of the first line from there on; what has none of its own goes with the line after it."""
    following = (number for line in lines[at:] if (number := _read_number(page, line)))
    before = (number for line in reversed(lines[:at]) if (number := _read_number(page, line)))
    return next(following, next(before, 0) + 1)


def _read_number(page: int, line: str) -> int | None:
    match = _NUMBERED.match(line)
    return int(match[2]) if match and int(match[1]) == page else None


def _add_cut_note(shown: dict[int, list[str]], numbers: list[int], next_place: BlockPlace) -> MarkedText:
    rest = [number for number in numbers if number not in shown]
    missing = [f"page {next_place.page} from line {next_place.line}"] if next_place.page in shown else []
    missing += [name_pages(rest)] if rest else []
    is_one = len(missing) == 1 and (not rest or len(rest) == 1)
    note = f"<cut>{' and '.join(missing)} {'is' if is_one else 'are'} not shown</cut>"
    return MarkedText("\n".join(filter(None, [_join_pages(shown), note])), list(shown), next_place)


def _join_pages(numbered: dict[int, list[str]]) -> str:
    return "\n".join(wrap_page(number, lines) for number, lines in numbered.items())
