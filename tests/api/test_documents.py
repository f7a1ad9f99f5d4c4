from __future__ import annotations

import base64
import json
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from django.core.files.base import ContentFile
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import Organization, Role
from documents.intake import uploads
from documents.models import Document, Page, Reading, Tag
from tests.conftest import ApiClient

PDF = b"%PDF-1.4 a stub that no parser can read"
CONTENT = base64.b64encode(PDF).decode()


@pytest.fixture
def path(organization: Organization) -> str:
    return f"/v0/orgs/{organization.pk}/documents"


@pytest.fixture
def client(api_as: Callable[[Actor], ApiClient], actor: Actor) -> ApiClient:
    return api_as(actor)


def store(actor: Actor, name: str, content: bytes = PDF, **more: object) -> Document:
    return uploads.store(actor, name=name, content=ContentFile(content, name=name), **more)


def tag(actor: Actor, name: str) -> Tag:
    return Tag.objects.create(organization=actor.organization, name=name)


def names(answer) -> list[str]:
    assert answer.status_code == 200, answer.content
    return [row["document_name"] for row in answer.json()["documents"]]


def test_it_gives_the_file_back_for_saving_only(client: ApiClient, actor: Actor, path: str) -> None:
    document = store(actor, "Rechnung für März.pdf")
    answer = client.get(f"{path}/{document.pk}/file")
    assert b"".join(answer.streaming_content) == PDF
    assert answer["Content-Type"] == "application/pdf"
    assert answer["Content-Disposition"].startswith("attachment; filename")
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Content-Security-Policy"] == "default-src 'none'; sandbox"


def test_it_moves_a_deleted_document_to_the_trash(client: ApiClient, actor: Actor, path: str) -> None:
    document = store(actor, "a.txt")
    answer = client.delete(f"{path}/{document.pk}")
    assert (answer.status_code, answer.json()) == (200, {"message": "Document deleted successfully"})
    assert client.get(f"{path}/{document.pk}").status_code == 404
    assert client.delete(f"{path}/{document.pk}").status_code == 404
    assert Document.objects.get().trashed_at


@pytest.mark.parametrize("document_id", ["nonsense", "0123456789abcdef01234567", "0123456789ABCDEF01234567"])
def test_it_answers_404_to_ids_it_does_not_know(client: ApiClient, path: str, document_id: str) -> None:
    for route in (f"{path}/{document_id}", f"{path}/{document_id}/file"):
        answer = client.get(route)
        assert (answer.status_code, answer.json()) == (404, {"detail": "Document not found"})


def test_it_keeps_documents_of_another_organization_out_of_sight(client: ApiClient, path: str, stranger: Actor) -> None:
    foreign = store(stranger, "theirs.txt")
    assert client.get(f"{path}/{foreign.pk}").status_code == 404
    assert client.get(path).json() == {"documents": [], "total_count": 0, "skip": 0}


def test_it_lists_newest_first_in_windows(client: ApiClient, actor: Actor, path: str) -> None:
    for number in range(4):
        store(actor, f"{number}.txt", f"{number}".encode())
    answer = client.get(f"{path}?skip=1&limit=2")
    assert names(answer) == ["2.txt", "1.txt"]
    assert (answer.json()["total_count"], answer.json()["skip"]) == (4, 1)
    assert answer.json()["documents"][0]["type"] is None


def test_it_asks_the_database_the_same_for_few_and_for_many(
    client: ApiClient, actor: Actor, path: str, django_assert_num_queries
) -> None:
    urgent = tag(actor, "urgent")
    for number in range(12):
        store(actor, f"{number}.txt", f"{number}".encode(), tag_ids=[urgent.pk])
    client.get(path)
    with django_assert_num_queries(5):  # token, member with organization, keys, page, tags
        assert len(names(client.get(f"{path}?limit=100"))) == 12


@pytest.mark.parametrize("skip", [0, 2, 3, 4, 9])
def test_it_counts_all_documents_whatever_the_page_holds(client: ApiClient, actor: Actor, path: str, skip: int) -> None:
    for number in range(4):
        store(actor, f"{number}.txt", f"{number}".encode())
    answer = client.get(f"{path}?limit=2&skip={skip}").json()
    assert (answer["total_count"], len(answer["documents"])) == (4, len(range(skip, min(4, skip + 2))))


