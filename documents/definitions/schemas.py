"""Schemas: named heads of immutable revisions of a response format."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias, TypedDict, Unpack

from django.db.models import TextField
from django.db.models.functions import Cast

from accounts.actor import Actor
from accounts.models import Organization
from documents.checks.definitions import clean_checks
from documents.definitions.definition_kinds import Definition, VersionOptions
from documents.definitions.schema_rules import check_response_format
from documents.models import PromptRevision, Schema, SchemaRevision
from documents.values import is_same
from kit.errors import Invalid
from kit.json_types import JsonObject, JsonSchema

ResponseFormat: TypeAlias = JsonObject
ValueChecks: TypeAlias = list[JsonObject]
KEEP_CHECKS = "Keep the field, or give value_checks without that check."
MAX_COMPARED = 200


class Twin(NamedTuple):
    """Another schema with the same fields."""

    pk: str
    name: str


class SchemaContent(TypedDict, total=False):
    """What a schema says. None leaves a part as it is."""

    response_format: ResponseFormat | None
    value_checks: ValueChecks | None


@dataclass(frozen=True)
class SchemaDefinition(Definition[Schema, SchemaRevision, SchemaContent]):
    """Without `needs_descriptions` it takes fields without a description, as the published clients send them."""

    heads, revisions = Schema, SchemaRevision
    needs_descriptions: bool = False

    def read(self, revision: SchemaRevision) -> SchemaContent:
        return {"response_format": revision.response_format, "value_checks": revision.value_checks}

    def is_same(self, one: SchemaContent, other: SchemaContent) -> bool:
        return is_same(dict(one), dict(other))

    def check(
        self, actor: Actor, content: SchemaContent, former: SchemaRevision | None, changes: SchemaContent
    ) -> SchemaContent:
        """Raises Invalid with `problems`, and for a field that the checks of the latest name and that is gone."""
        response_format, checks = content["response_format"], content["value_checks"]
        if former and is_same(response_format, former.response_format):
            json_schema = former.json_schema
        else:
            json_schema = check_response_format(response_format, descriptions=self.needs_descriptions)
        try:
            return {"response_format": response_format, "value_checks": clean_checks(checks or [], json_schema)}
        except Invalid as error:
            if former is None or changes.get("value_checks") is not None:
                raise
            sentence = f"The schema has value checks that no longer fit: {error.problems[0].message} {KEEP_CHECKS}"
            raise Invalid(sentence, problems=error.problems, code="value_checks") from None

    def build(self, head: Schema, content: SchemaContent) -> SchemaRevision:
        return SchemaRevision(schema=head, **content)

    def require_unused(self, head: Schema) -> None:
        """Names the prompts of which any revision uses it."""
        if names := list(dict.fromkeys(f"“{revision.prompt.name}”" for revision in list_dependents(head))):
            raise Invalid(
                f"The schema “{head.name}” is used by {_describe_prompts(names)}. Delete what uses it first.",
                code="in_use",
            )


SCHEMAS = SchemaDefinition()
trash = SCHEMAS.trash
return_to = SCHEMAS.return_to


def create(
    actor: Actor, *, name: str, descriptions: bool = True, proposed: bool = False, **content: Unpack[SchemaContent]
) -> SchemaRevision:
    whole = SCHEMAS.merge({"response_format": None, "value_checks": []}, content)
    return SchemaDefinition(descriptions).create(actor, name=name, content=whole, proposed=proposed)


class SchemaChanges(SchemaContent, VersionOptions, total=False):
    """Parts of the content, and how the new revision comes about."""


def save_version(
    actor: Actor, *, schema: Schema, descriptions: bool = True, **given: Unpack[SchemaChanges]
) -> SchemaRevision:
    return SchemaDefinition(descriptions).save_given(actor, schema, given)


def list_dependents(schema: Schema) -> list[PromptRevision]:
    """The prompt revisions, old ones too, that use any revision of this schema and are not in the trash."""
    using = PromptRevision.objects.filter(schema_revision__schema=schema, prompt__trashed_at=None)
    return list(using.select_related("prompt", "schema_revision").order_by("prompt__name_folded", "-number"))


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
