"""One row of each kind that is read and written back over /v0, and many who write it back at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any, NamedTuple

from django.core.files.base import ContentFile
from django.db import connection

from accounts.actor import Actor
from documents import document_changes
from documents.definitions import prompts, schemas, tags
from tests.conftest import ApiClient
from tests.documents.extraction_rows import FORMAT, PAGE, RESULT, run_prompt
from tests.documents.reading_rows import document_with

THREADS = 6
# Of a single value the tag stands in the answer too, beside that of the whole run: see test_run_fields.
ALL_KINDS = ["document", "result", "schema", "prompt", "tag", "field"]
KINDS = ["document", "result", "schema", "prompt", "tag"]


class Target(NamedTuple):
    """Where it is read, where it is changed, and what a client sends to change it."""

    read: str
    write: str
    change: Callable[[int], Mapping[str, Any]]
    method: str = "put"


def make_targets(actor: Actor) -> dict[str, Target]:
    base = f"/v0/orgs/{actor.organization.pk}"
    document = document_with(actor.organization, PAGE, user=actor.user)
    document.file.save(f"documents/{actor.organization.pk}/{document.pk}", ContentFile(b"%PDF-1.4"))
    document_changes.update(actor, document=document, metadata={"vendor": "Acme"})
    schema = schemas.create(actor, name="Invoice", response_format=FORMAT)
    used = schemas.create(actor, name="Used", response_format=FORMAT)
    prompt = prompts.create(actor, name="Read invoices", content="Take the lines.", schema_revision=used)
    tag = tags.create(actor, name="Bills")
    run = run_prompt(document, prompt)
    fields = f"{base}/documents/{document.pk}/extractions/{run.pk}/fields"
    result = f"{base}/llm/result/{document.pk}?prompt_revid={prompt.pk}"
    at = f"{base}/documents/{document.pk}"
    return {
        "document": Target(f"{at}?include_content=false", at, lambda n: {"metadata": {"vendor": f"Acme {n}"}}),
        "result": Target(result, result, lambda n: {"updated_llm_result": {**RESULT, "number": f"INV-10{n}"}}),
        "schema": Target(
            f"{base}/schemas/{schema.pk}", f"{base}/schemas/{schema.schema_id}", lambda n: {"name": f"Invoice {n}"}
        ),
        "prompt": Target(
            f"{base}/prompts/{prompt.pk}",
            f"{base}/prompts/{prompt.prompt_id}",
            lambda n: {"content": f"Take line {n}."},
        ),
        "field": Target(fields, fields, lambda n: {"path": "number", "value": f"INV-{n}"}, "patch"),
        "tag": Target(f"{base}/tags/{tag.pk}", f"{base}/tags/{tag.pk}", lambda n: {"name": f"Bills {n}"}),
    }


def write_at_once(make_client: Callable[[], ApiClient], target: Target, etag: str) -> list[int]:
    """The status that each of several clients gets, who all send a change of their own with the same tag."""
    clients, barrier = [make_client() for _ in range(THREADS)], Barrier(THREADS)

    def write(number: int) -> int:
        try:
            barrier.wait()
            change = target.change(number + 2)
            send = getattr(clients[number], target.method)
            return int(send(target.write, change, headers={"If-Match": etag}).status_code)
        finally:
            connection.close()

    with ThreadPoolExecutor(THREADS) as pool:
        return sorted(pool.map(write, range(THREADS)))
