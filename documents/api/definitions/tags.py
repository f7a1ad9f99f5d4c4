"""Tags of an organization."""

from __future__ import annotations

from rest_framework import serializers
from rest_framework.request import Request

from accounts.access import fetch
from accounts.api.access import OrganizationView
from accounts.api.wire import conditions
from accounts.api.wire.answers import Message
from accounts.api.wire.described import describe, describe_window
from accounts.api.wire.fields import RequestBody, StrictTextField
from accounts.api.wire.grid import GRID, UNREADABLE, arrange
from accounts.api.wire.pagination import count_rows, read_window
from accounts.api.wire.responses import Answer
from accounts.models import Role
from documents.api import answers
from documents.catalog.row_versions import get_tag_version
from documents.definitions import tags
from documents.find import lists
from documents.models import Tag
from kit.errors import Conflict, Invalid
from kit.json_types import JsonObject
from kit.paging import part_of
from kit.timestamps import format_timestamp


class TagChange(RequestBody):
    """What is left out stays as it is; so does a colour that is null or empty. Null clears the description."""

    name = StrictTextField(required=False)
    color = StrictTextField(required=False, allow_null=True, allow_blank=True)
    description = StrictTextField(required=False, allow_null=True, allow_blank=True)

    def validate_color(self, sent: str | None) -> str | None:
        try:
            tags.clean_color(sent or "")
        except Invalid as error:
            raise serializers.ValidationError(error.sentence) from None
        return sent


class TagConfig(TagChange):
    """A new tag; without a colour it gets the usual one."""

    name = StrictTextField()


class Tags(OrganizationView):
    roles = {"GET": Role.VIEWER, "POST": Role.BUILDER}
    bodies = {"POST": TagConfig}

    @describe("List tags", query=[*describe_window(), *GRID], refusals={400: UNREADABLE})
    def get(self, request: Request) -> Answer[answers.TagPage]:
        """The newest first, unless `sort` says otherwise."""
        at = read_window(request)
        part = part_of(arrange(lists.list_tags(self.actor), request, lists.TAGS), at)
        return Answer({"tags": [serialize_tag(tag) for tag in part.rows], **count_rows(part, at)})

    @describe("Make a tag", refusals={400: ["Tag with name 'Invoices' already exists"]})
    def post(self, request: Request) -> Answer[answers.Tag]:
        """It joins documents to the prompts that run on them. Without a colour it gets the usual one."""
        try:
            return Answer(serialize_tag(tags.create(self.actor, **_replace_nulls(self.read_body()))))
        except Conflict as error:
            raise _convert_to_invalid(error) from None


class OneTag(OrganizationView):
    is_conditional = True
    roles = {"GET": Role.VIEWER, "PUT": Role.BUILDER, "DELETE": Role.BUILDER}
    bodies = {"PUT": TagChange}

    @describe("Get a tag")
    def get(self, request: Request, tag_id: str) -> Answer[answers.Tag] | conditions.NotModified:
        """With its colour and description."""
        return conditions.answer_unless_known(request, represent(self._tag(tag_id)))

    @describe("Change a tag", refusals={400: ["Tag with name 'Invoices' already exists"]})
    def put(self, request: Request, tag_id: str) -> Answer[answers.Tag]:
        """A field that is left out stays as it is; null clears the description."""
        tag, changes, expected = (
            self._tag(tag_id),
            _replace_nulls(self.read_body()),
            conditions.read_expected_versions(request),
        )
        try:
            with conditions.name_winner(lambda: represent(self._tag(tag_id))):
                tag = tags.update(self.actor, tag=tag, expected_versions=expected, **changes)
        except Conflict as error:
            raise _convert_to_invalid(error) from None
        return conditions.answer(represent(tag))

    @describe(
        "Delete a tag", refusals={400: ["Cannot delete tag 'Invoices' because it is assigned to one or more documents"]}
    )
    def delete(self, request: Request, tag_id: str) -> Answer[Message]:
        """Only while no document and no revision of a prompt carries it."""
        tag, expected = self._tag(tag_id), conditions.read_expected_versions(request)
        with conditions.name_winner(lambda: represent(self._tag(tag_id))):
            tags.delete(self.actor, tag=tag, expected_versions=expected)
        return Answer({"message": "Tag deleted successfully"})

    def _tag(self, tag_id: str) -> Tag:
        return fetch(self.actor, Tag.objects.all(), tag_id, noun="Tag")


def _replace_nulls(sent: JsonObject) -> dict[str, str]:
    return {name: value or "" for name, value in sent.items()}


def _convert_to_invalid(error: Conflict) -> Invalid:
    """Published clients know a taken name as 400."""
    return Invalid(error.sentence, code=error.code)


def represent(tag: Tag) -> conditions.Representation[answers.Tag]:
    return conditions.Representation(serialize_tag(tag), get_tag_version(tag))


def serialize_tag(tag: Tag) -> answers.Tag:
    return {
        "id": tag.pk,
        "name": tag.name,
        "color": tag.color,
        "description": tag.description or None,
        "created_at": format_timestamp(tag.created_at),
        "created_by": tag.created_by_id or "",
    }
