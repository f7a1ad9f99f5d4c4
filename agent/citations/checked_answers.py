"""A checked answer as it is shown: with a word behind what is not proven, and with whole block ids."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from agent.citations import citing
from agent.citations.aliases import ALIAS, ThreadAliases
from agent.citations.reviewing import AddedUp, Coverage
from agent.citations.sentences import BLOCKS, NUMBERS, blank_code
from agent.models import Citation, Message, Thread
from kit.json_types import JsonObject

UNSUPPORTED = "[unsupported]"
# What a model writes itself, as long as ours.
OWN_WORD = "(unsupported)"
NO_SOURCE = "[no source]"
# Around an unproven sentence of a page. Marks of punctuation: Markdown reads on beside them as at the end of a word.
DOUBT, DOUBT_END = "⸨", "⸩"
_OWN_BRACKETS = str.maketrans({DOUBT: "(", DOUBT_END: ")"})
# What stands before a line's words and is no part of them: a list's bullet, a heading, the border of a table.
_BEFORE_WORDS = re.compile(r"(?:\s*(?:[|>]|#{1,6}(?=\s)|[-*•+](?=\s)|\d{1,3}[.)](?=\s)))*\s*")
_NAMES = re.compile(rf"\s?\[\s*{ALIAS.pattern}(?:\s*[,;]\s*{ALIAS.pattern})*\s*\]")
# The beginning of such names where a text was cut or is still being written, and a space that may stand before them.
_BEGUN_NAMES = re.compile(r"\s?\[\s*(?:D[\sD\d:.,;]{0,300})?$")
ANOTHER_LINE = "another line that was read"
NOTHING_READ = "No document was read for this answer."


class CheckedText(NamedTuple):
    """`citations` are by number: those that the text names."""

    text: str
    citations: Mapping[int, Citation]


def is_checked(message: Message) -> bool:
    return any(block["type"] == "checked" for block in message.blocks)


def has_doubts(message: Message) -> bool:
    """Whether it was looked through for what is not proven: an answer, or words on the way to one."""
    return bool(_find_check(message))


@dataclass(frozen=True)
class UnprovenSentence:
    """`text` as it was written, `missing` what of it was not found. `is_unchecked`: a picture may prove it."""

    text: str
    missing: str
    is_unchecked: bool = False

    @property
    def reason(self) -> str:
        """As a sentence; empty of an answer that was checked before reasons were kept."""
        if self.missing.startswith(("it names", "it rests")):
            return f"{self.missing[0].upper()}{self.missing[1:]}."
        return f"Not found in what it names: {self.missing}." if self.missing else ""


def mark_doubts(message: Message) -> str:
    """The answer for a page, with DOUBT and DOUBT_END around what is not proven; sums are shown below it."""
    text = message.join_text().translate(_OWN_BRACKETS)
    block = _find_check(message)
    notes = [] if "added_up" in block else [(end, f" ({sums})") for end, sums in block.get("sums", [])]
    for start, end in block.get("unsupported", []):
        words = _BEFORE_WORDS.match(text, start, end)
        notes += [(words.end() if words else start, DOUBT), (_end_of_words(text, end), DOUBT_END)]
    for at, note in sorted(notes, reverse=True):
        text = f"{text[:at]}{note}{text[at:]}"
    return text


def hide_names(text: str) -> str:
    """What was said on the way, without the names of lines: nobody has looked whether these say it."""
    return _BEGUN_NAMES.sub("", _NAMES.sub("", text))


def find_begun_names(text: str) -> str:
    """The end of a text that `hide_names` holds back, since it may become the name of a line."""
    match = _BEGUN_NAMES.search(text)
    return match[0] if match else ""


def mark_answer(message: Message) -> str:
    """The answer with the sums behind their sentences, and the word behind those that are not proven."""
    text = message.join_text().replace(UNSUPPORTED, OWN_WORD)
    block = _find_check(message)
    notes = [(_end_of_words(text, end), f" ({sums})") for end, sums in block.get("sums", [])]
    notes += [(_end_of_words(text, end), f" {UNSUPPORTED}") for _, end in block.get("unsupported", [])]
    for end, note in sorted(notes, reverse=True):
        text = f"{text[:end]}{note}{text[end:]}"
    return text


def _end_of_words(text: str, end: int) -> int:
    """Inside of the last cell of a row: what stands behind its border is not shown."""
    return len(text[:end].rstrip(" |"))


def list_unsupported(message: Message) -> list[UnprovenSentence]:
    text, block = message.join_text(), _find_check(message)
    spans = block.get("unsupported", [])
    missing, unchecked = [*block.get("missing", []), *([""] * len(spans))], block.get("unchecked", ())
    return [
        UnprovenSentence(text[start:end].strip(), ALIAS.sub(ANOTHER_LINE, why), at in unchecked)
        for at, ((start, end), why) in enumerate(zip(spans, missing, strict=False))
    ]


def list_sums(message: Message) -> list[AddedUp]:
    sums: list[AddedUp] = _find_check(message).get("added_up", [])
    return sums


def get_coverage(message: Message) -> Coverage | None:
    coverage: Coverage | None = _find_check(message).get("coverage")
    return coverage


def has_read_nothing(message: Message) -> bool:
    """Whether it tells of documents although its turn has read none."""
    return bool(_find_check(message).get("nothing_read"))


def _find_check(message: Message) -> JsonObject:
    return next((block for block in message.blocks if block["type"] in ("checked", "on_the_way")), {})


class CitedThread:
    """The citations and aliases of a thread, in two queries."""

    def __init__(self, thread: Thread) -> None:
        self.aliases, self._citations = ThreadAliases(thread), citing.load_citations(thread)

    def expand(self, turn_number: int, text: str) -> CheckedText:
        """The text with whole block ids in place of numbers and short names; what was never read is no block."""
        citations = {row.number: row for row in self._citations if row.turn.number <= turn_number}
        by_block = {row.block_id: row for row in citations.values()}
        named: dict[int, Citation] = {}

        def name(row: Citation) -> str:
            named[row.number] = row
            return f"[{row.block_id}]"

        def replace_block(written: str) -> str:
            block_id = self.aliases.find(written)
            if block_id is None:
                return NO_SOURCE
            row = by_block.get(str(block_id.line))
            return name(row) if row else f"[{block_id}]"

        def replace_numbers(written: str) -> str:
            rows = [citations.get(int(each)) for each in written.split(",")]
            return "".join(map(name, filter(None, rows))) if all(rows) else f"[{written}]"

        # Numbers first, since a block of theirs is not looked at again.
        parts, at = [], 0
        for match in NUMBERS.finditer(blank_code(text)):
            parts += [
                BLOCKS.sub(lambda each: replace_block(each[0]), text[at : match.start()]),
                replace_numbers(match[1]),
            ]
            at = match.end()
        parts.append(BLOCKS.sub(lambda each: replace_block(each[0]), text[at:]))
        return CheckedText("".join(parts).replace("[[", "[").replace("]]", "]"), dict(sorted(named.items())))
