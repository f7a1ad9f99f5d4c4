"""Schema templates: what there is to start from, and a schema with its prompt made from one."""

from __future__ import annotations

from rest_framework.request import Request
from typing_extensions import TypedDict

from accounts.api.access import OrganizationView
from accounts.api.wire.described import describe
from accounts.api.wire.fields import ExactSerializer, StrictTextField
from accounts.api.wire.responses import Answer
from accounts.models import Role
from documents.api import answers
from documents.api.definitions.prompts import serialize_prompt
from documents.api.definitions.schemas import serialize_schema
from documents.definitions.schema_templates.catalogue import SchemaTemplate, get_template, list_templates
from documents.definitions.schema_templates.creating import create_from_template
from kit.json_types import JsonObject

_UNKNOWN = "There is no schema template 'bill'. There are: invoice, receipt, credit_note."


class NewName(ExactSerializer):
    name = StrictTextField(required=False, allow_null=True, help_text="Of both; without it a free one is taken.")


class ListedTemplate(TypedDict):
    """A schema to start from, with the names of its fields."""

    template: str
    title: str
    summary: str
    fields: list[str]


class TemplateList(TypedDict):
    """All schema templates."""

    schema_templates: list[ListedTemplate]


class WholeTemplate(ListedTemplate):
    """A schema to start from, and the text of the prompt that goes with it."""

    response_format: JsonObject
    value_checks: list[JsonObject]
    prompt: str


class MadeFromTemplate(TypedDict):
    """The schema and the prompt that were made."""

    schema: answers.Schema
    prompt: answers.Prompt


class SchemaTemplates(OrganizationView):
    roles = {"GET": Role.VIEWER}

    @describe("List the schema templates")
    def get(self, request: Request) -> Answer[TemplateList]:
        """They are those of the product, the same in each organization; a schema made from one is like any other."""
        return Answer({"schema_templates": [_serialize(template) for template in list_templates().values()]})


class OneSchemaTemplate(OrganizationView):
    roles = {"GET": Role.VIEWER, "POST": Role.BUILDER}
    bodies = {"POST": NewName}

    @describe("Get a schema template", refusals={404: [_UNKNOWN]})
    def get(self, request: Request, template: str) -> Answer[WholeTemplate]:
        """All that a schema and a prompt made from it say."""
        chosen = get_template(template)
        return Answer(
            {
                **_serialize(chosen),
                "response_format": chosen.response_format,
                "value_checks": chosen.value_checks,
                "prompt": chosen.prompt,
            }
        )

    @describe(
        "Make a schema and its prompt from a template",
        refusals={
            404: [_UNKNOWN],
            409: ["There is a schema named “Invoice” already. Use another name, or save a new version of it."],
        },
    )
    def post(self, request: Request, template: str) -> Answer[MadeFromTemplate]:
        """Both or neither. The prompt has no tag, so it runs where somebody runs it."""
        chosen, name = get_template(template), self.read_body().get("name")
        created = create_from_template(self.actor, template=chosen, name=name)
        return Answer(
            {"schema": serialize_schema(created.schema_revision), "prompt": serialize_prompt(created.prompt_revision)}
        )


def _serialize(template: SchemaTemplate) -> ListedTemplate:
    return {
        "template": template.key,
        "title": template.title,
        "summary": template.summary,
        "fields": list(template.schema["properties"]),
    }
