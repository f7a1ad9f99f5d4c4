"""The check of an answer before it is shown: which of its sentences the lines that they name do not prove."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Literal, NotRequired, TypedDict

from agent.citations import citing
from agent.citations.cited_sentences import MAX_CHECKED, CitedSentences, SeenPages
from agent.citations.citing import CitedBlock
from agent.citations.repairs import MAX_MISSING, MAX_NAMED, write_request
from agent.citations.sentences import Sentence, list_sentences, speaks_of_documents
from agent.citations.statements.checking import State, Verdict
from agent.citations.statements.negations import denies_all_documents, denies_documents
from agent.citations.statements.sums import SumPart
from agent.citations.statements.uncited import Fact, Lookup, Source, list_facts, look_for
from agent.models import Turn

SEEN = "it rests on the picture of {pages} at most, where no such words could be read"
NOT_ALL_READ = "it says what no document does, and not all of them were read for it"
TOO_MANY = f"no more than {MAX_CHECKED} sentences of an answer are checked"


class Coverage(TypedDict):
    """How many documents an answer names, how many its turn has read, whole or in part, and of how many, where that is
    known. Answers of before say nothing of parts.
    """

    cited: int
    read: int
    documents: int | None
    in_part: NotRequired[int]


class AddedUp(TypedDict):
    """A sum of the answer; each part is the whole block id of a line, + or −, and the number as it stands there.
    `note`: its currency."""

    result: str
    parts: list[SumPart]
    note: NotRequired[str]


class CheckedBlock(TypedDict):
    """Of a message: the places of its unproven sentences and what of each was not found; its sums, behind which places
    they are written out and where they come from; and its coverage in a thread about no single document. `not_checked`
    are the places of sentences of which nobody can say whether they are proven, and why; `nothing_read` says that it
    tells of documents and its turn has read none.
    """

    type: Literal["checked", "on_the_way"]
    unsupported: list[list[int]]
    missing: list[str]
    sums: list[tuple[int, str]]
    added_up: list[AddedUp]
    coverage: Coverage | None
    not_checked: NotRequired[list[list[int]]]
    not_checked_because: NotRequired[list[str]]
    nothing_read: NotRequired[bool]


@dataclass
class Review:
    """`named` are blocks that the answer names itself, with the number that each gets; `documents` the ids of all that
    it names. `bound` are the numbers that the model gave itself in this turn."""

    verdicts: list[tuple[Sentence, Verdict]] = field(default_factory=list)
    named: dict[int, CitedBlock] = field(default_factory=dict)
    documents: frozenset[str] = frozenset()
    bound: frozenset[int] = frozenset()
    may_repair: bool = True
    coverage: Coverage | None = None
    nothing_read: bool = False
    is_on_the_way: bool = False

    @property
    def block(self) -> CheckedBlock:
        unproven = [(each, verdict.missing) for each, verdict in self.verdicts if verdict.missing]
        open_ones = [(each, verdict.gap) for each, verdict in self.verdicts if verdict.state is State.NOT_CHECKED]
        if self.is_on_the_way:  # where no line that is named is shown as a proof
            open_ones = [(each, gap) for each, gap in open_ones if not each.is_cited]
        computed = [(each, verdict.sums) for each, verdict in self.verdicts if verdict.sums]
        return {
            "type": "on_the_way" if self.is_on_the_way else "checked",
            "unsupported": [[each.start, each.end] for each, _ in unproven],
            "missing": ["; ".join(missing)[:MAX_MISSING] for _, missing in unproven],
            "sums": [(each.end, "; ".join(map(str, sums))) for each, sums in computed],
            "added_up": [
                {"result": each.result, "parts": [*each.parts], "note": each.note}
                for _, sums in computed
                for each in sums
            ],
            "coverage": self.coverage,
            "not_checked": [[each.start, each.end] for each, _ in open_ones],
            "not_checked_because": [gap[:MAX_MISSING] for _, gap in open_ones],
            "nothing_read": self.nothing_read,
        }

    @property
    def _to_repair(self) -> list[tuple[Sentence, Verdict]]:
        """The sentences of which asking may help, as many as are asked for at once."""
        asked = [(each, verdict) for each, verdict in self.verdicts if verdict.missing and verdict.asks_again]
        return asked[:MAX_NAMED] if self.may_repair else []

    @property
    def repair(self) -> str:
        """The request for its unproven sentences; empty where all is proven, or where asking would not help."""
        return write_request([(each.text, verdict.missing) for each, verdict in self._to_repair])

    @property
    def repair_spans(self) -> list[list[int]]:
        """Where the sentences begin and end that it asks for."""
        return [[each.start, each.end] for each, _ in self._to_repair]

    def store(self, turn: Turn) -> None:
        """In place of the numbers of an answer that this one repairs. Words on the way have none."""
        if self.is_on_the_way:
            return
        turn.citations.exclude(number__in=self.bound).delete()
        for number, block in self.named.items():
            citing.store(turn, number=number, block_id=block.block_id, box=block.box, cited_text=block.text)


def review_answer(
    turn: Turn,
    text: str,
    *,
    sources: Sequence[Source] = (),
    find_seen: Callable[[], SeenPages] = SeenPages,
    has_read_all: Callable[[], bool] = bool,
    may_repair: bool = True,
) -> Review | None:
    """None for an answer that states nothing to look for. Reads pages, so call it outside of a transaction.

    `sources` are where the facts of a sentence that names no line may stand. `find_seen` gives the pages that the model
    has looked at as pictures in this turn. `has_read_all`: whether it was shown all of its documents, as a sentence
    needs that says what none of them does.
    """
    sentences = list_sentences(text)
    cited = [each for each in sentences if each.is_cited]
    facts = [(each, _list_claims(each)) for each in sentences if not each.is_cited][:MAX_CHECKED]
    speaks = any(map(speaks_of_documents, sentences))
    if not (cited or speaks or any(stated for _, stated in facts)):
        return None
    reviewed = CitedSentences(turn, cited, sources)
    has_read_all = cache(has_read_all)
    verdicts = [(each, _require_full_pass(each, reviewed.check(each), has_read_all)) for each in cited[:MAX_CHECKED]]
    verdicts += [(each, Verdict(gap=TOO_MANY)) for each in cited[MAX_CHECKED:]]
    lookup = look_for((fact for _, stated in facts for fact in stated), reviewed.proofs, sources)
    verdicts += [(each, _judge_uncited(each, lookup, stated, has_read_all)) for each, stated in facts]
    seen = find_seen() if any(verdict.missing for _, verdict in verdicts) else SeenPages()
    verdicts = [
        (each, _weaken(verdict, seen) if reviewed.may_rest_on(each, seen) else verdict)
        for each, verdict in verdicts
        if each.is_cited or verdict.missing or verdict.gap
    ]
    if not (verdicts or lookup.of_documents or speaks):
        return None
    verdicts.sort(key=lambda pair: pair[0].start)
    return Review(verdicts, reviewed.number_named(), reviewed.list_documents(), reviewed.bound, may_repair)


def _list_claims(sentence: Sentence) -> list[Fact]:
    """Its facts; an offer to a person claims nothing, and another question no more than figures."""
    facts = [] if sentence.is_offer else list_facts(sentence.statement)
    return [fact for fact in facts if not (sentence.is_question and fact.is_words)]


def _require_full_pass(sentence: Sentence, verdict: Verdict, has_read_all: Callable[[], bool]) -> Verdict:
    """No line proves what none of the documents says: only reading all of them does."""
    if verdict.missing or verdict.gap or not denies_all_documents(sentence.statement) or has_read_all():
        return verdict
    return replace(verdict, gap=NOT_ALL_READ)


def _judge_uncited(
    sentence: Sentence, lookup: Lookup, facts: Sequence[Fact], has_read_all: Callable[[], bool]
) -> Verdict:
    """A name alone may be of general knowledge: it is marked, but not worth a round."""
    why = lookup.explain(facts)
    if not why and denies_documents(sentence.statement) and not has_read_all():
        return Verdict(gap=NOT_ALL_READ)
    missing = [fact for fact in facts if fact in lookup.nowhere | lookup.unnamed]
    return Verdict([why] if why else [], asks_again=not all(fact.is_name for fact in missing))


def _weaken(verdict: Verdict, seen: SeenPages) -> Verdict:
    """Where a picture was looked at, what no words say may stand in that."""
    return Verdict(sums=verdict.sums, gap=SEEN.format(pages=seen.words)) if verdict.missing else verdict
