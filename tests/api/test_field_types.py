"""What a body may hold: texts that are texts, and on our own routes no fields but the known ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from rest_framework import serializers

from accounts.actor import Actor
from accounts.api.wire.fields import StrictTextField
from documents.models import Document, Prompt, Schema, Tag
from tests.api.test_access import ROUTES, one_of_each
from tests.conftest import ApiClient
from tests.documents.extraction_rows import FORMAT

pytestmark = pytest.mark.django_db
ApiAs = Callable[[Actor], ApiClient]


@pytest.mark.parametrize(
    ("path", "body", "field"),
    [
        ("tags", {"name": 0}, "name"),
        ("tags", {"name": "Bills", "description": 1}, "description"),
        ("schemas", {"name": 0, "response_format": FORMAT}, "name"),
        ("prompts", {"name": 0, "content": "Read."}, "name"),
        ("prompts", {"name": "Bills", "content": 7}, "content"),
        ("access_tokens", {"name": 1, "lifetime": 0}, "name"),
        ("prompts", {"name": "Bills", "content": "Read.", "model": 5}, "model"),
        ("prompts", {"name": "Bills", "content": "Read.", "schema_id": 5}, "schema_id"),
    ],
)
def test_a_number_is_taken_for_no_text(
    api_as: ApiAs, actor: Actor, path: str, body: dict[str, Any], field: str
) -> None:
    answer = api_as(actor).post(f"/v0/orgs/{actor.organization.pk}/{path}", body)
    assert answer.status_code == 422, answer.json()
    (fault,) = answer.json()["detail"]
    assert (fault["type"], fault["loc"], fault["input"]) == ("string_type", ["body", field], body[field])
    assert not Tag.objects.exists() and not Schema.objects.exists() and not Prompt.objects.exists()


def test_a_number_in_metadata_or_for_an_id_is_told_with_its_place(api_as: ApiAs, actor: Actor) -> None:
    client, document = api_as(actor), one_of_each(actor)[Document]
    base, before = f"/v0/orgs/{actor.organization.pk}/documents", document.metadata
    for change, place in (
        ({"metadata": {"year": 2026}}, ["metadata", "year"]),
        ({"tag_ids": [5]}, ["tag_ids", 0]),
        ({"document_name": 7}, ["document_name"]),
    ):
        answer = client.put(f"{base}/{document.pk}", change)
        (fault,) = answer.json()["detail"]
        assert (answer.status_code, fault["type"], fault["loc"]) == (422, "string_type", ["body", *place]), change
    sent = {"documents": [{"name": "a.txt", "content": "YQ==", "metadata": {"year": 2026}}]}
    (fault,) = client.post(base, sent).json()["detail"]
    assert fault["loc"] == ["body", "documents", 0, "metadata", "year"]
    document.refresh_from_db()
    assert (document.metadata, Document.objects.count()) == (before, 1)


def test_no_body_of_v0_takes_a_number_for_a_text() -> None:
    """Where it is an id, it would be looked for; where it is metadata, it would be kept as another value."""
    seen, loose = 0, []
    for name, route in ROUTES.items():
        for body in getattr(getattr(route.pattern.callback, "cls", None), "bodies", {}).values():
            for path, field in iterate_fields(body(), name):
                seen += isinstance(field, serializers.CharField)
                if isinstance(field, serializers.CharField) and not isinstance(field, StrictTextField):
                    loose.append(path)
    assert seen > 30 and loose == []


def iterate_fields(field: Any, path: str) -> Iterator[tuple[str, Any]]:
    yield path, field
    for name, inner in getattr(field, "fields", {}).items():
        yield from iterate_fields(inner, f"{path}.{name}")
    if (child := getattr(field, "child", None)) is not None:
        yield from iterate_fields(child, f"{path}.*")


def test_a_thread_has_no_number_for_a_title(api_as: ApiAs, actor: Actor) -> None:
    document = one_of_each(actor)[Document]
    path = f"/v0/orgs/{actor.organization.pk}/documents/{document.pk}/chat/threads"
    assert api_as(actor).post(path, {"title": 0}).status_code == 422
    assert api_as(actor).post(path, {"title": "Mine"}).status_code == 200


@pytest.mark.parametrize("color", ["red", "#12345", "#3B82F6; x", "3B82F6"])
def test_a_colour_that_cannot_be_used_is_422_like_any_other_field(api_as: ApiAs, actor: Actor, color: str) -> None:
    client, path = api_as(actor), f"/v0/orgs/{actor.organization.pk}/tags"
    tag = client.post(path, {"name": "Bills", "color": None}).json()
    for answer in (
        client.post(path, {"name": "Other", "color": color}),
        client.put(f"{path}/{tag['id']}", {"name": "Bills", "color": color}),
    ):
        assert answer.status_code == 422, answer.json()
        (fault,) = answer.json()["detail"]
        assert (fault["loc"], fault["input"]) == (["body", "color"], color) and "#3B82F6" in fault["msg"]


def test_unknown_fields_are_ignored_where_clients_send_them_and_refused_on_our_own_routes(
    api_as: ApiAs, actor: Actor
) -> None:
    client, rows = api_as(actor), one_of_each(actor)
    base = f"/v0/orgs/{actor.organization.pk}"
    assert client.post(f"{base}/tags", {"name": "Fresh", "colour": "red"}).status_code == 200
    answer = client.post(f"{base}/documents/{rows[Document].pk}/auto_create/reject", {"reasons": "x"})
    assert answer.status_code == 422, answer.json()
    (fault,) = answer.json()["detail"]
    assert (fault["type"], fault["loc"]) == ("extra_forbidden", ["body", "reasons"])


@pytest.mark.parametrize("sent", [{"peer_match_keys": ["k"] * 201}, {"include": {"metadata_keys": ["k"] * 201}}])
def test_a_prompt_has_no_more_keys_than_a_document(api_as: ApiAs, actor: Actor, sent: dict[str, Any]) -> None:
    answer = api_as(actor).post(f"/v0/orgs/{actor.organization.pk}/prompts", {"name": "a", "content": "b", **sent})
    assert answer.status_code == 422, answer.json()
