"""Schemas: named heads of immutable revisions of a response format."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import NamedTuple, TypeAlias

from django.db import transaction
from django.db.models import TextField
from django.db.models.functions import Cast

from accounts.actor import Actor
from accounts.models import Organization, Role
from documents.checks.definitions import clean_checks
from documents.definitions import definitions
from documents.definitions.schema_rules import check_response_format
from documents.models import PromptRevision, Revision, Schema, SchemaRevision
from documents.values import is_same
from kit.errors import Invalid, NotFound
from kit.json_types import JsonObject, JsonSchema

ResponseFormat: TypeAlias = JsonObject
ValueChecks: TypeAlias = list[JsonObject]
KEEP_CHECKS = "Keep the field, or give value_checks without that check."
MAX_COMPARED = 200


class Twin(NamedTuple):
    """Another schema with the same fields."""

    pk: str
    name: str


@transaction.atomic
def create(
    actor: Actor,
    *,
    name: str,
    response_format: ResponseFormat,
    value_checks: ValueChecks | None = None,
    descriptions: bool = True,
    proposed: bool = False,
) -> SchemaRevision:
    """A new schema. Conflict (with the ids of the other) when the name is taken, Invalid with `problems`.

    `descriptions=False` takes fields without a description, as the published clients send them.
    """
    actor.require(definitions.get_required_role(proposed=proposed))
    checks = clean_checks(value_checks or [], check_response_format(response_format, descriptions=descriptions))
    schema = Schema(organization=actor.organization, name=definitions.clean_name(name), created_by=actor.user)
    revision = _build_revision(actor, schema, response_format, checks, number=1, proposed=proposed)
    if not proposed:
        schema.latest_id = revision.pk  # at once, since references are checked at the end of a transaction
    definitions.save_head(schema, force_insert=True)
    revision.save(force_insert=True)
    definitions.publish_change(actor, schema, "created", proposed=proposed)
    return revision


@transaction.atomic
def save_version(
    actor: Actor,
    *,
    schema: Schema,
    name: str | None = None,
    response_format: ResponseFormat | None = None,
    value_checks: ValueChecks | None = None,
    expected_revid: str | None = None,
    expected_versions: Collection[str] | None = None,
    descriptions: bool = True,
    base: SchemaRevision | None = None,
    proposed: bool = False,
    always: bool = False,
) -> SchemaRevision:
    """Renames, and adds a revision when response format or checks differ. Returns the latest (or proposed).

    `expected_revid`: the latest revision that the caller has seen; Conflict when there is a newer one.
    `expected_versions` covers the name too; PreconditionFailed when it has none of them.
    `base` stands in the place of the latest: a revision that is only proposed is changed by another that is.
    `always` adds a revision even when nothing differs.
    """
    actor.require(definitions.get_required_role(proposed=proposed))
    schema = definitions.lock_head(schema)
    definitions.require_latest(schema, expected_revid)
    definitions.require_head_version(schema, expected_versions)
    definitions.rename_head(actor, schema, name, proposed=proposed)
    latest: SchemaRevision = base or definitions.get_newest_revision(schema)
    if not differs(latest, response_format, value_checks) and not (always and response_format is not None):
        return latest
    response_format = latest.response_format if response_format is None else response_format
    checks = _clean_for(latest, response_format, value_checks, descriptions=descriptions)
    revision = _add_revision(actor, schema, response_format, checks, proposed=proposed)
    definitions.publish_change(actor, schema, "revised", number=revision.number, proposed=proposed)
    return revision


def differs(latest: SchemaRevision, response_format: ResponseFormat | None, value_checks: ValueChecks | None) -> bool:
    """Whether what is given, where it is, says something else than the revision."""
    other_format = response_format is not None and not is_same(response_format, latest.response_format)
    return other_format or (value_checks is not None and not is_same(value_checks, latest.value_checks))


def _clean_for(
    latest: SchemaRevision, response_format: ResponseFormat, value_checks: ValueChecks | None, *, descriptions: bool
) -> list[JsonObject]:
    """The checks of the new revision: those of the latest where none are given. Raises Invalid for a field that they
    name and that is gone."""
    if is_same(response_format, latest.response_format):
        json_schema = latest.json_schema
    else:
        json_schema = check_response_format(response_format, descriptions=descriptions)
    if value_checks is not None:
        return clean_checks(value_checks, json_schema)
    try:
        return clean_checks(latest.value_checks, json_schema)
    except Invalid as error:
        sentence = f"The schema has value checks that no longer fit: {error.problems[0].message} {KEEP_CHECKS}"
        raise Invalid(sentence, problems=error.problems, code="value_checks") from None


@transaction.atomic
def return_to(
    actor: Actor,
    *,
    schema: Schema,
    revision: SchemaRevision,
    name: str | None = None,
    base: SchemaRevision | None = None,
    proposed: bool = False,
) -> SchemaRevision:
    """What an earlier revision said becomes the latest again, or is proposed again, as a new revision; with `name` its
    name too."""
    if revision.schema_id != schema.pk:
        raise NotFound("Schema not found")
    before, checks = revision.response_format, revision.value_checks
    # What nobody has accepted yet stays proposed.
    proposed = proposed or schema.latest_id is None
    return save_version(
        actor,
        schema=schema,
        name=name,
        response_format=before,
        value_checks=checks,
        descriptions=False,
        base=base,
        proposed=proposed,
    )


def list_dependents(schema: Schema) -> list[PromptRevision]:
    """The prompt revisions, old ones too, that use any revision of this schema and are not in the trash."""
    using = PromptRevision.objects.filter(schema_revision__schema=schema, prompt__trashed_at=None)
    return list(using.select_related("prompt", "schema_revision").order_by("prompt__name_folded", "-number"))


@transaction.atomic
def trash(actor: Actor, *, schema: Schema, expected_versions: Collection[str] | None = None) -> None:
    """Raises Invalid (code `in_use`) and names the prompts while any revision of a prompt uses it."""
    actor.require(Role.BUILDER)
    schema = definitions.lock_head(schema)
    definitions.require_head_version(schema, expected_versions)
    if names := list(dict.fromkeys(f"“{revision.prompt.name}”" for revision in list_dependents(schema))):
        raise Invalid(
            f"The schema “{schema.name}” is used by {_describe_prompts(names)}. Delete what uses it first.",
            code="in_use",
        )
    definitions.move_to_trash(actor, schema)


def _add_revision(
    actor: Actor, schema: Schema, response_format: ResponseFormat, value_checks: list[JsonObject], *, proposed: bool
) -> SchemaRevision:
    number = definitions.get_next_number(schema)
    revision = _build_revision(actor, schema, response_format, value_checks, number=number, proposed=proposed)
    revision.save(force_insert=True)
    if not proposed:
        definitions.put_in_force(schema, revision)
    return revision


def _build_revision(
    actor: Actor,
    schema: Schema,
    response_format: ResponseFormat,
    value_checks: ValueChecks,
    *,
    number: int,
    proposed: bool,
) -> SchemaRevision:
    return SchemaRevision(
        schema=schema,
        number=number,
        response_format=response_format,
        value_checks=value_checks,
        created_by=actor.user,
        status=Revision.Status.PROPOSED if proposed else Revision.Status.ACCEPTED,
    )


def find_twins(organization: Organization, json_schema: JsonSchema, *, but: str = "") -> list[Twin]:
    """Of the newest schemas in force those with the same field names, but the one of this id."""
    names = set(json_schema.get("properties") or ())
    quoted = [json.dumps(name, ensure_ascii=False) for name in names]  # as they stand in the stored text
    rows = Schema.objects.for_org(organization).filter(latest__isnull=False).exclude(pk=but).order_by("-created_at")
    newest = rows.values_list("pk", "name", Cast("latest__response_format", TextField()))[:MAX_COMPARED]
    # Most are told apart by their text: to parse two hundred schemas takes longer than all else of a proposal.
    alike = [row for row in newest if all(name in row[2] for name in quoted)]
    return [Twin(pk, name) for pk, name, text in alike if _read_field_names(text) == names]


def _read_field_names(response_format: str) -> set[str]:
    return set(json.loads(response_format)["json_schema"]["schema"].get("properties") or ())


def _describe_prompts(names: list[str]) -> str:
    shown = names[:5]
    more = f" and {len(names) - 5} more" if len(names) > 5 else ""
    return f"the prompt{'s' if len(names) > 1 else ''} {', '.join(shown)}{more}"
