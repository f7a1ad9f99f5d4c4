"""What the layout walk looks at: demo data, and beside it the hardest of everything. Runs inside the product."""

from __future__ import annotations

import json
from pathlib import Path

from django.core.files.base import ContentFile
from django.test import Client

from accounts.access import enter
from accounts.actor import Actor
from accounts.models import AccessToken, Connection, Invitation, Organization, User
from agent.conversation import threads
from agent.models import Thread
from agent.turns import turns
from documents.definitions import schemas, tags
from documents.intake import uploads
from documents.management import demo
from documents.models import Document, Extraction, Prompt, PromptRevision
from documents.values import add_row_ids
from kit.rows.models import fold_case
from tests.documents.reader_files import pdf, text_at
from tests.oauth_client import Program
from tests.rows import one_of_each

UNBROKEN = "Sammelrechnung_der_Donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunterbeamtengesellschaft"
SPACED = "Invoice of the Northern Regional Cooperative for Agricultural Machinery, second reminder with attachments"
PERSON = "Maximiliane Aurelia von der Hohenschwangau-Leuchtenberg"
ROWS, MANY_PAGES = 200, 200
COLUMNS = {"description": "string", "quantity": "number", "unit_price": "number", "amount": "number"}


def fill() -> None:
    """Prints the ids of what was made as one line of JSON: one of each model by its name, and the hard ones."""
    user = User.objects.get(is_superuser=True)
    User.objects.filter(pk=user.pk).update(name=PERSON)
    actor = enter(user, Organization.objects.get().pk)
    for _ in demo.seed_rows(actor, documents=200, prompt_revisions=120, tags=40):
        pass
    many_tags = [tags.create(actor, name=f"{SPACED[:40]} {number}", color="#2f7f86").pk for number in range(12)]
    long = _store(actor, f"{UNBROKEN}_{UNBROKEN}"[:200] + ".pdf", 6, many_tags)
    many = _store(actor, f"{SPACED}.pdf", MANY_PAGES, many_tags[:3])
    _tag_newest(actor, many_tags)
    api = Path(__file__).resolve().parent.parent / "data/campaigns.yaml"
    nested = uploads.store(actor, name="campaigns.yaml", content=ContentFile(api.read_bytes()))
    table = _table(actor, Document.objects.for_org(actor.organization).filter(state="llm_completed")[0])
    thread = _thread(actor, table)
    each = {model.__name__: row.pk for model, row in one_of_each(actor).items()}
    AccessToken.objects.filter(pk=each["AccessToken"]).update(name=SPACED)
    Invitation.objects.filter(pk=each["Invitation"]).update(email=f"{UNBROKEN[:64]}@{UNBROKEN[:60]}.example".lower())
    client = Connection.objects.get(pk=each["Connection"]).client
    client.name = UNBROKEN[:100]
    client.save()
    consent = Program(Client(), client.client_id).address().partition("?")[2]
    hard = {"consent": consent, "long": long.pk, "many": many.pk, "table": table.pk}
    hard |= {"thread": thread.pk, "nested": nested.pk}
    print(json.dumps({**each, **hard}))


def _store(actor: Actor, name: str, pages: int, tag_ids: list[str]) -> Document:
    return uploads.store(actor, name=name, content=ContentFile(numbered_pages(pages)), tag_ids=tag_ids)


def numbered_pages(count: int) -> bytes:
    """A4 pages, each of which says its number, in enough words that nothing has to be recognized."""
    texts = [text_at(60, 760, f"This is page {number} of {count} of a long document") for number in range(1, count + 1)]
    return pdf(texts, page="/MediaBox [0 0 595 842]")


def _tag_newest(actor: Actor, tag_ids: list[str]) -> None:
    for at, document in enumerate(Document.objects.for_org(actor.organization).order_by("-created_at")[:20]):
        document.tags.set(tag_ids[: at % 5])
    prompt = Prompt.objects.for_org(actor.organization).select_related("latest").first()
    assert prompt is not None
    assert prompt.latest is not None
    prompt.latest.tags.set(tag_ids)
    Prompt.objects.filter(pk=prompt.pk).update(name=SPACED, name_folded=fold_case(SPACED))


def _table(actor: Actor, document: Document) -> Document:
    """A document with 200 line items and values of every length."""
    columns = {name: {"type": kind, "description": name} for name, kind in COLUMNS.items()}
    items = {"type": "array", "description": "The lines", "items": {"type": "object", "properties": columns}}
    fields = {
        "vendor_with_a_name_of_many_words": {"type": "string", "description": "Who sends it"},
        "note": {"type": "string", "description": "What is written below"},
        "line_items": items,
    }
    response_format = {
        "type": "json_schema",
        "json_schema": {"name": "long", "schema": {"type": "object", "properties": fields}},
    }
    schema = schemas.create(actor, name=SPACED, response_format=response_format)
    prompt = Prompt.objects.create(organization=actor.organization, name=UNBROKEN[:120], created_by=actor.user)
    prompt.latest = PromptRevision.objects.create(
        prompt=prompt, number=1, content="Read it.\n\n" + SPACED, schema_revision=schema, created_by=actor.user
    )
    prompt.save()
    lines = [
        {"description": f"{SPACED} {number}", "quantity": number, "unit_price": 1.5, "amount": number * 1.5}
        for number in range(1, ROWS + 1)
    ]
    values = add_row_ids({"vendor_with_a_name_of_many_words": SPACED, "note": UNBROKEN * 2, "line_items": lines})
    newest = document.extractions.order_by("-number").first()
    Extraction.objects.create(
        document=document,
        number=(newest.number if newest else 0) + 1,
        reading=document.readings.get(),
        prompt_revision=prompt.latest,
        schema_revision=schema,
        model="offline/rules",
        status="completed",
        result=values,
        current=values,
        requested_by=actor.user,
    )
    name = f"{SPACED}, with a table.pdf"
    Document.objects.filter(pk=document.pk).update(name=name, name_folded=fold_case(name))
    return document


def _thread(actor: Actor, document: Document) -> Thread:
    """A thread whose card waits: the offline model proposes a schema."""
    thread = threads.create(actor, document=document)
    turns.start(actor, thread=thread, text="Set up extraction for this document")
    return thread
