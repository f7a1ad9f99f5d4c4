"""What the tag picker offers: each tag with its documents and prompts, and what setting it here starts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from accounts.actor import Actor
from documents.definitions import uses
from documents.definitions.prompts import list_prompts_by_tag
from documents.extractions.estimates import RunEstimate, estimate_each_tag
from documents.find.lists import list_tags
from documents.models import Document, Tag
from kit.rows.models import fold_case

MAX_OFFERED = 50
MAX_NAMED = 2


@dataclass(frozen=True)
class TagOption:
    """`effect`: in words what setting it starts; empty when that is nothing."""

    tag: Tag
    is_set: bool
    document_count: int
    effect: str


@dataclass(frozen=True)
class TagOptions:
    """Those whose name contains `query`, what is set first. `new_name`: what a new tag could be called; else empty."""

    options: list[TagOption]
    hidden_count: int
    query: str
    new_name: str


def build_options(actor: Actor, *, document: Document | None, chosen: Sequence[str], query: str) -> TagOptions:
    """`chosen` are keys of tags that count as set where no document is given."""
    rows = list_tags(actor)
    carried = {tag.pk for tag in document.tags.all()} if document else set(chosen)
    matching = rows.filter(name_folded__contains=fold_case(query)) if query else rows
    first = list(matching.filter(pk__in=carried).order_by("name_folded", "pk")[:MAX_OFFERED])
    rest = matching.exclude(pk__in=carried).order_by("name_folded", "pk")
    tags = [*first, *rest[: MAX_OFFERED - len(first)]]
    counts = uses.count_documents_of_tags(tags)
    effects = _describe_effects(actor, document, tags)
    has_exact = any(tag.name == query for tag in tags)
    return TagOptions(
        options=[TagOption(tag, tag.pk in carried, counts.get(tag.pk, 0), effects.get(tag.pk, "")) for tag in tags],
        hidden_count=max(0, matching.count() - len(tags)) if len(tags) >= MAX_OFFERED else 0,
        query=query,
        new_name="" if has_exact else query,
    )


def _describe_effects(actor: Actor, document: Document | None, tags: Sequence[Tag]) -> dict[str, str]:
    if document is None:
        by_tag = list_prompts_by_tag(tags)
        names = {tag_id: [revision.prompt.name for revision in carried] for tag_id, carried in by_tag.items()}
        return {tag_id: f"runs {name_prompts(of_tag)}" for tag_id, of_tag in names.items()}
    estimates = estimate_each_tag(actor, document=document, tags=tags)
    return {tag_id: _describe_effect(estimate) for tag_id, estimate in estimates.items()}


def _describe_effect(estimate: RunEstimate) -> str:
    names = name_prompts([prompt.prompt_revision.prompt.name for prompt in estimate.prompts])
    if not estimate.prompts:
        return ""
    if estimate.unread_count:
        return f"runs {names} when it is read"
    if not estimate.run_count:
        return f"{names} ran already"
    return f"runs {names}, {estimate.format_cost()}"


def name_prompts(names: Sequence[str]) -> str:
    """“Invoice”, “Receipt” and 2 more."""
    quoted = ", ".join(f"“{name}”" for name in names[:MAX_NAMED])
    return f"{quoted} and {len(names) - MAX_NAMED} more" if len(names) > MAX_NAMED else quoted
