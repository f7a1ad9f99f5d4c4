"""Values that the product keeps with the line that each was found on: its field says what the line alone may not."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from agent.citations.statements.proofs import Proof
from agent.citations.statements.words.content_words import list_content_words, says_word
from agent.citations.statements.words.ordinary_words import list_languages
from documents.extractions import list_newest_runs
from documents.extractions.proof_notes import list_found
from documents.models import Reading
from documents.values import Stored
from printed.dates import parse_dates
from printed.folding import split_names
from printed.references.reference_words import find_field, list_field_names

MAX_READINGS = 50
# Alone these do not say of what.
_GENERAL = frozenset(
    ["name", "id", "no", "nr", "number", "code", "value", "text", "title", "address", "date", "amount"]
)


@dataclass(frozen=True)
class StoredValue:
    value: Stored
    words: str
    """Its field is called by these."""

    def stands_in(self, statement: Proof) -> bool:
        if isinstance(self.value, str):
            days = parse_dates(self.value)
            return bool(days & statement.days) or statement.says_words(self.value)
        is_number = isinstance(self.value, int | float) and not isinstance(self.value, bool)
        return is_number and statement.says_number({Decimal(str(self.value))})

    def list_names_in(self, statement: str) -> list[str]:
        """The words by which the statement names its field."""
        languages = tuple(list_languages(statement))
        meanings = Proof(self.words).meanings
        return [word for word in list_content_words(statement) if says_word(word, languages, meanings)]


class StoredValues:
    """Read from the newest runs of the documents that an answer cites, where they rest on these very readings."""

    def __init__(self, readings: Iterable[Reading]) -> None:
        self._by_line: defaultdict[str, list[StoredValue]] = defaultdict(list)
        known = {reading.pk: reading for reading in list(readings)[:MAX_READINGS]}
        runs = list_newest_runs([reading.document_id for reading in known.values()])
        for run in runs.filter(reading__in=known):
            for path, value, line in list_found(run):
                self._by_line[f"{run.reading_id}.{line}"].append(StoredValue(value, _name_field(path)))

    def label(self, statement: str, proofs: Sequence[Proof]) -> list[Proof]:
        """The lines, labelled with the one field that the statement names and has the value of.

        Where it names several fields nobody knows which of them it says a value of.
        """
        stated = Proof(statement)
        values = {proof.block_id: self._by_line.get(proof.block_id, []) for proof in proofs}
        named = [
            (block_id, each, " ".join(names))
            for block_id, kept in values.items()
            for each in kept
            if each.stands_in(stated) and (names := each.list_names_in(statement))
        ]
        if len({each.words for _, each, _ in named}) != 1:
            return list(proofs)
        labels = {block_id: f"{names}: {each.value}" for block_id, each, names in named}
        return [replace(proof, label=labels.get(proof.block_id, "")) for proof in proofs]


def _name_field(path: str) -> str:
    names = [name for name in path.split(".") if not name.isdecimal()]
    words = split_names(names[-1])
    if _GENERAL.issuperset(words):
        words = [*split_names(names[-2]), *words] if len(names) > 1 else words
    return " ".join(dict.fromkeys([*words, *_list_synonyms(path)]))


def _list_synonyms(path: str) -> Iterator[str]:
    """Labels of one word: those of several say who does it to whom, as “sold by” and “sold to” do."""
    yield from (label for label in list_field_names(find_field(path)) if " " not in label)
