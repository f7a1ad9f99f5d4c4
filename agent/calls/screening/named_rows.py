"""The documents that arguments or a result name: by their ids, those of their readings and values, or by block ids."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from agent.citations.aliases import ALIAS
from agent.models import ReadingAlias, Thread
from documents.models import Document, Extraction, Reading

_ID = re.compile(r"(?<![0-9a-f])[0-9a-f]{24}(?![0-9a-f])")


@dataclass(frozen=True)
class NamedRows:
    """To each id, and each number of an alias, the id of the document that it belongs to."""

    ids: dict[str, str]
    aliases: dict[int, str]
    documents: Mapping[str, Document] = field(default_factory=dict)
    """Documents that are named by their own ids, with their types."""

    @property
    def document_ids(self) -> Collection[str]:
        return {*self.ids.values(), *self.aliases.values()}

    def list_named(self, text: str) -> set[str]:
        """The documents that a text names."""
        ids = (self.ids.get(each) for each in _ID.findall(text))
        aliases = (self.aliases.get(int(each[1])) for each in ALIAS.finditer(text))
        return {each for each in (*ids, *aliases) if each}


def find_named(thread: Thread, value: object) -> NamedRows:
    """A statement for each kind of row, and none where the value has no id."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    ids, numbers = set(_ID.findall(text)), {int(each[1]) for each in ALIAS.finditer(text)}
    documents = _read_documents(thread, ids) if ids else {}
    owners = {row_id: row_id for row_id in documents}
    for rows in (Reading.objects.all(), Extraction.objects.all()):
        if left := ids - set(owners):
            owners |= dict(rows.for_org(thread.organization).filter(pk__in=left).values_list("pk", "document"))
    return NamedRows(owners, _read_aliases(thread, numbers) if numbers else {}, documents)


def _read_documents(thread: Thread, ids: Collection[str]) -> dict[str, Document]:
    rows = Document.objects.filter(organization=thread.organization_id, pk__in=ids)
    rows = rows.select_related("document_type").only("organization", "name", "document_type")
    return {row.pk: row for row in rows}


def _read_aliases(thread: Thread, numbers: Collection[int]) -> dict[int, str]:
    aliases = ReadingAlias.objects.filter(thread=thread, number__in=numbers)
    return dict(aliases.values_list("number", "reading__document"))
