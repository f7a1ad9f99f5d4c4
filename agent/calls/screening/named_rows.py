"""The documents that arguments or a result name: by their ids, those of their readings and values, or by block ids."""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from dataclasses import dataclass

from agent.citations.aliases import ALIAS
from agent.models import ReadingAlias, Thread
from documents.models import Document, Extraction, Reading

_ID = re.compile(r"(?<![0-9a-f])[0-9a-f]{24}(?![0-9a-f])")


@dataclass(frozen=True)
class NamedRows:
    """To each id, and each number of an alias, the id of the document that it belongs to."""

    ids: dict[str, str]
    aliases: dict[int, str]

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
    owners: dict[str, str] = {}
    if ids:
        documents = Document.objects.filter(organization=thread.organization_id, pk__in=ids)
        owners = {row_id: row_id for row_id in documents.values_list("pk", flat=True)}
    for rows in (Reading.objects.all(), Extraction.objects.all()):
        if left := ids - set(owners):
            owners |= dict(rows.for_org(thread.organization).filter(pk__in=left).values_list("pk", "document"))
    aliases = ReadingAlias.objects.filter(thread=thread, number__in=numbers) if numbers else ReadingAlias.objects.none()
    return NamedRows(owners, dict(aliases.values_list("number", "reading__document")))
