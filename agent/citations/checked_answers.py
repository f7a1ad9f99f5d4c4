"""A checked answer as it is shown: with a word behind what is not proven, and with whole block ids."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from agent.citations import citing
from agent.citations.aliases import ALIAS, ThreadAliases
from agent.citations.reviewing import AddedUp, Coverage
from agent.citations.sentences import BLOCKS, NUMBERS, Sentence, blank_code
from agent.citations.statements.checking import State
from agent.models import Citation, Message, Thread
from kit.json_types import JsonObject

NOT_CITED = "not checked"
"""The word for a sentence that names no line; others have their state."""
# The words that a model writes itself are put in other brackets, as long as ours.
_OWN_WORDS = re.compile(r"\[(unsupported|(?:cited, )?not checked)\]")
NO_SOURCE = "[no source]"
# Around an unproven sentence of a page, and around one that is not checked. Marks of punctuation: Markdown reads on
# beside them as at the end of a word.
DOUBT, DOUBT_END = "⸨", "⸩"
OPEN, OPEN_END = "⦅", "⦆"
_OWN_BRACKETS = str.maketrans({DOUBT: "(", DOUBT_END: ")", OPEN: "(", OPEN_END: ")"})
_BOUNDS = {State.UNSUPPORTED: (DOUBT, DOUBT_END), State.NOT_CHECKED: (OPEN, OPEN_END)}
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
    """`text` as it was written, `missing` what of it was not found, or why that cannot be said."""

    start: int
    end: int
    text: str
    missing: str
    state: State = State.UNSUPPORTED

    @property
    def reason(self) -> str:
        """As a sentence; empty of an answer that was checked before reasons were kept."""
        if self.state is State.NOT_CHECKED or self.missing.startswith(("it names", "it rests")):
            return f"{self.missing[:1].upper()}{self.missing[1:]}."
        return f"Not found in what it names: {self.missing}." if self.missing else ""

    @property
    def word(self) -> str:
        """The state as it is shown: only what names a line is cited."""
        is_cited = Sentence(self.start, self.end, self.text).is_cited
        return NOT_CITED if self.state is State.NOT_CHECKED and not is_cited else self.state.value


def mark_doubts(message: Message) -> str:
    """The answer for a page, with bounds around what is not proven; sums are shown below it."""
    text = message.join_text().translate(_OWN_BRACKETS)
    block = _find_check(message)
    notes = [] if "added_up" in block else [(end, f" ({sums})") for end, sums in block.get("sums", [])]
    for each in list_unproven(message):
        words = _BEFORE_WORDS.match(text, each.start, each.end)
        bound, bound_end = _BOUNDS[each.state]
        notes += [(words.end() if words else each.start, bound), (_end_of_words(text, each.end), bound_end)]
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
    text = _OWN_WORDS.sub(r"(\1)", message.join_text())
    block = _find_check(message)
    notes = [(_end_of_words(text, end), f" ({sums})") for end, sums in block.get("sums", [])]
    notes += [(_end_of_words(text, each.end), f" [{each.word}]") for each in list_unproven(message)]
    for end, note in sorted(notes, reverse=True):
        text = f"{text[:end]}{note}{text[end:]}"
    return text


def _end_of_words(text: str, end: int) -> int:
    """Inside of the last cell of a row: what stands behind its border is not shown."""
    return len(text[:end].rstrip(" |"))


def list_unproven(message: Message) -> list[UnprovenSentence]:
    return [*list_unsupported(message), *list_not_checked(message)]


def list_unsupported(message: Message) -> list[UnprovenSentence]:
    return _list_sentences(message, "unsupported", "missing", State.UNSUPPORTED)


def list_not_checked(message: Message) -> list[UnprovenSentence]:
    return _list_sentences(message, "not_checked", "not_checked_because", State.NOT_CHECKED)


def _list_sentences(message: Message, places: str, reasons: str, state: State) -> list[UnprovenSentence]:
    text, block = message.join_text(), _find_check(message)
    spans = block.get(places, [])
    missing = [*block.get(reasons, []), *([""] * len(spans))]
    return [
        UnprovenSentence(start, end, text[start:end].strip(), ALIAS.sub(ANOTHER_LINE, why), state)
        for (start, end), why in zip(spans, missing, strict=False)
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
