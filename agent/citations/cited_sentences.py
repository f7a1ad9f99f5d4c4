"""The sentences of an answer that name lines, beside those lines: what they prove, and which pages they are of."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from agent.citations import citing
from agent.citations.aliases import ThreadAliases
from agent.citations.citing import MAX_NUMBER, CitedBlock
from agent.citations.computed_figures import ComputedFigures, list_computed
from agent.citations.labels import join_label
from agent.citations.sentences import Sentence
from agent.citations.statements.checking import Verdict, check_statement
from agent.citations.statements.entailment.gaps import NOTHING
from agent.citations.statements.proofs import Proof
from agent.citations.statements.sums import MAX_LINES
from agent.citations.statements.swaps import Clause, find_swapped
from agent.citations.statements.uncited import Source, is_bound, list_figures, look_for, make_name
from agent.citations.stored_values import StoredValues
from agent.models import Citation, Turn
from documents.reading.blocks import BlockId, parse_block_id

MAX_CLAUSES = 20
MAX_CHECKED = 200
# Before a name: “Schema Supplier”.
_KINDS = ("schema", "prompt", "tag", "field", "check")
IN_PARTS = "not each part of it is said by the lines behind it"
OWN = "the product computed or keeps {figures}, and no line that it names says so"


@dataclass(frozen=True)
class SeenPages:
    """Pages that a model has looked at as pictures, each by its reading and number, and in `words`."""

    words: str = ""
    pages: frozenset[tuple[str, int]] = frozenset()


class CitedSentences:
    """The cited sentences of an answer, with the lines that they name."""

    def __init__(self, turn: Turn, sentences: Sequence[Sentence], sources: Sequence[Source]) -> None:
        self.turn, self.sentences = turn, sentences
        self._definitions = [source for source in sources if source.is_definitions]
        self._own = [source for source in sources if source.is_own]
        self._asked = [source for source in sources if source.is_asked]
        self.aliases = ThreadAliases(turn.thread)
        self.bound = citing.list_bound(turn)
        # Most answers beside a document cite nothing.
        rows = citing.load_citations(turn.thread) if sentences else []
        earlier = [row for row in rows if row.turn.number < turn.number]
        own = [row for row in rows if row.turn_id == turn.pk and row.number in self.bound]
        self.citations = {row.number: row for row in (*earlier, *own)}
        names = dict.fromkeys(name for each in sentences[:MAX_CHECKED] for name in each.blocks)
        self.named = {name: self.aliases.find(name) for name in names}
        self.readings = {row.reading_id: row.reading for row in self.aliases.rows if row.reading}
        self.readings |= {row.reading_id: row.reading for row in self.citations.values()}
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
        by_reading: defaultdict[str, list[BlockId]] = defaultdict(list)
        # What it names beyond them proves nothing.
        for block_id in list(dict.fromkeys(block_ids))[:MAX_NUMBER]:
            by_reading[block_id.reading_id].append(block_id)
        return {
            block.block_id: block
            for reading_id, block_ids in by_reading.items()
            for block in citing.load_cited_blocks(self.readings[reading_id], block_ids)
        }

    def _list_block_ids(self, sentence: Sentence) -> dict[BlockId, str]:
        """The lines that it names, each with the words that a citation quotes."""
        cited = [self.citations[number] for number in sentence.numbers if number in self.citations]
        block_ids = {parse_block_id(each.block_id): each.cited_text for each in cited}
        named = (self.named.get(name) for name in sentence.blocks)
        return block_ids | {each: "" for each in named if each and each not in block_ids}

    def list_proofs(self, sentence: Sentence) -> Iterator[Proof]:
        for key in self._list_block_ids(sentence).items():
            if block := self.blocks.get(key[0]):
                self._proofs[key] = self._proofs.get(key) or self._build_proof(block, key[1])
                yield self._proofs[key]

    def may_rest_on(self, sentence: Sentence, seen: SeenPages) -> bool:
        """Whether it cites a page that was looked at, or none: another page has words to be checked by."""
        if not sentence.is_cited:
            return bool(seen.pages)
        return any((each.reading_id, each.place.page) in seen.pages for each in self._list_block_ids(sentence))

    def _build_proof(self, block: CitedBlock, quoted: str) -> Proof:
        """One for all sentences that name it: its words are looked through once."""
        name = self.document_names.get(block.block_id.reading_id, "")
        text = join_label(block.block_id.place, block.text, block.beside)
        return Proof(f"{text} {quoted}", name, self._name_beside(block), str(block.block_id.line))

    def check(self, sentence: Sentence) -> Verdict:
        verdict = self._check_clauses(sentence)
        return self._prove_by_values(sentence, verdict) if verdict.gap and not verdict.missing else verdict

    def _prove_by_values(self, sentence: Sentence, verdict: Verdict) -> Verdict:
        """Whether values that the product found on these lines say what the lines alone do not: the supplier."""
        clauses = sentence.clauses[:MAX_CLAUSES]
        parts = [
            Clause(each.statement, self._values.label(each.statement, list(self.list_proofs(each))))
            for each in (clauses if len(clauses) > 1 else [sentence])
        ]
        labelled = [proof for part in parts for proof in part.proofs]
        if not any(proof.label for proof in labelled):
            return verdict
        again = check_statement(sentence.statement, labelled, self._is_definition)
        return again if not (again.missing or again.gap or self._find_gap(parts)) else verdict

    @cached_property
    def _values(self) -> StoredValues:
        return StoredValues([reading for key, reading in self.readings.items() if key in self._list_readings()])

    def _list_readings(self) -> set[str]:
        return {block_id.reading_id for block_id in self.blocks}

    def _check_clauses(self, sentence: Sentence) -> Verdict:
        verdict = self._excuse_own(sentence, self._check_lines(sentence))
        clauses = [] if verdict.missing else sentence.clauses[:MAX_CLAUSES]
        if len(clauses) < 2:
            return verdict
        parts = [Clause(each.statement, list(self.list_proofs(each))) for each in clauses]
        if swapped := find_swapped(parts):
            return Verdict([swapped])
        return verdict if verdict.gap else replace(verdict, gap=self._find_gap(parts))

    def _check_lines(self, sentence: Sentence) -> Verdict:
        """By the lines that it names, and where a tool computed a figure of them by all that this comes from."""
        proofs = list(self.list_proofs(sentence))
        verdict = check_statement(sentence.statement, proofs, self._is_definition)
        for computed in self._list_computed_of(sentence, verdict):
            more = [*proofs, *self._list_proofs_of(computed, proofs)]
            again = check_statement(sentence.statement, more, self._is_definition)
            if len(more) > len(proofs) and not again.missing:
                return again
        return self._add_sums_of_clauses(sentence, verdict) if verdict.missing else verdict

    def _add_sums_of_clauses(self, sentence: Sentence, verdict: Verdict) -> Verdict:
        """A number may come of the lines right behind it, where the sentence names others for what it says before."""
        clauses = sentence.clauses[:MAX_CLAUSES]
        checked = [check_statement(each.statement, [*self.list_proofs(each)], self._is_definition) for each in clauses]
        sums = [each for part in checked for each in part.sums if each.result in verdict.missing]
        missing = [each for each in verdict.missing if each not in {each.result for each in sums}]
        gap = "" if missing or not any(part.missing for part in checked) else IN_PARTS
        return replace(verdict, missing=missing, sums=[*verdict.sums, *sums], gap=gap or verdict.gap)

    def _list_computed_of(self, sentence: Sentence, verdict: Verdict) -> Iterator[ComputedFigures]:
        """List what says a missing figure, and rests on a line that the sentence names."""
        figures = [fact for fact in list_figures(sentence.statement) if fact.written in verdict.missing]
        cited = {str(each.line) for each in self._list_block_ids(sentence)}
        for computed in self._computed if figures else ():
            is_said = any(fact.is_said_by(computed.figures) for fact in figures)
            if is_said and not cited.isdisjoint(str(each.line) for each in self._find_lines(computed)):
                yield computed

    @cached_property
    def _computed(self) -> list[ComputedFigures]:
        return list_computed(self.turn)

    def _find_lines(self, computed: ComputedFigures) -> list[BlockId]:
        """As many as can be added up."""
        return [block for name in sorted(computed.lines)[:MAX_LINES] if (block := self.aliases.find(name))]

    def _list_proofs_of(self, computed: ComputedFigures, beside: Sequence[Proof]) -> Iterator[Proof]:
        """Read its lines that are not beside."""
        named = {proof.block_id for proof in beside}
        for block_id in self._find_lines(computed):
            if str(block_id.line) not in named:
                reading = self.aliases.get_reading(block_id)
                yield from (self._build_proof(block, "") for block in citing.load_cited_blocks(reading, [block_id]))

    def _excuse_own(self, sentence: Sentence, verdict: Verdict) -> Verdict:
        """Take what the product computed or keeps for no invention, nor for proven by a line that does not say it."""
        figures = [fact for fact in list_figures(sentence.statement) if fact.written in verdict.missing]
        if not figures:
            return verdict
        nowhere = look_for(figures, [each.figures for each in self._computed], self._own).nowhere
        asked = [fact for fact in figures if is_bound(fact)]
        nowhere -= set(asked) - look_for(asked, [], self._asked).nowhere
        own = {fact.written for fact in figures if fact not in nowhere}
        missing = [each for each in verdict.missing if each not in own]
        gap = "" if missing or not own else OWN.format(figures=", ".join(sorted(own)))
        return replace(verdict, missing=missing, gap=gap or verdict.gap)

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
        cited = self._list_readings()
        return frozenset(row.document_id for key, row in self.readings.items() if key in cited)

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
