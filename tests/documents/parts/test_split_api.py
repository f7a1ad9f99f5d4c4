"""Splitting over /v0."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from accounts.actor import Actor
from accounts.models import Role
from documents.models import Document
from tests.conftest import ApiClient
from tests.documents.parts.split_rows import PAGES, put_whole

pytestmark = pytest.mark.django_db
TWO = {"parts": [{"first_page": 1, "last_page": 2, "document_name": "Invoice"}, {"first_page": 4, "last_page": 5}]}


def test_a_client_splits_and_joins_and_nothing_happens_twice(
    actor: Actor, api_as: Callable[[Actor], ApiClient]
) -> None:
    whole, client = put_whole(actor), api_as(actor)
    path = f"/v0/orgs/{actor.organization.pk}/documents/{whole.pk}"
    proposed = client.get(f"{path}/split").json()
    assert [border["page"] for border in proposed["borders"]] == [4] and proposed["document_id"] == whole.pk
    split = client.post(f"{path}/split", TWO).json()
    names = ["Invoice.pdf", "scans, pages 4–5.pdf"]
    assert [part["document_name"] for part in split["parts"]] == names and split["document_id"] == whole.pk
    assert client.get(path, {"include_content": "false"}).json()["parts"] == split["parts"]
    first, _ = split["parts"]
    part_path = f"/v0/orgs/{actor.organization.pk}/documents/{first['document_id']}"
    part = client.get(part_path, {"include_content": "false"}).json()
    assert (part["parent_id"], part["first_page"], part["last_page"], part["type"]) == (
        whole.pk,
        1,
        2,
        "application/pdf",
    )
    text = client.get(f"/v0/orgs/{actor.organization.pk}/ocr/download/text/{first['document_id']}").text
    assert PAGES[1] in text and PAGES[2] not in text
    assert client.get(f"{part_path}/pages/2/picture").status_code == 200
    again = client.post(f"{path}/split", TWO)
    assert again.status_code == 409 and "has pages 1–2 already" in again.json()["detail"]
    assert client.delete(f"{path}/split").json() == {"message": "2 parts are in the trash."}
    assert client.delete(f"{path}/split").status_code == 409
    assert Document.objects.in_trash().count() == 2


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 422),
        ({"parts": []}, 400),
        ({"parts": [{"first_page": 1}]}, 422),
        ({"parts": [{"first_page": "x", "last_page": 2}]}, 422),
        ({"parts": [{"first_page": 1, "last_page": 2, "pages": 3}]}, 422),
        ({"parts": [{"first_page": 1, "last_page": 9}]}, 400),
        ({"parts": [{"first_page": 1, "last_page": 1}] * 201}, 422),
    ],
)
def test_what_is_no_split_is_refused(
    actor: Actor, api_as: Callable[[Actor], ApiClient], body: dict[str, object], status: int
) -> None:
    whole = put_whole(actor)
    path = f"/v0/orgs/{actor.organization.pk}/documents/{whole.pk}/split"
    assert api_as(actor).post(path, body).status_code == status
    assert Document.objects.count() == 1


def test_strangers_and_viewers_split_nothing(
    actor: Actor,
    stranger: Actor,
    member: Callable[[Role], Actor],
    api_as: Callable[[Actor], ApiClient],
) -> None:
    path = f"/v0/orgs/{actor.organization.pk}/documents/{put_whole(actor).pk}/split"
    assert api_as(member(Role.VIEWER)).post(path, TWO).status_code == 403
    assert api_as(stranger).post(path, TWO).status_code == 401
    assert Document.objects.count() == 1
