"""Saved views of the documents list."""

from __future__ import annotations

from rest_framework import serializers
from rest_framework.request import Request

from accounts.api.access import OrganizationView
from accounts.api.wire import conditions
from accounts.api.wire.answers import Message
from accounts.api.wire.described import describe, describe_window
from accounts.api.wire.fields import RequestBody, StrictTextField, TrueOrFalse
from accounts.api.wire.pagination import count_rows, read_window
from accounts.api.wire.responses import Answer
from accounts.models import Role
from documents.api import answers
from documents.catalog.row_versions import get_view_version
from documents.find import saved_views
from documents.models import SavedView
from kit.paging import part_of
from kit.timestamps import format_timestamp

_REFUSALS = {400: ["The name has 100 characters; 80 are the most.", "There is no state “foo”."]}


class ViewChange(RequestBody):
    """What is left out stays as it is."""

    name = StrictTextField(required=False)
    query = StrictTextField(required=False, allow_blank=True)
    is_shared = TrueOrFalse(required=False)
    position = serializers.IntegerField(required=False, min_value=0, max_value=saved_views.LAST_POSITION)


class NewView(RequestBody):
    """`query` is what the list's address says, such as `is=waiting&value=total+%3E+1000`."""

    name = StrictTextField()
    query = StrictTextField(required=False, allow_blank=True)
    is_shared = TrueOrFalse(required=False)


class SavedViews(OrganizationView):
    roles = {"GET": Role.VIEWER, "POST": Role.VIEWER}
    bodies = {"POST": NewView}

    @describe("List saved views", query=describe_window())
    def get(self, request: Request) -> Answer[answers.SavedViewPage]:
        """Your own and those for everybody, in their order."""
        at = read_window(request)
        part = part_of(saved_views.list_views(self.actor), at)
        return Answer({"views": [serialize_view(view) for view in part.rows], **count_rows(part, at)})

    @describe("Save a view", refusals=_REFUSALS)
    def post(self, request: Request) -> Answer[answers.SavedView]:
        """A view of your own; with `is_shared` one for everybody, which takes a builder."""
        return Answer(serialize_view(saved_views.create(self.actor, **self.read_body())))


class OneSavedView(OrganizationView):
    is_conditional = True
    roles = {"GET": Role.VIEWER, "PUT": Role.VIEWER, "DELETE": Role.VIEWER}
    bodies = {"PUT": ViewChange}

    @describe("Get a saved view")
    def get(self, request: Request, view_id: str) -> Answer[answers.SavedView] | conditions.NotModified:
        """With its filters."""
        return conditions.answer_unless_known(request, represent(self._fetch(view_id)))

    @describe("Change a saved view", refusals=_REFUSALS)
    def put(self, request: Request, view_id: str) -> Answer[answers.SavedView]:
        """A field that is left out stays as it is. A view for everybody takes a builder."""
        view, changes, expected = (
            self._fetch(view_id),
            self.read_body(),
            conditions.read_expected_versions(request),
        )
        with conditions.name_winner(lambda: represent(self._fetch(view_id))):
            view = saved_views.update(self.actor, view=view, expected_versions=expected, **changes)
        return conditions.answer(represent(view))

    @describe("Delete a saved view")
    def delete(self, request: Request, view_id: str) -> Answer[Message]:
        """Documents stay as they are. One for everybody takes a builder."""
        view, expected = self._fetch(view_id), conditions.read_expected_versions(request)
        with conditions.name_winner(lambda: represent(self._fetch(view_id))):
            saved_views.delete(self.actor, view=view, expected_versions=expected)
        return Answer({"message": "View deleted"})

    def _fetch(self, view_id: str) -> SavedView:
        return saved_views.fetch_view(self.actor, view_id)


def represent(view: SavedView) -> conditions.Representation[answers.SavedView]:
    return conditions.Representation(serialize_view(view), get_view_version(view))


def serialize_view(view: SavedView) -> answers.SavedView:
    return {
        "id": view.pk,
        "name": view.name,
        "query": view.query,
        "is_shared": view.owner_id is None,
        "position": view.position,
        "created_at": format_timestamp(view.created_at),
    }
