"""One row of every model, joined as they are in life. For tests of what shows rows, not of what makes them."""

from __future__ import annotations

from datetime import timedelta
from itertools import count

from django.core.files.base import ContentFile
from django.db.models import Model
from django.utils import timezone
from oauth2_provider.models import AccessToken as KeyRow

from accounts.actor import Actor
from accounts.models import Connection, FirstRun, OutboundRequest, OutgoingMail, Role
from accounts.services import audit, invitations, tokens
from accounts.services.connections import clients, connecting
from accounts.services.connections.connecting import Consent
from accounts.services.outbound import rules as outbound_rules
from documents.intake import uploads
from documents.models import (
    AutoSetup,
    Budget,
    BulkAction,
    BulkItem,
    ColumnChoice,
    CondensedReading,
    CurrentValue,
    DataFolder,
    Document,
    DocumentType,
    DuplicateKey,
    EmbeddingChoice,
    Extraction,
    FieldEdit,
    FileChunk,
    HeldRun,
    IndexedPage,
    IndexedWord,
    LanguageModel,
    ModelCall,
    ModelPrice,
    ModelProvider,
    Page,
    PageChunk,
    PaperMark,
    Prompt,
    PromptRevision,
    Proposal,
    ProposalSibling,
    ProviderKey,
    QueryVector,
    RankedDocuments,
    Reading,
    ReadingShare,
    Reservation,
    ResultChoice,
    ResultFile,
    ReviewTime,
    SavedView,
    Schema,
    SchemaRevision,
    Sketch,
    StoredComparison,
    Tag,
    TypeDecision,
    TypeModelChoice,
    Usage,
    UsageDay,
    Verification,
    WordIndex,
)
from reader.words import pack
from tests.rows_of_agent import conversation

_numbers = count(1)
FORMAT = {
    "type": "json_schema",
    "json_schema": {"name": "invoice", "schema": {"type": "object", "properties": {"total": {"type": "number"}}}},
}


def one_of_each(actor: Actor) -> dict[type[Model], Model]:
    """A further row of every model, in the actor's organization; its budget, settings and the first run are there once."""
    rows = [*_account(actor), *_document(actor)]
    return {type(row): row for row in rows}


def _account(actor: Actor) -> list[Model]:
    token, _ = tokens.create(actor.user, name=f"token {next(_numbers)}", organization=actor.organization)
    first_run, _ = FirstRun.objects.get_or_create()
    member = actor.user.memberships.get(organization=actor.organization)
    entry = audit.record(actor, "looked at", token, name="x")
    invitation = invitations.invite(actor, email=f"invited-{next(_numbers)}@acme.example", role=Role.VIEWER)
    mail = OutgoingMail.objects.create(kind="invitation", email=invitation.email, invitation=invitation)
    rule = outbound_rules.add_rule(actor, effect="deny", pattern=f"host-{next(_numbers)}.example")
    request = OutboundRequest.objects.create(organization=actor.organization, purpose="test", method="GET")
    connection = _connect(actor)
    folder = DataFolder.objects.create(name=f"folder {next(_numbers)}", marker="m", named_by="here")
    return [
        *(actor.user, actor.organization, member, token, first_run, entry, invitation, mail, rule, request),
        *(connection, connection.keys.get(), folder),
    ]


def _connect(actor: Actor) -> Connection:
    """A program, with a key to what it was allowed."""
    client = clients.register(clients.Registration(f"program {next(_numbers)}", ("http://localhost/callback",)))
    consent = Consent(actor.organization, Role.VIEWER)
    connection = connecting.connect(actor.user, client, consent=consent, code=f"code {next(_numbers)}")
    soon = timezone.now() + timedelta(hours=1)
    key = KeyRow.objects.create(application=client, expires=soon, token_checksum=f"{next(_numbers):064}", token="")
    connecting.add_key(connection, key)
    return connection


