"""The check of an answer before it is shown: which of its sentences the lines that they name do not prove."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Literal, NotRequired, TypedDict

from agent.citations import citing
from agent.citations.aliases import ThreadAliases
from agent.citations.citing import MAX_NUMBER, CitedBlock
from agent.citations.labels import join_label
from agent.citations.sentences import Sentence, list_sentences, speaks_of_documents
from agent.citations.statements.checking import State, Verdict, check_statement
from agent.citations.statements.entailment.gaps import NOTHING
from agent.citations.statements.negations import denies_all_documents, denies_documents
from agent.citations.statements.proofs import Proof
from agent.citations.statements.sums import SumPart
from agent.citations.statements.swaps import Clause, find_swapped
from agent.citations.statements.uncited import Fact, Lookup, Source, list_facts, look_for, make_name
from agent.models import Citation, Turn
from documents.reading.blocks import BlockId, parse_block_id

MAX_CLAUSES = 20
MAX_NAMED, MAX_MISSING = 20, 300
MAX_CHECKED = 200
SEEN = "it rests on the picture of {pages} at most, where no such words could be read"
NOT_ALL_READ = "it says what no document does, and not all of them were read for it"
TOO_MANY = f"no more than {MAX_CHECKED} sentences of an answer are checked"
# Before a name: “Schema Supplier”.
_KINDS = ("schema", "prompt", "tag", "field", "check")
CHECKED = "[A check without a person:"
"""How the message begins that asks for an answer again, with proof."""
REPAIR = (
    f"{CHECKED} these sentences of your answer are not proven by the lines that they name.\n{{list}}\n"
    "Read what is missing and cite it, or change the sentence to what the lines say, or leave it out. Then give the "
    "whole answer again, without a word about this check.]"
)


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
    def repair(self) -> str:
        """What the model is asked, once; empty where all is proven, or where asking would not help."""
        lines = [
            f"- “{each.text.strip()[:300]}” Not found: {'; '.join(verdict.missing)[:MAX_MISSING]}"
            for each, verdict in self.verdicts
            if verdict.missing and verdict.asks_again
        ]
        return REPAIR.format(list="\n".join(lines[:MAX_NAMED])) if lines and self.may_repair else ""

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
    name_seen: Callable[[], str] = str,
    has_read_all: Callable[[], bool] = bool,
    may_repair: bool = True,
) -> Review | None:
    """None for an answer that states nothing to look for. Reads pages, so call it outside of a transaction.

    `sources` are where the facts of a sentence that names no line may stand. `name_seen` gives the pages that the model
    has looked at as pictures in this turn. `has_read_all`: whether it was shown all of its documents, as a sentence
    needs that says what none of them does.
    """
    sentences = list_sentences(text)
    cited = [each for each in sentences if each.is_cited]
    facts = [(each, list_facts(each.statement)) for each in sentences if not each.is_cited][:MAX_CHECKED]
    speaks = any(map(speaks_of_documents, sentences))
    if not (cited or speaks or any(stated for _, stated in facts)):
        return None
    reviewed = _Reviewed(turn, cited, sources)
    has_read_all = cache(has_read_all)
    verdicts = [(each, _require_full_pass(each, reviewed.check(each), has_read_all)) for each in cited[:MAX_CHECKED]]
    verdicts += [(each, Verdict(gap=TOO_MANY)) for each in cited[MAX_CHECKED:]]
    lookup = look_for((fact for _, stated in facts for fact in stated), reviewed.proofs, sources)
    verdicts += [(each, _judge_uncited(each, lookup, stated, has_read_all)) for each, stated in facts]
    seen = name_seen() if any(verdict.missing for _, verdict in verdicts) else ""
    verdicts = [
        (each, _weaken(verdict, seen)) for each, verdict in verdicts if each.is_cited or verdict.missing or verdict.gap
    ]
    if not (verdicts or lookup.of_documents or speaks):
        return None
    verdicts.sort(key=lambda pair: pair[0].start)
    return Review(verdicts, reviewed.number_named(), reviewed.list_documents(), reviewed.bound, may_repair)


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


def _weaken(verdict: Verdict, seen: str) -> Verdict:
    """Where a picture was looked at, what no words say may stand in that."""
    if not (verdict.missing and seen):
        return verdict
    return Verdict(sums=verdict.sums, gap=SEEN.format(pages=seen))


class _Reviewed:
    def __init__(self, turn: Turn, sentences: Sequence[Sentence], sources: Sequence[Source]) -> None:
        self.turn, self.sentences = turn, sentences
        self._definitions = [source for source in sources if source.is_definitions]
        self.aliases = ThreadAliases(turn.thread)
        self.bound = citing.list_bound(turn)
        # Most answers beside a document cite nothing.
        rows = citing.load_citations(turn.thread) if sentences else []
        earlier = [row for row in rows if row.turn.number < turn.number]
        own = [row for row in rows if row.turn_id == turn.pk and row.number in self.bound]
        self.citations = {row.number: row for row in (*earlier, *own)}
        names = dict.fromkeys(name for each in sentences[:MAX_CHECKED] for name in each.blocks)
        self.named = {name: self.aliases.find(name) for name in names}
        self.blocks = self._load_blocks()
        self.document_names = {row.reading_id: row.reading.document.name for row in self.aliases.rows if row.reading}
        self._proofs: dict[tuple[BlockId, str], Proof] = {}

    @property
    def proofs(self) -> list[Proof]:
        return list(self._proofs.values())

    def _load_blocks(self) -> dict[BlockId, CitedBlock]:
        cited = [
            self.citations[number] for each in self.sentences for number in each.numbers if number in self.citations
        ]
        block_ids = [
            *(each for each in self.named.values() if each),
            *(parse_block_id(each.block_id) for each in cited),
        ]
        readings = {row.reading_id: row.reading for row in self.aliases.rows if row.reading}
        readings |= {row.reading_id: row.reading for row in cited}
        by_reading: defaultdict[str, list[BlockId]] = defaultdict(list)
        # What it names beyond them proves nothing.
        for block_id in list(dict.fromkeys(block_ids))[:MAX_NUMBER]:
            by_reading[block_id.reading_id].append(block_id)
        return {
            block.block_id: block
            for reading_id, block_ids in by_reading.items()
            for block in citing.load_cited_blocks(readings[reading_id], block_ids)
        }

    def list_proofs(self, sentence: Sentence) -> Iterator[Proof]:
        cited = [self.citations[number] for number in sentence.numbers if number in self.citations]
        quoted: dict[BlockId, str] = {parse_block_id(each.block_id): each.cited_text for each in cited}
        named = (self.named.get(name) for name in sentence.blocks)
        for block_id in dict.fromkeys([*quoted, *(each for each in named if each)]):
            if block := self.blocks.get(block_id):
                key = block_id, quoted.get(block_id, "")
                self._proofs[key] = self._proofs.get(key) or self._build_proof(block, key[1])
                yield self._proofs[key]

    def _build_proof(self, block: CitedBlock, quoted: str) -> Proof:
        """One for all sentences that name it: its words are looked through once."""
        name = self.document_names.get(block.block_id.reading_id, "")
        text = join_label(block.block_id.place, block.text, block.beside)
        return Proof(f"{text} {quoted}", name, self._name_beside(block), str(block.block_id.line))

    def check(self, sentence: Sentence) -> Verdict:
        verdict = check_statement(sentence.statement, list(self.list_proofs(sentence)), self._is_definition)
        clauses = [] if verdict.missing else sentence.clauses[:MAX_CLAUSES]
        if len(clauses) < 2:
            return verdict
        parts = [Clause(each.statement, list(self.list_proofs(each))) for each in clauses]
        if swapped := find_swapped(parts):
            return Verdict([swapped])
        return verdict if verdict.gap else replace(verdict, gap=self._find_gap(parts))

    def _find_gap(self, clauses: Sequence[Clause]) -> str:
        """Each clause has to be proven by what stands behind it: words change places as numbers do."""
        gaps = (check_statement(each.text, each.proofs, self._is_definition).gap for each in clauses)
        return next((gap for gap in gaps if gap not in ("", NOTHING)), "")

    def _is_definition(self, name: str) -> bool:
        """Whether it names a schema, a field or the like, and so nothing that a line would have to say."""
        first, _, rest = name.partition(" ")
        facts = [make_name(each) for each in (name, rest if first.lower() in _KINDS else "") if each]
        return len(look_for(facts, (), self._definitions).nowhere) < len(facts)

    def list_documents(self) -> frozenset[str]:
        readings = {block_id.reading_id for block_id in self.blocks}
        return frozenset(
            row.reading.document_id for row in self.aliases.rows if row.reading and row.reading_id in readings
        )

    def _name_beside(self, block: CitedBlock) -> dict[str, str]:
        read = set(self.aliases.list_lines(block.block_id))
        return {
            self.aliases.name(block.block_id._replace(place=place)): text
            for place, text in block.beside.items()
            if place.line in read
        }

    def number_named(self) -> dict[int, CitedBlock]:
        """A number for each block that the answer names itself and that has none yet in this turn."""
        own: dict[BlockId, Citation] = {
            parse_block_id(row.block_id): row for row in self.citations.values() if row.turn_id == self.turn.pk
        }
        taken = {row.number for row in own.values()} | {number for each in self.sentences for number in each.numbers}
        free = (number for number in range(1, MAX_NUMBER + 1) if number not in taken)
        named = {each.line: self.blocks[each] for each in self.named.values() if each and each in self.blocks}
        fresh = [block for line, block in named.items() if line not in own]
        return dict(zip(free, fresh, strict=False))
