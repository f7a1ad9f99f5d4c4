"""Bulk actions over /v0: asked for, watched, stopped, undone, and the file of a download."""

from __future__ import annotations

import csv
import io
import json
import time
import zipfile
from collections.abc import Callable

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from rest_framework.test import APIClient

from accounts.actor import Actor
from accounts.models import Role
from documents import bulk, document_changes
from documents.bulk import downloads
from documents.bulk.requesting import KEY_USED
from documents.intake import uploads
from documents.models import BulkAction, Document
from tests.documents.bulk.bulk_rows import make_documents, make_tag
from tests.documents.extraction_rows import make_prompt, run_prompt

pytestmark = pytest.mark.django_db
Client = Callable[[Actor], APIClient]


@pytest.fixture
def client(actor: Actor, api_as: Client) -> APIClient:
    return api_as(actor)


def address(actor: Actor, rest: str = "") -> str:
    return f"/v0/orgs/{actor.organization.pk}/documents/bulk{rest}"


def work() -> None:
    while bulk.run_next(holder="test"):
        pass


def test_an_action_is_asked_for_watched_and_undone(client: APIClient, actor: Actor) -> None:
    documents, tag = make_documents(actor, 3), make_tag(actor)
    documents[0].tags.add(tag)
    sent = {"action": "tag", "tag_id": tag.pk, "document_ids": [document.pk for document in documents]}
    answer = client.post(address(actor), sent)
    assert (answer.status_code, answer.json()["status"], answer.json()["total"]) == (202, "queued", 3)
    work()
    state = client.get(f"{answer['Location']}?item_status=left_out").json()
    assert (state["status"], state["done"], state["left_out"], state["can_undo"]) == ("done", 2, 1, True)
    [left_out] = state["items"]
    assert left_out["document_name"] == "0.txt" and left_out["code"] == "tagged"
    undo = client.post(f"{answer['Location']}/undo").json()
    work()
    assert client.get(address(actor, f"/{undo['bulk_action_id']}")).json()["done"] == 2
    assert client.get(answer["Location"]).json()["undone_by"] == undo["bulk_action_id"]
    assert list(tag.documents.all()) == [documents[0]]
    assert [row["undo_of"] for row in client.get(address(actor)).json()["bulk_actions"]] == [
        state["bulk_action_id"],
        None,
    ]


def test_a_filter_selects_all_that_match_at_that_moment(client: APIClient, actor: Actor) -> None:
    make_documents(actor, 12)
    answer = client.post(address(actor), {"action": "trash", "document_filters": {"name_search": "1"}})
    assert answer.json()["total"] == 3
    work()
    assert Document.objects.for_org(actor.organization).count() == 9
    answer = client.post(address(actor), {"action": "restore", "document_filters": {}})
    assert answer.json()["total"] == 3


def test_the_same_key_asks_once(client: APIClient, actor: Actor) -> None:
    make_documents(actor, 1)
    sent = {"action": "trash", "document_filters": {}}
    first, second = (client.post(address(actor), sent, headers={"Idempotency-Key": "n-1"}).json() for _ in range(2))
    assert first["bulk_action_id"] == second["bulk_action_id"] and BulkAction.objects.count() == 1


def test_the_same_key_gives_the_action_again_after_it_has_moved_the_documents(client: APIClient, actor: Actor) -> None:
    [document] = make_documents(actor, 1)
    sent, key = {"action": "trash", "document_ids": [document.pk]}, {"Idempotency-Key": "n-1"}
    first = client.post(address(actor), sent, headers=key).json()
    work()
    assert client.post(address(actor), sent, headers=key).json()["bulk_action_id"] == first["bulk_action_id"]
    assert client.post(address(actor), sent).status_code == 400


def test_a_state_that_does_not_exist_is_refused_with_those_that_do(client: APIClient, actor: Actor) -> None:
    [fault] = client.get(f"{address(actor)}?status=over").json()["detail"]
    assert fault["msg"].startswith("Input should be 'queued' or ")


