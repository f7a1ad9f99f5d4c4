"""A change of a text in a line for a model: where it stands, and as many of its words as are needed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from documents.comparing import Change, Stretch
from documents.comparing.words import ComparedWord, join_texts
from documents.reading.blocks import BlockPlace
from documents.reading.page_text import estimate_tokens

# Words beside what changed, and of a passage that is new, gone or moved.
CONTEXT, MAX_NEW, MAX_MOVED = 7, 70, 14
MAX_SECTION = 60
MATTERS = {
    "number": "number or date",
    "text": "wording",
    "signs": "punctuation or capitals",
    "misread": "maybe misread",
}


@dataclass(frozen=True)
class ChangeExcerpt:
    """`lines` are those of the older text whose words are shown, `other_lines` those of the newer."""

    change: Change
    text: str
    lines: Sequence[BlockPlace]
    other_lines: Sequence[BlockPlace]

    @property
    def tokens(self) -> int:
        return estimate_tokens(self.print("D10", "D11"))

    def print(self, one: str, other: str) -> str:
        change = self.change
        places = [f"[{one}:{change.one.place}]"] if change.one else []
        places += [f"[{other}:{change.other.place}]"] if change.other else []
        section = f" under “{change.section[:MAX_SECTION]}”" if change.section else ""
        return f"{change.kind}, {MATTERS[change.matter]} {' → '.join(places)}{section}: {self.text}"


def write_change(change: Change) -> ChangeExcerpt:
    if not change.stretches:
        side = change.one or change.other
        words = side.words if side else []
        lines = _list_lines(words[:MAX_NEW])
        return ChangeExcerpt(change, _cut(words, MAX_NEW), lines if change.one else [], [] if change.one else lines)
    if all(stretch.is_same for stretch in change.stretches):
        (whole,) = change.stretches
        shown = [Stretch(whole.one[:MAX_MOVED], whole.other[:MAX_MOVED], is_same=True)]
        return _make(change, shown, _cut(whole.other, MAX_MOVED))
    shown = [part for at in range(len(change.stretches)) for part in _shorten(change.stretches, at)]
    return _make(change, shown, " ".join(filter(None, map(_write, shown))))


def _make(change: Change, shown: Sequence[Stretch], text: str) -> ChangeExcerpt:
    lines = _list_lines(word for stretch in shown for word in stretch.one)
    return ChangeExcerpt(change, text, lines, _list_lines(word for stretch in shown for word in stretch.other))


def _cut(words: Sequence[ComparedWord], maximum: int) -> str:
    return f"{join_texts(words[:maximum])} …" if len(words) > maximum else join_texts(words)


def _shorten(stretches: Sequence[Stretch], at: int) -> list[Stretch]:
    """Keeps of the words that both have those beside a change; an empty stretch stands for the others."""
    stretch = stretches[at]
    behind, before = CONTEXT * (at > 0), CONTEXT * (at < len(stretches) - 1)
    if not stretch.is_same or len(stretch.other) <= behind + before + 1 or len(stretch.one) != len(stretch.other):
        return [stretch]
    end = len(stretch.other) - before
    first = [Stretch(stretch.one[:behind], stretch.other[:behind], is_same=True)] if behind else []
    last = [Stretch(stretch.one[end:], stretch.other[end:], is_same=True)] if before else []
    return [*first, Stretch((), (), is_same=True), *last]


def _write(stretch: Stretch) -> str:
    if stretch.is_same:
        return stretch.now or "…"
    was = f"[-{_cut(stretch.one, MAX_NEW)}-]" if stretch.one else ""
    return was + (f"{{+{_cut(stretch.other, MAX_NEW)}+}}" if stretch.other else "")


def _list_lines(words: Iterable[ComparedWord]) -> list[BlockPlace]:
    return list(dict.fromkeys(BlockPlace(word.page, word.line) for word in words))
