"""Which of several matches is the field's: its label decides; without one a value must speak for itself."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from documents.locate.labels import Labels
from documents.locate.leaves import Leaf
from documents.locate.matches import Match, Matcher
from documents.locate.weights import is_self_evident, is_unique_unlabelled
from documents.locate.words.pages import Spot
from printed.folding import fold

FULL = 0.7
CLEAR = 0.5
SOME = 0.3
MARGIN = 0.1
MAX_MATCHES = 80
MAX_REPEATS = 20
# Places looked at for all fields together, which takes a second. 1,500 zeros in a table stand in 1,500 places each.
MAX_COMPARISONS = 300_000

Scored: TypeAlias = tuple[float, Match]

NO_MATCH = "No words on the pages say this value."
NO_CONTEXT = "The pages say this value, but nothing there ties it to this field."
SEVERAL = "Several places say this value and none is clearly this field's."
TAKEN = "The place that says this value belongs to another field."


@dataclass
class Choices:
    """Goes through the fields by how well they are labelled; a number or date that one took is no longer free."""

    matcher: Matcher
    labels: Labels
    taken: set[Spot] = field(default_factory=set)
    _known: dict[Hashable, list[Scored]] = field(default_factory=dict)
    _compared: int = 0

    def choose(self, leaves: Sequence[Leaf]) -> dict[str, Match | str]:
        """Where → the match, or the reason why there is none."""
        by_places = sorted(leaves, key=lambda leaf: len(self.matcher.find_all(leaf.value)))
        scores = {leaf.where: self._score_once(leaf) for leaf in by_places}
        scored = [(leaf, scores[leaf.where]) for leaf in leaves]
        scored.sort(key=lambda pair: -max((score for score, _ in pair[1]), default=0.0))
        chosen: dict[str, Match | str] = {}
        shared: dict[frozenset[Spot], float] = {}
        for leaf, options in scored:
            outcome = self._pick(leaf, options, shared)
            chosen[leaf.where] = outcome if isinstance(outcome, str) else outcome[1]
            if not isinstance(outcome, str) and not is_self_evident(leaf.value):
                shared[outcome[1].spots] = outcome[0]
        return chosen

    def _score_once(self, leaf: Leaf) -> list[Scored]:
        """Fields of one name and value, as in a table's column, are alike. Of many places the likeliest are enough."""
        key = (type(leaf.value), leaf.value, id(leaf.label))
        if key not in self._known:
            self._compared += len(self.matcher.find_all(leaf.value))
            # What stands in the most places comes last, and says the least.
            self._known[key] = self._score(leaf)[:MAX_MATCHES] if self._compared <= MAX_COMPARISONS else []
        return self._known[key]

    def _score(self, leaf: Leaf) -> list[Scored]:
        matches = self.matcher.find_all(leaf.value)
        if is_self_evident(leaf.value):
            matches = matches[:MAX_MATCHES]
        matches = [*matches, *self.matcher.find_against_order(leaf.value)]
        scored = [(self.labels.fit(leaf.label, match), match) for match in matches]
        return sorted(scored, key=lambda pair: (-pair[0], not pair[1].exact, pair[1].order))

    def _pick(self, leaf: Leaf, scored: list[Scored], shared: dict[frozenset[Spot], float]) -> Scored | str:
        outcome = self._pick_best(leaf, scored, shared)
        return outcome if isinstance(outcome, str) else self._join_repeats(outcome, scored)

    def _join_repeats(self, best: Scored, scored: Sequence[Scored]) -> Scored:
        """With the other places that are as good and say the same of the same, of which each would be right."""
        score, match = best
        near = (other for fit, other in scored if abs(score - fit) < MARGIN)
        match.repeats = tuple(
            other
            for other in near
            if other.spots != match.spots and not other.spots & self.taken and self._says_the_same(other, match)
        )[:MAX_REPEATS]
        return best

    def _pick_best(self, leaf: Leaf, scored: list[Scored], shared: dict[frozenset[Spot], float]) -> Scored | str:
        if not scored:
            return SEVERAL if self.matcher.find_all(leaf.value) else NO_MATCH
        if is_self_evident(leaf.value):
            return scored[0]
        options = [pair for pair in scored if not self._belongs_elsewhere(pair, shared)]
        if not options:
            return TAKEN
        best = options[0]
        if named := _find_hinted(leaf, options):
            return named
        rivals = [score for score, match in options[1:] if not self._says_the_same(match, best[1])]
        clear = not rivals or best[0] - rivals[0] >= MARGIN
        if best[1].kind == "answer":
            return best if best[0] >= CLEAR and clear else NO_CONTEXT
        # Where all rivals are fully labelled too, as with "Total" and "Nett total", each of them is a right answer.
        rivals = [score for score in rivals if best[0] - score < MARGIN]
        if best[0] >= CLEAR and (clear or min(rivals) >= FULL):
            return best
        if best[1].kind == "currency":
            return best
        if not is_unique_unlabelled(leaf.value):
            return NO_CONTEXT
        is_only = all(self._says_the_same(match, best[1]) for _, match in options[1:])
        if is_only or (best[0] >= SOME and clear):
            return best
        return SEVERAL

    def _belongs_elsewhere(self, pair: Scored, shared: dict[frozenset[Spot], float]) -> bool:
        score, match = pair
        if match.kind in ("text", "currency"):
            return False
        return bool(match.spots & self.taken) or shared.get(match.spots, -1.0) > score + MARGIN

    def _says_the_same(self, one: Match, other: Match) -> bool:
        """Whether a line, or a value with its label, is printed again: its place is then as good."""
        if one.span.page == other.span.page and one.lines[0] == other.lines[0]:
            return False
        if one.line_text == other.line_text:
            return True
        if one.kind in ("text", "date", "period"):
            return self.labels.read_roles(one) == self.labels.read_roles(other)
        return fold(one.quote) == fold(other.quote) and self.labels.read(one) == self.labels.read(other)


def _find_hinted(leaf: Leaf, options: Sequence[Scored]) -> Scored | None:
    """The only one on the lines that the model names, of those that are about as good as the best."""
    near = [pair for pair in options if options[0][0] - pair[0] < MARGIN and pair[1].kind != "answer"]
    hinted = [pair for pair in near if any(leaf.is_hinted(pair[1].page.number, line) for line in pair[1].lines)]
    return hinted[0] if len(hinted) == 1 else None
