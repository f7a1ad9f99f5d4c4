"""Running a prompt on documents that look like those it has run on: by its tag where it has one of its own."""

from __future__ import annotations

from django.db.models import QuerySet

from accounts.actor import Actor
from documents.bulk import requesting
from documents.definitions.prompts import list_prompts_of_tag
from documents.extractions.estimates import RunEstimate, estimate_runs, estimate_tagging
from documents.models import BulkAction, Document, Prompt, Tag
from kit.errors import Invalid


def find_own_tag(prompt: Prompt) -> Tag | None:
    """A tag that starts this prompt and no other."""
    tags = prompt.latest.tags.order_by("name") if prompt.latest else ()
    return next((tag for tag in tags if len(list_prompts_of_tag(tag)) == 1), None)


def estimate(actor: Actor, *, prompt: Prompt, documents: QuerySet[Document]) -> RunEstimate:
    tag = find_own_tag(prompt)
    if tag is not None:
        return estimate_tagging(actor, documents=documents, tag=tag)
    return estimate_runs(
        actor, documents=documents, prompt_revisions=[prompt.latest] if prompt.latest else [], repeat=False
    )


def request(actor: Actor, *, prompt: Prompt, documents: QuerySet[Document]) -> BulkAction:
    """Raises Invalid where there is no document left, or the prompt is in the trash."""
    if prompt.latest is None or prompt.trashed_at is not None:
        raise Invalid(f"“{prompt.name}” is in the trash. Restore it, or set the documents up.")
    tag = find_own_tag(prompt)
    kind, arguments = (
        (BulkAction.Kind.TAG, {"tag_id": tag.pk})
        if tag
        else (BulkAction.Kind.RUN, {"prompt_revid": str(prompt.latest_id)})
    )
    return requesting.create(actor, kind=kind, arguments=arguments, documents=documents)
