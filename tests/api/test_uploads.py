from __future__ import annotations

import base64
import json
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection

from accounts.actor import Actor
from accounts.services import organizations
from documents.catalog.media_types import TAKEN_IN
from documents.models import Document, Reading
from kit.http.bodies import Body
from tests.api.test_documents import CONTENT, client, path, store, tag
from tests.conftest import ApiClient

__all__ = ["client", "path"]


def test_it_stores_a_batch_and_shows_it_as_the_contract_says(client: ApiClient, actor: Actor, path: str) -> None:
    urgent = tag(actor, "urgent")
    sent = {
        "name": "a.pdf",
        "content": f"data:application/pdf;base64,{CONTENT}",
        "tag_ids": [urgent.pk],
        "metadata": {"from": "post"},
    }
    answer = client.post(path, {"documents": [sent, {"name": "b.txt", "content": CONTENT}]})
    assert answer.status_code == 200
    first, second = answer.json()["documents"]
    assert first == {
        "document_name": "a.pdf",
        "document_id": first["document_id"],
        "tag_ids": [urgent.pk],
        "metadata": {"from": "post"},
    }
    assert (second["tag_ids"], second["metadata"], answer.json()["errors"]) == ([], {}, [])
    one = client.get(f"{path}/{first['document_id']}").json()
    assert one.pop("upload_date").endswith("Z")
    assert one == {
        "id": first["document_id"],
        "pdf_id": first["document_id"],
        "document_name": "a.pdf",
        "uploaded_by": "Test token",
        "state": "uploaded",
        "document_type": None,
        "document_type_source": None,
        "state_reason": "",
        "state_code": None,
        "tag_ids": [urgent.pk],
        "type": "application/pdf",
        "metadata": {"from": "post"},
        "auto_create": None,
        "parent_id": None,
        "first_page": None,
        "last_page": None,
        "parts": [],
        "parts_reason": "",
        "gaps": [],
        "content": CONTENT,
        "same_paper_as": None,
    }
    assert client.get(f"{path}/{first['document_id']}?include_content=False").json()["content"] is None


def test_it_keeps_the_good_files_of_a_batch_and_names_the_bad_ones(client: ApiClient, path: str) -> None:
    good, bad = {"name": "a.pdf", "content": CONTENT}, {"name": "b.exe", "content": CONTENT}
    answer = client.post(path, {"documents": [bad, good]})
    assert answer.status_code == 200
    assert [row["document_name"] for row in answer.json()["documents"]] == ["a.pdf"]
    assert answer.json()["errors"] == [
        {"name": "b.exe", "detail": f"Unsupported file extension .exe: b.exe. {TAKEN_IN}"}
    ]


@pytest.mark.parametrize(
    ("entry", "detail"),
    [
        ({"name": "a.pdf", "content": "not base64!"}, "Invalid base64 content: "),
        ({"name": "a.pdf", "content": "data:application/pdf,x"}, "Invalid base64 content: "),
        ({"name": "a.pdf", "content": "äöü="}, "Invalid base64 content: "),
        ({"name": "a.exe", "content": CONTENT}, f"Unsupported file extension .exe: a.exe. {TAKEN_IN}"),
        ({"name": "a.pdf", "content": ""}, "a.pdf is empty"),
        ({"name": "a.pdf", "content": CONTENT, "tag_ids": ["nope"]}, "Invalid tag IDs: ['nope']"),
    ],
)
def test_it_refuses_a_batch_of_which_nothing_can_be_stored(client: ApiClient, path: str, entry, detail: str) -> None:
    answer = client.post(path, {"documents": [entry]})
    assert answer.status_code == 400
    assert answer.json()["detail"].startswith(detail)
    assert not Document.objects.exists()


def test_it_answers_413_to_a_file_over_the_limit(client: ApiClient, path: str, settings) -> None:
    settings.MAX_UPLOAD_MB = 1
    content = base64.b64encode(b"x" * (1024 * 1024 + 1)).decode()
    answer = client.post(path, {"documents": [{"name": "a.txt", "content": content}]})
    assert answer.status_code == 413
    assert answer.json()["detail"] == "a.txt is larger than 1 MB, the most that is taken here."
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1000
    answer = client.post(path, {"documents": [{"name": "a.txt", "content": content}]})
    assert answer.status_code == 413