@pytest.mark.parametrize("selection", ["ids", "filter"])
def test_the_same_request_is_the_same_when_it_selects_others_by_now(
    client: APIClient, actor: Actor, selection: str
) -> None:
    """Whoever got no answer asks again, and what was asked for may be done by then."""
    tag, documents = make_tag(actor), make_documents(actor, 2)
    tag.documents.set(documents)
    ids = [document.pk for document in documents]
    selected = {"document_ids": ids} if selection == "ids" else {"document_filters": {"q": "tag:Invoices"}}
    sent, headers = {"action": "trash", **selected}, {"Idempotency-Key": "n-1"}
    first = client.post(address(actor), sent, headers=headers).json()
    work()
    tag.documents.add(*make_documents(actor, 3))
    second = client.post(address(actor), sent, headers=headers)
    assert (second.status_code, second.json().get("bulk_action_id")) == (202, first["bulk_action_id"])
    other = client.post(address(actor), {"action": "trash", "document_filters": {}}, headers=headers)
    assert (other.status_code, other.json()) == (409, {"detail": KEY_USED, "code": "key_used"})
    assert BulkAction.objects.count() == 1


def test_a_stopped_action_says_who_stopped_it(client: APIClient, actor: Actor) -> None:
    make_documents(actor, 2)
    action = client.post(address(actor), {"action": "trash", "document_filters": {}}).json()
    state = client.post(address(actor, f"/{action['bulk_action_id']}/stop")).json()
    assert (state["status"], state["left_out"], state["reason"]) == ("stopped", 2, "Stopped by Test token.")


@pytest.mark.parametrize(
    ("sent", "code", "words"),
    [
        ({"action": "trash"}, 400, "document_ids or document_filters"),
        ({"action": "trash", "document_ids": [], "document_filters": {}}, 400, "one of them"),
        ({"action": "trash", "document_ids": []}, 400, "No document is selected"),
        ({"action": "trash", "document_ids": ["f" * 24, "x"]}, 400, "Invalid document IDs"),
        ({"action": "tag", "document_filters": {}}, 400, "needs tag_id"),
        ({"action": "type", "document_filters": {}}, 400, "needs document_type"),
        ({"action": "type", "document_type": "poem", "document_filters": {}}, 400, "There is no type"),
        ({"action": "trash", "tag_id": "x", "document_filters": {}}, 400, "takes no tag_id"),
        ({"action": "trash", "document_filters": {"q": "total >> 5"}}, 400, "cannot compare"),
        ({"action": "trash", "document_filters": {"nam_search": "x"}}, 422, "Extra inputs"),
        ({"action": "burn", "document_filters": {}}, 422, "not a valid choice"),
        ({"action": "trash", "document_filters": {}, "ids": []}, 422, "Extra inputs"),
        (
            {"action": "download", "content": "results", "format": "zip", "document_filters": {}},
            400,
            "A download needs",
        ),
    ],
)
def test_what_makes_no_sense_is_refused_in_words(
    client: APIClient, actor: Actor, sent: dict[str, object], code: int, words: str
) -> None:
    answer = client.post(address(actor), sent)
    assert answer.status_code == code and words in json.dumps(answer.json())
    assert not BulkAction.objects.exists()


def test_documents_and_actions_of_others_are_not_there(
    client: APIClient, actor: Actor, stranger: Actor, api_as: Client, member: Callable[[Role], Actor]
) -> None:
    [foreign] = make_documents(stranger, 1)
    answer = client.post(address(actor), {"action": "trash", "document_ids": [foreign.pk]})
    assert (answer.status_code, foreign.pk in answer.json()["detail"]) == (400, True)
    action = api_as(stranger).post(address(stranger), {"action": "trash", "document_filters": {}}).json()
    assert client.get(address(actor, f"/{action['bulk_action_id']}")).status_code == 404
    reviewer = api_as(member(Role.REVIEWER))
    assert reviewer.post(address(actor), {"action": "trash", "document_filters": {}}).status_code == 403


