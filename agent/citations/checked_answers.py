"""A checked answer as it is shown: with a word behind what is not proven, and with whole block ids."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from agent.citations import citing
from agent.citations.aliases import ThreadAliases
from agent.citations.sentences import BLOCKS, NUMBERS
from agent.models import Citation, Message, Thread

UNSUPPORTED = "[unsupported]"
NO_SOURCE = "[no source]"


class CheckedText(NamedTuple):
    """`citations` are by number: those that the text names."""

    text: str
    citations: Mapping[int, Citation]


def is_checked(message: Message) -> bool:
    return any(block["type"] == "checked" for block in message.blocks)


def mark_answer(message: Message) -> str:
    """The answer with the sums behind their sentences, and the word behind those that are not proven."""
    text = message.join_text()
    notes: list[tuple[int, str]] = []
    for block in message.blocks:
        if block["type"] == "checked":
            notes += [(end, f" ({sums})") for end, sums in block["sums"]]
            notes += [(end, f" {UNSUPPORTED}") for _, end in block["unsupported"]]
    for end, note in sorted(notes, reverse=True):
        text = f"{text[:end]}{note}{text[end:]}"
    return text


def list_unsupported(message: Message) -> list[str]:
    """The sentences that are not proven, as they were written."""
    text = message.join_text()
    spans = [span for block in message.blocks if block["type"] == "checked" for span in block["unsupported"]]
    return [text[start:end].strip() for start, end in spans]


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
        for match in NUMBERS.finditer(text):
            parts += [
                BLOCKS.sub(lambda each: replace_block(each[0]), text[at : match.start()]),
                replace_numbers(match[1]),
            ]
            at = match.end()
        parts.append(BLOCKS.sub(lambda each: replace_block(each[0]), text[at:]))
        return CheckedText("".join(parts).replace("[[", "[").replace("]]", "]"), dict(sorted(named.items())))