def test_it_ranks_a_name_search_and_takes_it_literally(client: ApiClient, actor: Actor, path: str) -> None:
    for name in ("old über.txt", "über.txt.md", "ÜBER.txt", "a+b.txt", "100%.txt"):
        store(actor, name, name.encode())
    assert names(client.get(path, {"name_search": "über.TXT"})) == ["ÜBER.txt", "über.txt.md", "old über.txt"]
    assert names(client.get(path, {"name_search": "a+b"})) == ["a+b.txt"]
    assert names(client.get(path, {"name_search": "0%."})) == ["100%.txt"]
    assert names(client.get(path, {"name_search": ".*"})) == []


def test_it_filters_by_all_tags_and_by_all_metadata(client: ApiClient, actor: Actor, path: str) -> None:
    red, blue = tag(actor, "red"), tag(actor, "blue")
    store(actor, "both.txt", b"1", tag_ids=[red.pk, blue.pk], metadata={"2024": "a,b=c", "kind": "x"})
    store(actor, "red.txt", b"2", tag_ids=[red.pk], metadata={"kind": "x"})
    assert names(client.get(path, {"tag_ids": f"{red.pk},{blue.pk}"})) == ["both.txt"]
    assert names(client.get(path, {"tag_ids": red.pk})) == ["red.txt", "both.txt"]
    assert names(client.get(path, {"metadata_search": "kind=x,2024=a%2Cb%3Dc"})) == ["both.txt"]
    assert names(client.get(path, {"metadata_search": "kind=y"})) == []


@pytest.mark.parametrize(
    ("item", "matches"),
    [
        ({"field": "document_name", "operator": "contains", "value": "ALPH"}, ["alpha.txt"]),
        ({"field": "documentName", "operator": "doesNotContain", "value": "alph"}, ["beta.txt"]),
        ({"field": "document_name", "operator": "equals", "value": "Alpha.txt"}, []),
        ({"field": "document_name", "operator": "isAnyOf", "value": ["alpha.txt", "x"]}, ["alpha.txt"]),
        ({"field": "document_name", "operator": "endsWith", "value": "A.TXT"}, ["beta.txt", "alpha.txt"]),
        ({"field": "tag_ids", "operator": "contains", "value": "RE"}, ["alpha.txt"]),
        ({"field": "tag_ids", "operator": "doesNotContain", "value": "re"}, ["beta.txt"]),
        ({"field": "tag_ids", "operator": "isEmpty"}, ["beta.txt"]),
        ({"field": "tag_ids", "operator": "isNotEmpty"}, ["alpha.txt"]),
        ({"field": "state", "operator": "!=", "value": "uploaded"}, []),
        ({"field": "upload_date", "operator": "is", "value": "2024-05-01"}, ["alpha.txt"]),
        ({"field": "upload_date", "operator": "after", "value": "2024-05-01"}, ["beta.txt"]),
        ({"field": "uploadDate", "operator": "onOrBefore", "value": "2024-05-01T12:00"}, ["alpha.txt"]),
        ({"field": "upload_date", "operator": "before", "value": "9999-12-31"}, ["beta.txt", "alpha.txt"]),
        ({"field": "unknown", "operator": "is", "value": "x"}, ["beta.txt", "alpha.txt"]),
        ({"field": "document_name", "operator": "sounds", "value": "x"}, ["beta.txt", "alpha.txt"]),
    ],
)
def test_it_filters_as_the_grid_of_the_front_end_asks(client: ApiClient, actor: Actor, path, item, matches) -> None:
    alpha = store(actor, "alpha.txt", b"1", tag_ids=[tag(actor, "red").pk, tag(actor, "green").pk])
    store(actor, "beta.txt", b"2")
    Document.objects.filter(pk=alpha.pk).update(created_at=datetime(2024, 5, 1, 12, tzinfo=UTC))
    assert names(client.get(path, {"filters": json.dumps({"items": [item]})})) == matches


def test_it_joins_filters_with_or_and_sorts(client: ApiClient, actor: Actor, path: str) -> None:
    for name in ("c.txt", "a.txt", "B.txt"):
        store(actor, name, name.encode())
    either = [{"field": "document_name", "operator": "is", "value": name} for name in ("a.txt", "c.txt")]
    query = {"filters": json.dumps({"items": either, "logicOperator": "or"})}
    assert names(client.get(path, query)) == ["a.txt", "c.txt"]
    assert names(client.get(path, {"filters": json.dumps({"items": either})})) == []
    order = json.dumps([{"field": "nonsense", "sort": "asc"}, {"field": "document_name", "sort": "desc"}])
    assert names(client.get(path, {"sort": order})) == ["c.txt", "B.txt", "a.txt"]


