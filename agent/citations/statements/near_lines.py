"""Finds whom a line is about where it does not say so itself: a letterhead, a heading or a signature beside it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from agent.citations.evidence import stands_in
from agent.citations.statements.facts import find_facts
from agent.citations.statements.proofs import Proof
from agent.citations.statements.words.ordinary_words import list_languages
from agent.citations.statements.words.proper_names import is_proper

MAX_DISTANCE, HEAD_LINES = 10, 8
_CELLS = " | "


def list_near_lines(names: Collection[str], proofs: Sequence[Proof]) -> Iterator[str]:
    """The lines that were read near those of the proofs and at the head of their pages. None beside a line that names
    somebody else, and no row of a table: each of these is about its own."""
    for proof in proofs:
        if not _names_another(proof.text, names):
            own = _get_number(proof.block_id)
            for block_id, text in proof.beside.items():
                line = _get_number(block_id)
                if _CELLS not in text and (line <= HEAD_LINES or abs(line - own) <= MAX_DISTANCE):
                    yield text


def _names_another(text: str, names: Collection[str]) -> bool:
    languages = list_languages(text)
    printed = (name for name in find_facts(text).names if not any(map(str.isdigit, name)))
    return any(
        is_proper(name, languages) and not any(stands_in(name, each) or stands_in(each, name) for each in names)
        for name in printed
    )


def _get_number(block_id: str) -> int:
    number = block_id.rpartition(".")[2]
    return int(number) if number.isdigit() else 0
