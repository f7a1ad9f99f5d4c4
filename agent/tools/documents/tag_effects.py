"""What follows from tags that a document gets."""

from __future__ import annotations

from collections.abc import Sequence

from agent.toolkit.previews import quote_names
from agent.toolkit.registry import Result, ToolContext
from documents.definitions import tags
from documents.definitions.prompts import list_prompts_of_tag
from documents.document_changes import TagChange
from documents.extractions.estimates import estimate_tagging
from documents.models import Document, Tag
from documents.reading.reading import get_newest

ONLY_THIS = "Changes nothing but this document."


def estimate_effect(
    context: ToolContext, document_ids: Sequence[str], added: Sequence[Tag], otherwise: str = ONLY_THIS
) -> str:
    """What setting these tags starts at once on these documents, and for about how much."""
    rows = Document.objects.for_org(context.actor.organization).filter(pk__in=document_ids)
    sentences = [
        f"“{tag.name}”: {estimate_tagging(context.actor, documents=rows, tag=tag).describe()}"
        for tag in added
        if list_prompts_of_tag(tag)
    ]
    return " ".join(sentences) or otherwise


def describe_started(change: TagChange) -> Result:
    """The runs that began with the tags of a document, those held for its type, and prompts that wait for a reading."""
    started = [str(run.prompt_revision) for run in change.runs]
    waiting_runs = [f"{each.reason} It did not run: a person decides it in the inbox." for each in change.held_runs]
    if started or waiting_runs:
        return {**({"started": started} if started else {}), **({"held": waiting_runs} if waiting_runs else {})}
    waiting = [str(each) for tag in change.added for each in list_prompts_of_tag(tag)]
    return {"starts_when_read": waiting} if waiting and get_newest(change.document) is None else {}


def describe_effect(added: Sequence[Tag], otherwise: str = ONLY_THIS) -> str:
    starting = {tag.name: [prompt.name for prompt in tags.list_prompts_with(tag)] for tag in added}
    sentences = [
        f"“{name}” starts {quote_names(runs)} when a document is read." for name, runs in starting.items() if runs
    ]
    return " ".join(sentences) or otherwise