def test_it_does_not_take_a_tag_of_another_organization(
    client: ApiClient, path: str, stranger: Actor, actor: Actor
) -> None:
    foreign = tag(stranger, "theirs")
    answer = client.post(path, {"documents": [{"name": "a.pdf", "content": CONTENT, "tag_ids": [foreign.pk]}]})
    assert (answer.status_code, answer.json()["detail"]) == (400, f"Invalid tag IDs: ['{foreign.pk}']")


def test_it_stores_a_multipart_form(client: ApiClient, actor: Actor, path: str) -> None:
    urgent = tag(actor, "urgent")
    form = {
        "file": SimpleUploadedFile("scan.png", b"png"),
        "name": "Scan 1.png",
        "tag_ids": json.dumps([urgent.pk]),
        "metadata": '{"k": "v"}',
    }
    answer = client.post(f"{path}/multipart", form, format="multipart")
    assert answer.status_code == 200
    stored = answer.json()["document"]
    assert stored == {
        "document_name": "Scan 1.png",
        "document_id": stored["document_id"],
        "tag_ids": [urgent.pk],
        "metadata": {"k": "v"},
    }


@pytest.mark.parametrize(
    ("more", "detail"),
    [
        ({"tag_ids": "{"}, "Invalid tag_ids JSON: "),
        ({"tag_ids": "[1]"}, "tag_ids must be a JSON array of strings"),
        ({"metadata": "[]"}, "metadata must be a JSON object with string values"),
        ({"metadata": '{"a": 1}'}, "metadata must be a JSON object with string values"),
    ],
)
def test_it_refuses_a_multipart_form_that_cannot_be_read(client: ApiClient, path: str, more, detail: str) -> None:
    form = {"file": SimpleUploadedFile("a.txt", b"text"), **more}
    answer = client.post(f"{path}/multipart", form, format="multipart")
    assert answer.status_code == 400
    assert answer.json()["detail"].startswith(detail)


def test_it_wants_a_file_in_the_multipart_form(client: ApiClient, path: str) -> None:
    answer = client.post(f"{path}/multipart", {"name": "x"}, format="multipart")
    assert answer.status_code == 422
    assert answer.json()["detail"][0]["loc"] == ["body", "file"]


def test_it_points_large_json_uploads_to_multipart(client: ApiClient, path: str) -> None:
    answer = client.post(path, {"documents": []}, CONTENT_LENGTH=str(Body.BASE64.max_bytes + 1))
    assert answer.status_code == 413
    assert answer.json()["detail"].endswith(f"{path}/multipart.")


@pytest.mark.parametrize(
    "extension",
    [
        "pdf",
        "docx",
        "doc",
        "csv",
        "xls",
        "xlsx",
        "txt",
        "md",
        "jpg",
        "jpeg",
        "png",
        "gif",
        "webp",
        "bmp",
        "tiff",
        "tif",
        "html",
        "eml",
    ],
)
def test_it_takes_every_extension_of_the_contract(client: ApiClient, path: str, extension: str) -> None:
    answer = client.post(path, {"documents": [{"name": f"a.{extension}", "content": CONTENT}]})
    assert answer.status_code == 200


def test_it_stores_an_upload_that_is_sent_again_once(client: ApiClient, path: str, actor: Actor) -> None:
    sent = {"documents": [{"name": "a.pdf", "content": CONTENT}, {"name": "b.pdf", "content": CONTENT}]}
    first, again = (client.post(path, sent, HTTP_IDEMPOTENCY_KEY="k1") for _ in range(2))
    assert first.json() == again.json()
    assert Document.objects.count() == Reading.objects.count() == 2
    other = {"documents": [{"name": "a.pdf", "content": base64.b64encode(b"other").decode()}]}
    refused = client.post(path, other, HTTP_IDEMPOTENCY_KEY="k1")
    assert (refused.status_code, refused.json()["detail"]) == (
        400,
        "This Idempotency-Key was used for another file already.",
    )
    assert client.post(path, sent).status_code == 200
    assert Document.objects.count() == 4
    assert client.post(path, sent, HTTP_IDEMPOTENCY_KEY="k" * 201).status_code == 400