def store(actor: Actor, name: str, content: bytes = b"Total 12.50") -> Document:
    return uploads.store(actor, name=name, content=ContentFile(content, name="a.txt"))


def test_originals_come_as_one_zip_and_what_is_missing_is_named(client: APIClient, actor: Actor) -> None:
    store(actor, "a.txt", b"first")
    store(actor, "A.txt", b"second")
    gone, trashed = store(actor, "gone.txt"), store(actor, "trashed.txt")
    action = client.post(address(actor), {"action": "download", "document_filters": {}}).json()
    assert (action["status"], action["done"]) == ("done", 4)
    default_storage.delete(str(gone.file))
    document_changes.trash(actor, document=trashed)
    answer = client.get(address(actor, f"/{action['bulk_action_id']}/download"))
    assert answer["Content-Disposition"].startswith('attachment; filename="originals-')
    with zipfile.ZipFile(io.BytesIO(answer.getvalue())) as archive:
        assert archive.testzip() is None
        assert sorted(archive.namelist()) == ["A.txt", "a (2).txt", downloads.LEFT_OUT]
        assert archive.read("A.txt") == b"second"
        assert archive.read(downloads.LEFT_OUT).decode().splitlines() == [
            "trashed.txt: It is in the trash.",
            "gone.txt: The stored file is missing.",
        ]


def test_files_of_one_name_get_numbers_in_time(client: APIClient, actor: Actor) -> None:
    """Ten thousand are the most of one download; from the first number each, that was half a minute."""
    numbers: dict[str, int] = {}
    began = time.process_time()
    chosen = {downloads._choose_name("Scan.pdf", numbers).casefold() for _ in range(10_000)}
    assert time.process_time() - began < 2 and len(chosen) == 10_000


@pytest.mark.parametrize("name", ["..", ".", "a/.."])
def test_no_name_leads_out_of_the_folder_of_a_zip(client: APIClient, actor: Actor, name: str) -> None:
    [document] = make_documents(actor, 1)
    answer = client.put(f"/v0/orgs/{actor.organization.pk}/documents/{document.pk}", {"document_name": name})
    assert (answer.status_code, answer.json()["detail"]) == (400, "File name is required")


def test_results_come_as_json_and_as_csv_that_no_spreadsheet_runs(client: APIClient, actor: Actor) -> None:
    document, prompt = store(actor, "a.txt"), make_prompt(actor)
    store(actor, "b.txt")
    for number in (1, 2):
        run_prompt(document, prompt, {"number": "=1+1", "total": number})
    texts = {}
    for form in ("json", "csv"):
        sent = {"action": "download", "content": "results", "format": form, "document_filters": {}}
        action = client.post(address(actor), {**sent, "columns": ["@name", "number", "total"]}).json()
        texts[form] = client.get(address(actor, f"/{action['bulk_action_id']}/download")).getvalue().decode("utf-8-sig")
    whole = json.loads(texts["json"])
    assert [each["document_name"] for each in whole["trailer"]["left_out"]] == ["b.txt"]
    [found] = whole["results"]
    assert [result["values"] for result in found["results"]] == [{"number": "=1+1", "total": 2}]
    head, line, _, *left_out = csv.reader(io.StringIO(texts["csv"]))
    assert (head, line) == (["Document", "Number", "Total"], ["a.txt", "'=1+1", "2"])
    assert [row[-2:] for row in left_out[1:]] == [["b.txt", "It has not been read yet."]]


def test_another_kind_has_no_file(client: APIClient, actor: Actor) -> None:
    make_documents(actor, 1)
    action = client.post(address(actor), {"action": "trash", "document_filters": {}}).json()
    answer = client.get(address(actor, f"/{action['bulk_action_id']}/download"))
    assert (answer.status_code, answer.json()["detail"]) == (400, "This bulk action is no download.")
