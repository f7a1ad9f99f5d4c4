"""A schema and its prompt made from a template, under a name that both have free."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import NamedTuple

from django.db import transaction

from accounts.actor import Actor
from documents.definitions import fitting, prompts, schemas
from documents.definitions.schema_templates.catalogue import SchemaTemplate
from documents.models import Prompt, PromptRevision, Schema, SchemaRevision
from kit.rows.models import fold_case

MAX_ALIKE = 20


class MadeDefinitions(NamedTuple):
    schema_revision: SchemaRevision
    prompt_revision: PromptRevision


@transaction.atomic
def create_from_template(actor: Actor, *, template: SchemaTemplate, name: str | None = None) -> MadeDefinitions:
    """Both, or neither. Raises Conflict where one of them has the name already; without `name` a free one is taken."""
    name = name or suggest_names(actor, [template])[template.key]
    schema_revision = schemas.create(
        actor, name=name, response_format=template.response_format, value_checks=template.value_checks
    )
    content = template.prompt
    prompt_revision = prompts.create(actor, name=name, content=content, schema_revision=schema_revision)
    if template.document_types is not None:
        prompt_revision.prompt = fitting.set_types(actor, prompt=prompt_revision.prompt, types=template.document_types)
    return MadeDefinitions(schema_revision, prompt_revision)


def suggest_names(actor: Actor, templates: Iterable[SchemaTemplate]) -> dict[str, str]:
    """By key the first of “Invoice”, “Invoice 2” and so on that no schema and no prompt has."""
    candidates = {each.key: _list_candidates(each.title) for each in templates}
    folded = [fold_case(name) for name in chain.from_iterable(candidates.values())]
    taken = set[str]()
    for heads in (Schema, Prompt):
        rows = heads.objects.for_org(actor.organization).filter(name_folded__in=folded)
        taken.update(rows.values_list("name_folded", flat=True))
    return {
        key: next((name for name in names if fold_case(name) not in taken), names[-1])
        for key, names in candidates.items()
    }


def _list_candidates(title: str) -> list[str]:
    return [title, *(f"{title} {number}" for number in range(2, MAX_ALIKE + 1))]