def test_it_stores_a_form_that_is_sent_again_once(client: ApiClient, path: str) -> None:
    document_ids = {
        client.post(
            f"{path}/multipart",
            {"file": SimpleUploadedFile("a.txt", b"text")},
            format="multipart",
            HTTP_IDEMPOTENCY_KEY="k2",
        ).json()["document"]["document_id"]
        for _ in range(2)
    }
    assert document_ids == {Document.objects.get().pk}


def test_it_keeps_the_keys_of_organizations_apart(client: ApiClient, api_as, path: str, stranger: Actor) -> None:
    theirs = path.replace(path.split("/")[3], stranger.organization.pk)
    sent = {"documents": [{"name": "a.pdf", "content": CONTENT}]}
    client.post(path, sent, HTTP_IDEMPOTENCY_KEY="k1")
    assert api_as(stranger).post(theirs, sent, HTTP_IDEMPOTENCY_KEY="k1").status_code == 200
    assert Document.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_of_two_uploads_with_one_key_at_once_one_document_is_made(actor: Actor) -> None:
    start = Barrier(4)

    def upload(number: int) -> str:
        try:
            start.wait(60)
            return store(actor, f"{number}.pdf", key="k").pk
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        document_ids = set(pool.map(upload, range(4)))
    assert document_ids == {Document.objects.get().pk}
    assert len(default_storage.listdir(f"documents/{actor.organization.pk}")[1]) == 1


def test_it_takes_one_file_in_a_form_and_drops_none(client: ApiClient, path: str) -> None:
    files = [SimpleUploadedFile(name, b"Total 5") for name in ("a.txt", "b.txt")]
    for form in ({"file": files}, {"file": files[0], "attachment": files[1]}):
        answer = client.post(f"{path}/multipart", form, format="multipart")
        assert (answer.status_code, answer.json()["detail"][0]["loc"]) == (422, ["body", "file"])
        assert "this one holds 2" in answer.json()["detail"][0]["msg"]
    assert not Document.objects.exists()


def test_it_says_that_a_form_cannot_be_read(client: ApiClient, path: str) -> None:
    answer = client.generic("POST", f"{path}/multipart", b"xx", content_type="multipart/form-data")
    (fault,) = answer.json()["detail"]
    assert (answer.status_code, fault["type"]) == (422, "form_invalid") and "boundary" in fault["msg"]


def test_it_takes_so_many_files_in_a_batch_and_names_few_unknown_tags(client: ApiClient, path: str) -> None:
    entry = {"name": "a.txt", "content": CONTENT}
    (fault,) = client.post(path, {"documents": [entry] * 501}).json()["detail"]
    assert fault["loc"] == ["body", "documents"] and "takes 500 files at most" in fault["msg"]
    tags = client.post(path, {"documents": [{**entry, "tag_ids": ["x" * 24] * 3000}]})
    assert tags.json()["detail"].endswith(" and 2,980 more")


def test_a_file_that_is_here_already_is_refused_with_a_code_where_that_is_the_policy(
    client: ApiClient, actor: Actor, path: str
) -> None:
    first = client.post(path, {"documents": [{"name": "a.pdf", "content": CONTENT}]}).json()["documents"][0]
    organizations.change(actor, identical_files="refuse")
    answer = client.post(path, {"documents": [{"name": "b.pdf", "content": CONTENT}]})
    assert (answer.status_code, answer.json()["code"]) == (409, "identical_file")
    assert answer.json()["winner"] == {"document_id": first["document_id"], "document_name": "a.pdf"}
    form = {"file": SimpleUploadedFile("c.pdf", base64.b64decode(CONTENT))}
    assert client.post(f"{path}/multipart", form, format="multipart").json()["code"] == "identical_file"