def _document(actor: Actor) -> list[Model]:
    number, organization, user = next(_numbers), actor.organization, actor.user
    tag = Tag.objects.create(organization=organization, name=f"tag {number}", created_by=user)
    document = uploads.store(
        actor,
        name=f"{number}.txt",
        content=ContentFile(f"Total {number}".encode()),
        tag_ids=[tag.pk],
        metadata={"number": str(number)},
    )
    Reading.objects.filter(document=document).update(status="completed", page_count=1, pages_read=1, pages_listed=1)
    reading = document.readings.get()
    page = Page.objects.create(
        reading=reading, number=1, width=600, height=800, text="SECRET TEXT OF THE PAGE", engine="text", words=pack([])
    )
    schema = Schema.objects.create(organization=organization, name=f"schema {number}", created_by=user)
    schema.latest = SchemaRevision.objects.create(schema=schema, number=1, response_format=FORMAT, created_by=user)
    schema.save()
    prompt = Prompt.objects.create(organization=organization, name=f"prompt {number}", created_by=user)
    prompt.latest = PromptRevision.objects.create(
        prompt=prompt, number=1, content="Read it.", schema_revision=schema.latest, created_by=user
    )
    prompt.save()
    extraction = Extraction.objects.create(
        document=document,
        number=1,
        reading=reading,
        prompt_revision=prompt.latest,
        schema_revision=schema.latest,
        model="offline/rules",
        status="completed",
        result={"total": number},
        current={"total": number},
        requested_by=user,
    )
    edit = FieldEdit.objects.create(extraction=extraction, number=1, where="total", new=1, origin="person", user=user)
    verification = Verification.objects.create(extraction=extraction, where="total", user=user)
    share, _ = ReadingShare.objects.get_or_create(organization=organization)
    definitions = [schema, schema.latest, prompt, prompt.latest]
    proposal = Proposal.objects.create(
        organization=organization,
        status="proposed",
        lead=document,
        schema_revision=schema.latest,
        prompt_revision=prompt.latest,
    )
    request = AutoSetup.objects.create(
        document=document, status="proposed", proposal=proposal, extraction=extraction, requested_by=user
    )
    sibling = ProposalSibling.objects.create(proposal=proposal, document=document, thread_id="thread", likeness=0.9)
    # A product that runs beside may have made the document's own by now.
    sketch, _ = Sketch.objects.update_or_create(document=document, defaults={"words": [1, 2], "layout": [3]})
    document_type = DocumentType.objects.create(organization=organization, key=f"type {number}", name=f"type {number}")
    decision, _ = TypeDecision.objects.get_or_create(document=document)
    held_run = HeldRun.objects.create(document=document, prompt=prompt, document_type=document_type, reason="held")
    automatic = [proposal, request, sibling, sketch, document_type, decision, held_run]
    automatic.append(PaperMark.objects.create(organization=document.organization, document=document, mark=7))
    return [
        tag,
        SavedView.objects.create(organization=organization, name=f"view {number}", query="is=waiting"),
        ColumnChoice.objects.get_or_create(organization=organization, user=user)[0],
        ResultChoice.objects.get_or_create(organization=organization, user=user, schema=None)[0],
        UsageDay.objects.create(
            organization=organization, day=timezone.now().date(), purpose=f"purpose {number}", model="x"
        ),
        document,
        document.pairs.get(),
        reading,
        share,
        page,
        *definitions,
        *automatic,
        extraction,
        *_bulk_action(actor, document),
        DuplicateKey.objects.create(document=document, extraction=extraction, digest="0" * 64),
        CurrentValue.objects.create(
            organization=organization, document=document, prompt=prompt, schema=schema, path="total", text=str(number)
        ),
        IndexedPage.objects.create(organization=organization, document=document, reading=reading, number=1),
        FileChunk.objects.create(
            reading=reading,
            position=1,
            kind="schema",
            name="schemas/Budget",
            address="/components/schemas/Budget",
            first_page=1,
            first_line=1,
            last_page=1,
            last_line=2,
            content="Budget:\n  type: object",
        ),
        PageChunk.objects.create(
            organization=organization,
            document=document,
            reading=reading,
            page=1,
            first_line=1,
            last_line=1,
            model="openai/x",
            dimensions=1,
            digest=str(number),
            vector=b"\0<",
        ),
        EmbeddingChoice.objects.get_or_create(organization=organization)[0],
        TypeModelChoice.objects.get_or_create(organization=organization, defaults={"model": "m", "month_micros": 1})[0],
        QueryVector.objects.create(organization=organization, model="openai/x", text=str(number)),
        CondensedReading.objects.create(organization=organization, document=document, reading=reading, text="SECRET"),
        StoredComparison.objects.create(
            organization=organization, one=reading, other=reading, version=1, size=6, content=b"SECRET"
        ),
        RankedDocuments.objects.create(organization=organization, key=str(number)),
        IndexedWord.objects.create(organization=organization, word=f"word{number}", reversed_word=f"{number}drow"),
        WordIndex.objects.get_or_create(organization=organization)[0],
        edit,
        verification,
        *_money(actor, extraction),
        *conversation(actor, document),
    ]


def _bulk_action(actor: Actor, document: Document) -> list[Model]:
    action = BulkAction.objects.create(
        organization=actor.organization, requested_by=actor.user, kind="trash", total_count=1
    )
    file = ResultFile.objects.create(
        action=action, key=f"results/{action.pk}", name="results.csv", size=1, expires_at=timezone.now()
    )
    return [action, BulkItem.objects.create(action=action, document=document), file]


def _money(actor: Actor, extraction: Extraction) -> list[Model]:
    organization, month = actor.organization, "2026-11"
    budget, _ = Budget.objects.get_or_create(organization=organization, month=month, limit_micros=50_000_000)
    reservation = Reservation.objects.create(
        organization=organization,
        purpose="extraction",
        model="offline/rules",
        month=month,
        estimate_micros=1,
        expires_at=timezone.now() + timedelta(minutes=5),
    )
    usage = Usage.objects.create(
        organization=organization,
        user=actor.user,
        reservation=reservation,
        purpose="extraction",
        subject_id=extraction.pk,
        model="offline/rules",
        cost_micros=1_500_000,
    )
    model = LanguageModel.objects.create(name=f"offline/rules-{next(_numbers)}", provider="offline")
    call = ModelCall.objects.create(
        organization=organization,
        user=actor.user,
        kind="chat",
        model="offline/rules",
        request={"x": "SECRET WORDS"},
        expires_at=timezone.now(),
    )
    key = ProviderKey.objects.create(
        provider=f"provider {next(_numbers)}", sealed="SECRET", stored_at=timezone.now(), stored_by=actor.user
    )
    provider = ModelProvider.objects.create(name=f"provider {next(_numbers)}", synced_at=timezone.now())
    price = ModelPrice.objects.create(
        name=f"model {next(_numbers)}",
        input_micros_per_mtok=1,
        output_micros_per_mtok=2,
        set_at=timezone.now(),
        set_by=actor.user,
    )
    # Of each a day of its own: a day has one row for so many seconds.
    day = timezone.localdate() - timedelta(days=next(_numbers))
    time = ReviewTime.objects.create(organization=organization, day=day, seconds=38, document_count=1)
    return [budget, reservation, usage, model, call, key, provider, price, time]
