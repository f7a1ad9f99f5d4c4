"""Documents and tags for bulk actions, and a worker that goes on until nothing is left."""

from __future__ import annotations

from django.utils import timezone

from accounts.actor import Actor
from documents import bulk
from documents.models import BulkAction, Document, Extraction, Reservation, Tag, Usage
from kit.json_types import JsonObject


def make_documents(actor: Actor, number: int) -> list[Document]:
    return [
        Document.objects.create(
            organization=actor.organization, name=f"{at}.txt", sha256=f"{at}", size=1, file="x", uploaded_by=actor.user
        )
        for at in range(number)
    ]


def make_tag(actor: Actor, name: str = "Invoices") -> Tag:
    return Tag.objects.create(organization=actor.organization, name=name)


def ask(actor: Actor, kind: str, documents: list[Document], **arguments: JsonObject | str | bool) -> BulkAction:
    rows = Document.objects.filter(pk__in=[document.pk for document in documents])
    return bulk.create(actor, kind=kind, arguments=arguments, documents=rows)


def work(action: BulkAction) -> BulkAction:
    """As workers do, until there is nothing to do."""
    while bulk.run_next(holder="test"):
        pass
    action.refresh_from_db()
    return action


def list_reasons(action: BulkAction) -> list[tuple[str, str]]:
    """Of its items in order: status and the code of the reason."""
    return list(action.items.order_by("pk").values_list("status", "code"))


def add_usage(actor: Actor, run: Extraction, cost_micros: int) -> None:
    about = {"organization": actor.organization, "purpose": "extraction", "subject_id": run.pk, "model": "m"}
    reservation = Reservation.objects.create(**about, estimate_micros=cost_micros, expires_at=timezone.now())
    Usage.objects.create(**about, reservation=reservation, cost_micros=cost_micros)
