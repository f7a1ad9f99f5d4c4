"""What others change meanwhile of the rows that a card rests on."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from accounts.actor import Actor
from documents import document_changes, extractions
from documents.definitions import prompts, schemas, tags
from documents.extractions import edits
from documents.models import Document, Extraction, Prompt, PromptRevision, Reading, Schema, Tag
from tests.agent.undo_rows import SCHEMA, document, extraction, prompt, run_of, thread  # noqa: F401 - fixtures


@dataclass
class Rows:
    actor: Actor
    document: Document
    extraction: Extraction
    prompt: Prompt
    schema: Schema
    tag: Tag


def with_field(name: str) -> dict[str, Any]:
    changed: dict[str, Any] = json.loads(json.dumps(SCHEMA))
    changed["json_schema"]["schema"]["properties"][name] = {"type": "string", "description": "Added."}
    return changed


def revise(rows: Rows, name: str = "iban") -> None:
    schemas.save_version(rows.actor, schema=rows.schema, response_format=with_field(name))


def rename_schema(rows: Rows) -> None:
    schemas.save_version(rows.actor, schema=rows.schema, name="Renamed")


def reword(rows: Rows) -> None:
    prompts.save_version(rows.actor, prompt=rows.prompt, content="Read all of it.")


def choose_model(rows: Rows) -> None:
    prompts.save_version(rows.actor, prompt=rows.prompt, model="offline/rules")


def choose_another_model(rows: Rows) -> None:
    latest = rows.prompt.latest
    assert latest
    rows.prompt.latest = PromptRevision.objects.create(
        prompt=rows.prompt,
        number=2,
        content=latest.content,
        schema_revision=latest.schema_revision,
        model="openai/other",
    )
    rows.prompt.save()


def set_tags(rows: Rows) -> None:
    document_changes.update(rows.actor, document=rows.document, tag_ids=[rows.tag.pk])


def set_type(rows: Rows) -> None:
    document_changes.update(rows.actor, document=rows.document, document_type="order")


def set_name(rows: Rows) -> None:
    document_changes.update(rows.actor, document=rows.document, name="theirs.pdf")


def recolour(rows: Rows) -> None:
    tags.update(rows.actor, tag=rows.tag, color="#102030")


def rename_tag(rows: Rows) -> None:
    tags.update(rows.actor, tag=rows.tag, name="Theirs")


def edit(path: str, value: Any) -> Callable[[Rows], None]:
    return lambda rows: edits.set_path(rows.actor, extraction=rows.extraction, path=path, value=value) and None


def set_metadata(rows: Rows) -> None:
    document_changes.update(rows.actor, document=rows.document, metadata={"from": "them"})


def read_again(rows: Rows) -> None:
    Reading.objects.create(document=rows.document, number=2, status="completed", page_count=1, pages_read=1)


def extract_again(rows: Rows) -> None:
    revision = rows.prompt.latest
    assert revision
    run_of(rows.actor, rows.document, revision, vendor="Theirs", total=3)


def extract_elsewhere(rows: Rows) -> None:
    """From now on another document has a run of the same prompt and schema."""
    revision = rows.prompt.latest
    assert revision
    other = Document.objects.create(
        organization=rows.document.organization,
        name="other.pdf",
        sha256="1" * 64,
        size=1,
        media_type="application/pdf",
        file="none",
    )
    Reading.objects.create(document=other, number=1, status="completed", page_count=1, pages_read=1, pages_listed=1)
    run_of(rows.actor, other, revision, vendor="Theirs", total=3)


def summarize(rows: Rows) -> None:
    Extraction.objects.create(
        document=rows.document, number=2, status="completed", model="none", result={"text": "An invoice."}
    )


def withdraw(rows: Rows) -> None:
    extractions.withdraw(rows.actor, extraction=rows.extraction)


def verify(rows: Rows) -> None:
    edits.verify(rows.actor, extraction=rows.extraction)


def find_unused_schema(rows: Rows) -> Schema:
    schema = Schema.objects.filter(name="Receipt").first()
    return schema or schemas.create(rows.actor, name="Receipt", response_format=SCHEMA).schema


def revise_unused(rows: Rows) -> None:
    schemas.save_version(rows.actor, schema=find_unused_schema(rows), response_format=with_field("iban"))


def use_schema(rows: Rows) -> None:
    prompts.create(rows.actor, name="Receipt", content="Read.", schema_revision=find_unused_schema(rows).latest)


def find_unused_prompt(rows: Rows) -> Prompt:
    earlier = Prompt.objects.filter(name="Unused").first()
    return (
        earlier or prompts.create(rows.actor, name="Unused", content="Read.", schema_revision=rows.schema.latest).prompt
    )


def reword_unused(rows: Rows) -> None:
    prompts.save_version(rows.actor, prompt=find_unused_prompt(rows), content="Read all of it.")


def extract_first(rows: Rows) -> None:
    revision = find_unused_prompt(rows).latest
    assert revision
    run_of(rows.actor, rows.document, revision, vendor="Theirs", total=3)
