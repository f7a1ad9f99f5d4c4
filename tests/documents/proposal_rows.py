"""Documents that asked for automatic setup, and the proposals of their groups, made without a model."""

from __future__ import annotations

from typing import Any

from accounts.actor import Actor
from documents.autosetup import auto_setup, run_results
from documents.autosetup.run_results import RunResult
from documents.definitions import prompts, schemas
from documents.models import AutoSetup, Document, Extraction, Page, Proposal, Reading, SchemaRevision
from reader.words import pack
from tests.documents.test_similarity import INVOICE, RECEIPT, draw_words

__all__ = [
    "INVOICE",
    "RECEIPT",
    "group_of",
    "make_auto_setup",
    "make_completed_run",
    "now",
    "propose",
    "response_format",
    "states",
]
FIELD = {"type": "number", "description": "The amount due, as printed"}


def response_format(*names: str) -> dict[str, Any]:
    inner = {"type": "object", "properties": dict.fromkeys(names, FIELD)}
    return {"type": "json_schema", "json_schema": {"name": "invoice", "schema": inner}}


def make_auto_setup(actor: Actor, text: str = INVOICE.format(n=1, who="Acme"), name: str = "a.pdf") -> AutoSetup:
    """A document that has been read and asked for its setup."""
    document = Document.objects.create(
        organization=actor.organization,
        name=name,
        sha256="0" * 64,
        size=1,
        media_type="application/pdf",
        file="none",
        state=Document.State.OCR_COMPLETED,
    )
    reading = Reading.objects.create(document=document, number=1, status="completed", page_count=1)
    Page.objects.create(
        reading=reading, number=1, width=600, height=800, text=text, engine="text", words=pack(draw_words(text))
    )
    return auto_setup.request_auto_setup(actor, document=document)


def make_completed_run(document: Document, prompt_revision: Any) -> Extraction:
    return Extraction.objects.create(
        document=document,
        number=document.extractions.count() + 1,
        reading=document.readings.get(),
        prompt_revision=prompt_revision,
        schema_revision=prompt_revision.schema_revision,
        status="completed",
        result={"total": 1},
        current={"total": 1},
    )


def group_of(actor: Actor, number: int = 3) -> list[AutoSetup]:
    """Look-alikes whose first one is being studied."""
    members = [make_auto_setup(actor, INVOICE.format(n=n, who=f"Firm{n}"), f"{n}.pdf") for n in range(1, number + 1)]
    auto_setup.assign_waiting()
    return [now(member) for member in members]


def propose(actor: Actor, lead: AutoSetup, name: str = "Invoice", also: Any = ()) -> Proposal:
    """As if the run for its lead had ended well, having made `also` first. The other members are extracted now."""
    auto_setup.mark_running(lead, thread_id="a" * 24, turn_id="b" * 24)
    schema = schemas.create(actor, name=name, response_format=response_format("total"), proposed=True)
    prompt = prompts.create(actor, name=name, content="Take it.", schema_revision=schema, proposed=True)
    created: dict[str, list[str]] = {"schemas": [], "prompts": [], "schema_revisions": [], "prompt_revisions": []}
    for revision in (*also, schema, prompt):
        kind = "schema" if isinstance(revision, SchemaRevision) else "prompt"
        created[f"{kind}_revisions"].append(revision.pk)
        created[f"{kind}s"].append(getattr(revision, f"{kind}_id"))
    design = RunResult(schema, prompt, make_completed_run(lead.document, prompt), created_ids=created)
    run_results.record_result(Proposal.objects.get(pk=lead.proposal_id), design, actor=actor)
    return Proposal.objects.get(pk=lead.proposal_id)


def states(members: list[AutoSetup]) -> list[str]:
    return [now(member).status for member in members]


def now(auto: AutoSetup) -> AutoSetup:
    return AutoSetup.objects.select_related("proposal__prompt_revision__prompt", "document", "extraction").get(
        pk=auto.pk
    )
