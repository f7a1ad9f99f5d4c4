"""What a kind of bulk action says of itself: who may do it, with which arguments, and what it does to a document."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from django.db.models import QuerySet

from accounts.actor import Actor
from accounts.models import Role
from documents.models import BulkAction, BulkItem, Document, Extraction
from kit.errors import AppError, Invalid, NotFound, TooLarge
from kit.json_types import JsonObject

MAX_ITEMS = 100_000
# Documents that are named one by one; more are selected by a filter.
MAX_NAMED = 10_000
TOO_MANY = "{maximum:,} documents are the most of one bulk action of this kind. Narrow the filter, then go on."
IN_TRASH = "It is in the trash."


class LeftOut(AppError):
    """The action does not apply to this document, for the reason in the sentence."""


class ActionOver(AppError):
    """Nothing can be done to any further document, for the reason in the sentence."""


@dataclass(frozen=True)
class Change:
    """`undo` is what taking it back needs, None where there is no way back; the item ends with the last of `runs`.

    `note` is a sentence for the item.
    """

    undo: JsonObject | None = None
    runs: Sequence[Extraction] = ()
    note: str = ""


class BulkKind(ABC):
    kind: ClassVar[str]
    role: ClassVar[Role]
    # Whether it begins runs of a prompt, of which not all may be under way at once.
    runs: ClassVar[bool] = False
    # Whether several workers do its items at once, outside of transactions.
    is_shared: ClassVar[bool] = False
    # Whether a worker makes one thing of all of its items.
    is_whole: ClassVar[bool] = False
    # Whether what was changed since it was selected is left out.
    keeps_version: ClassVar[bool] = False
    max_documents: ClassVar[int] = MAX_ITEMS
    # The kind that takes it back.
    inverse: ClassVar[str] = ""
    # Whether something can be taken back also where its run has failed.
    undoes_failed: ClassVar[bool] = True
    # What it does, before and while it does it; `{name}` is that of the tag or prompt in its arguments.
    title: ClassVar[str]
    progress_title: ClassVar[str]

    @abstractmethod
    def apply(self, actor: Actor, item: BulkItem, arguments: JsonObject) -> Change:
        """Inside the transaction that also moves the item. Raises LeftOut, ActionOver or any other AppError."""

    def clean(self, actor: Actor, sent: JsonObject) -> JsonObject:
        """The arguments as they are kept. Raises Invalid or NotFound."""
        if sent:
            raise Invalid(f"A bulk action of kind {self.kind} takes no {', '.join(sent)}.")
        return {}

    def list_shown(self, arguments: JsonObject) -> JsonObject:
        """What of its arguments everybody in the organization may see."""
        return arguments

    def list_audited(self, arguments: JsonObject) -> JsonObject:
        """What of its arguments the audit log keeps."""
        return arguments

    def is_immediate(self, action: BulkAction) -> bool:
        """Whether nothing is left to do once the documents are settled."""
        return False

    def check_selection(self, action: BulkAction) -> None:
        """Whether it can be done with so many. Raises TooLarge."""
        if action.total_count > self.max_documents:
            raise TooLarge(TOO_MANY.format(maximum=self.max_documents), code="too_many")

    def estimate_micros(self, actor: Actor, documents: QuerySet[Document], arguments: JsonObject) -> int | None:
        """About what the runs that it begins cost; None where it begins none, or nobody can say."""
        return None

    def list_candidates(self, actor: Actor) -> QuerySet[Document, Document]:
        """What it may be asked for."""
        return Document.objects.for_org(actor.organization)

    def list_undoable(self, action: BulkAction) -> QuerySet[BulkItem, BulkItem]:
        """Its items of which something can be taken back."""
        return BulkItem.objects.filter(action=action, undo__isnull=False)

    def describe(self, arguments: JsonObject) -> str:
        return self.title.format(name=arguments.get("name", ""))

    def count_under_way(self, action: BulkAction) -> int:
        """Count the documents that are done, but have started something that still goes on."""
        return 0

    def describe_outcome(self, action: BulkAction) -> str:
        """Anything that the counts of one that has ended do not say."""
        return ""

    def describe_progress(self, arguments: JsonObject) -> str:
        return self.progress_title.format(name=arguments.get("name", ""))


def get_document(item: BulkItem) -> Document:
    """Of an item whose document was not moved to the trash meanwhile. Raises LeftOut."""
    if item.document.trashed_at is not None:
        raise LeftOut(IN_TRASH, code="in_trash")
    return item.document


def lock_unchanged(item: BulkItem) -> Document:
    """The document under its row lock, as it was selected or, for an undo, left. Raises LeftOut once it was changed."""
    document = Document.objects.select_for_update().filter(pk=item.document_id).first()
    if document is None:
        raise NotFound("Document not found")
    if isinstance(item.undo, dict) and document.version != item.undo.get("version"):
        raise LeftOut("Somebody has changed it since.", code="changed_since")
    return document


def read_id(sent: JsonObject, name: str) -> str:
    """The one argument of this name. Raises Invalid."""
    if set(sent) != {name} or not isinstance(sent[name], str):
        raise Invalid(f"This bulk action needs {name}, and nothing else.")
    return str(sent[name])
