"""Candidates for a reference: the object, and why it fits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from django.db.models import Model, QuerySet

from accounts.actor import Actor
from agent import focus
from agent.models import FocusItem, Thread
from agent.toolkit.chosen_documents import select_chosen
from agent.toolkit.registry import ToolContext
from documents.models import Document

VALUE = "value"
KINDS = (*focus.MODELS, VALUE)
MAX_CANDIDATES = 5


@dataclass(frozen=True)
class Candidate:
    """`kind` is document, schema, prompt, tag or value. `row_id` and `name` are those of the object, or of the document
    that has the value; `path` and `value` are those of a value, `revision_id` is that of a version that is meant.
    """

    kind: str
    row_id: str
    name: str
    why: str
    path: str = ""
    value: str | int | float = ""
    revision_id: str = ""


@dataclass(frozen=True)
class Resolution:
    """`is_exact` is false where names are only alike. `more`: how many fit beside the candidates, at least.

    `note` says why nothing fits, where that is more than that nothing does.
    """

    candidates: Sequence[Candidate] = ()
    is_exact: bool = True
    more: int = 0
    note: str = ""


@dataclass
class Asker:
    """An actor in a thread, with all that they may see. `in_trash`: only what lies in the trash."""

    context: ToolContext
    kinds: Sequence[str] = KINDS
    in_trash: bool = False

    @property
    def actor(self) -> Actor:
        return self.context.actor

    @property
    def thread(self) -> Thread:
        return self.context.thread

    def list_rows(self, kind: str) -> QuerySet[Model]:
        if not self.in_trash:
            return focus.MODELS[kind].objects.for_org(self.actor.organization)
        rows: QuerySet[Model] = focus.MODELS[kind].objects.filter(organization=self.actor.organization)
        return rows.none() if kind == "tag" else rows.filter(trashed_at__isnull=False)  # tags have no trash

    @cached_property
    def documents(self) -> QuerySet[Document]:
        """Only some where the person chose them for the message."""
        organization = self.actor.organization
        if self.in_trash:
            return Document.objects.filter(organization=organization, trashed_at__isnull=False)
        rows: QuerySet[Document] = Document.objects.for_org(organization)
        return rows.filter(pk__in=self._chosen.values("pk")) if self._chosen is not None else rows

    @property
    def is_narrowed(self) -> bool:
        return self.in_trash or self._chosen is not None

    @cached_property
    def focus(self) -> list[FocusItem]:
        return focus.list_items(self.thread)

    @cached_property
    def listed(self) -> list[FocusItem]:
        return focus.list_named_together(self.thread)

    @cached_property
    def _chosen(self) -> QuerySet[Document] | None:
        return None if self.in_trash else select_chosen(self.context)