@pytest.mark.parametrize("sent", ["{", "7", '"x"'])
def test_it_says_when_sort_or_filters_are_not_json(client: ApiClient, path: str, sent: str) -> None:
    for name in ("sort", "filters"):
        answer = client.get(path, {name: sent})
        assert (answer.status_code, answer.json()) == (400, {"detail": f"Invalid {name} JSON"})


def test_it_gives_the_text_of_the_newest_reading(client: ApiClient, actor: Actor, path: str) -> None:
    document = store(actor, "a.txt")
    route = path.replace("/documents", f"/ocr/download/text/{document.pk}")
    assert client.get(route).json() == {"detail": "OCR text not found"}
    Reading.objects.filter(document=document).update(status="completed", finished_at=timezone.now())
    for number in (1, 2):
        Page.objects.create(
            reading=document.readings.get(),
            number=number,
            width=1,
            height=1,
            text=f"Page {number}",
            engine="text",
            words=b"",
        )
    answer = client.get(route)
    assert (answer["Content-Type"], answer.content) == ("text/plain; charset=utf-8", b"Page 1\n\nPage 2")
    assert client.get(f"{route}?page_num=2").content == b"Page 2"
    assert client.get(f"{route}?page_num=3").status_code == 404
    assert client.get(f"{route}?page_num=0").status_code == 422


def test_it_lets_viewers_read_and_reviewers_upload_but_not_delete(
    api_as: Callable[[Actor], ApiClient], member: Callable[[Role], Actor], actor: Actor, path: str
) -> None:
    document = store(actor, "a.txt")
    viewer, reviewer, builder = (api_as(member(role)) for role in (Role.VIEWER, Role.REVIEWER, Role.BUILDER))
    assert viewer.get(path).status_code == 200
    assert viewer.post(path, {"documents": []}).status_code == 403
    assert reviewer.delete(f"{path}/{document.pk}").status_code == 403
    assert builder.delete(f"{path}/{document.pk}").status_code == 200


def test_it_changes_name_tags_and_metadata_each_as_a_whole(client: ApiClient, actor: Actor, path: str) -> None:
    red, blue = tag(actor, "red"), tag(actor, "blue")
    document = store(actor, "a.txt", tag_ids=[red.pk], metadata={"old": "x"})
    route = f"{path}/{document.pk}"
    answer = client.put(route, {"tag_ids": [blue.pk], "metadata": {"new": "y"}})
    assert (answer.status_code, answer.json()) == (200, {"message": "Document updated successfully"})
    assert client.put(route, {"document_name": "b.txt", "tag_ids": None}).status_code == 200
    body = client.get(route).json()
    assert (body["document_name"], body["tag_ids"], body["metadata"]) == ("b.txt", [blue.pk], {"new": "y"})
    assert client.get(path, {"name_search": "B.TXT"}).json()["total_count"] == 1
    client.put(route, {"tag_ids": [], "metadata": {}})
    assert (client.get(route).json()["tag_ids"], client.get(route).json()["metadata"]) == ([], {})
    for nothing in ({}, {"document_name": None}):
        assert client.put(route, nothing).json() == {"message": "No updates provided"}
    assert Document.objects.get().version == 4


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        ({"document_name": ""}, 400),
        ({"document_name": "x" * 256}, 400),
        ({"tag_ids": ["nope"]}, 400),
        ({"tag_ids": "x"}, 422),
        ({"metadata": {"a": {}}}, 422),
        ({"metadata": []}, 422),
    ],
)
def test_it_changes_nothing_when_a_part_cannot_be_used(
    client: ApiClient, actor: Actor, path: str, sent, status
) -> None:
    document = store(actor, "a.txt", metadata={"k": "v"})
    answer = client.put(f"{path}/{document.pk}", {"metadata": {"new": "y"}, **sent})
    assert answer.status_code == status
    document.refresh_from_db()
    assert (document.name, document.metadata, document.version) == ("a.txt", {"k": "v"}, 1)


def test_it_gives_no_tag_of_another_organization_to_a_document(
    client: ApiClient, actor: Actor, path: str, stranger: Actor
) -> None:
    foreign, document = tag(stranger, "theirs"), store(actor, "a.txt")
    answer = client.put(f"{path}/{document.pk}", {"tag_ids": [foreign.pk]})
    assert (answer.status_code, answer.json()["detail"]) == (400, f"Invalid tag IDs: ['{foreign.pk}']")
    theirs = store(stranger, "theirs.txt")
    answer = client.put(f"{path}/{theirs.pk}", {"document_name": "mine.txt"})
    assert (answer.status_code, answer.json()) == (404, {"detail": "Document not found"})
