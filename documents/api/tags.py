"""Tags of an organization."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import fetch
from accounts.api.access import OrganizationView
from accounts.api.fields import StrictTextField, timestamp
from accounts.api.grid import arrange
from accounts.api.pagination import listing, window
from accounts.models import Role
from docrouter.kit.errors import Conflict, Invalid
from documents.models import Tag
from documents.services import lists, tags


class TagChange(serializers.Serializer[Any]):
    """What is left out stays as it is; so does a colour that is null or empty. Null clears the description."""

    name = StrictTextField(required=False)
    color = StrictTextField(required=False, allow_null=True, allow_blank=True)
    description = StrictTextField(required=False, allow_null=True, allow_blank=True)

    def validate_color(self, sent: str | None) -> str | None:
        try:
            tags.check_color(sent or "")
        except Invalid as error:
            raise serializers.ValidationError(error.sentence) from None
        return sent


class TagConfig(TagChange):
    """A new tag; without a colour it gets the usual one."""

    name = StrictTextField()


class Tags(OrganizationView):
    roles = {"GET": Role.VIEWER, "POST": Role.BUILDER}

    def get(self, request: Request) -> Response:
        rows = arrange(lists.tags(self.actor), request, lists.TAGS)
        return listing("tags", rows, window(request), shown)

    def post(self, request: Request) -> Response:
        try:
            return Response(shown(tags.create(self.actor, **_sent(TagConfig, request))))
        except Conflict as error:
            raise _as_invalid(error) from None


class OneTag(OrganizationView):
    roles = {"GET": Role.VIEWER, "PUT": Role.BUILDER, "DELETE": Role.BUILDER}

    def get(self, request: Request, tag_id: str) -> Response:
        return Response(shown(self._tag(tag_id)))

    def put(self, request: Request, tag_id: str) -> Response:
        tag = self._tag(tag_id)
        try:
            return Response(shown(tags.update(self.actor, tag=tag, **_sent(TagChange, request))))
        except Conflict as error:
            raise _as_invalid(error) from None

    def delete(self, request: Request, tag_id: str) -> Response:
        tags.delete(self.actor, tag=self._tag(tag_id))
        return Response({"message": "Tag deleted successfully"})

    def _tag(self, tag_id: str) -> Tag:
        return fetch(self.actor, Tag.objects.all(), tag_id, noun="Tag")


def _sent(serializer: type[TagChange], request: Request) -> dict[str, str]:
    wanted = serializer(data=request.data)
    wanted.is_valid(raise_exception=True)
    return {name: value or "" for name, value in wanted.validated_data.items()}


def _as_invalid(error: Conflict) -> Invalid:
    """Published clients know a taken name as 400."""
    return Invalid(error.sentence, code=error.code)


def shown(tag: Tag) -> dict[str, object]:
    return {
        "id": tag.pk,
        "name": tag.name,
        "color": tag.color,
        "description": tag.description or None,
        "created_at": timestamp(tag.created_at),
        "created_by": tag.created_by_id or "",
    }
