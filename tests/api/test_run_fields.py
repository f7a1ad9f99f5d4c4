"""What each value rests on, and the change or verification of one of them, over /v0."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from accounts.actor import Actor
from accounts.models import Role
from documents.api.llm.provenance import MAX_EDITS, prove_leaves, represent_field
from documents.extractions import edits
from documents.extractions.field_proofs import FieldProofs
from documents.models import Extraction
from tests.api.proven_rows import path_of, run_located
from tests.conftest import ApiClient
from tests.documents.extraction_rows import PAGE, make_prompt, run_prompt
from tests.documents.reading_rows import document_with

UNKNOWN = "0123456789abcdef01234567"
AMOUNT = "items.1.amount"


@pytest.fixture
def extraction(actor: Actor) -> Extraction:
    return run_located(document_with(actor.organization, PAGE, user=actor.user), make_prompt(actor))


@pytest.fixture
def client(api_as: Callable[[Actor], ApiClient], actor: Actor) -> ApiClient:
    return api_as(actor)


@pytest.fixture
def path(extraction: Extraction) -> str:
    return f"{path_of(extraction)}/fields"


def field_of(client: ApiClient, path: str, name: str) -> dict[str, Any]:
    [field] = client.get(path, {"path": name}).json()["fields"]
    return dict(field)


def test_it_gives_every_value_with_the_words_and_the_place_it_rests_on(client: ApiClient, path: str) -> None:
    body = client.get(path).json()
    assert [field["path"] for field in body["fields"]] == [
        "number",
        "total",
        "items.0.sku",
        "items.0.amount",
        "items.1.sku",
        AMOUNT,
    ]
    assert (body["total_count"], body["skip"], "next_skip" in body) == (6, 0, False)
    total = body["fields"][1]
    assert (total["value"], total["state"], total["page"], total["words"]) == (30.5, "normalized", 1, "30.50")
    [box] = total["boxes"]
    assert 0 < box["left"] < box["right"] < 1 and 0.14 < box["top"] < box["bottom"] < 0.18, "the fifth line"
    assert (total["is_verified"], total["verified_by"], total["edits"], total["failed_checks"]) == (False, None, [], [])


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({"path": "items.0"}, ["items.0.sku", "items.0.amount"]),
        ({"path": "item"}, []),
        ({"state": "edited"}, ["total"]),
        ({"verified": "true"}, ["number"]),
        ({"verified": "False", "path": "total"}, ["total"]),
        ({"skip": "4", "limit": "1"}, ["items.1.sku"]),
        ({"skip": "600"}, []),
    ],
)
def test_it_narrows_and_pages(
    client: ApiClient, path: str, extraction: Extraction, actor: Actor, asked: dict[str, str], expected: list[str]
) -> None:
    edits.set_path(actor, extraction=extraction, path="total", value=31)
    edits.verify(actor, extraction=extraction, where="number")
    assert [field["path"] for field in client.get(path, asked).json()["fields"]] == expected


def test_a_page_ends_where_its_values_grow_too_long(extraction: Extraction) -> None:
    proofs = FieldProofs(extraction)
    leaves = proofs.list_leaves()
    whole = prove_leaves(proofs, leaves)
    assert (len(whole.fields), whole.is_cut) == (6, False)
    part = prove_leaves(proofs, leaves, maximum=whole.letters // 2)
    assert 0 < len(part.fields) < 6 and part.is_cut and part.letters <= whole.letters // 2
    assert [field["path"] for field in prove_leaves(proofs, leaves, maximum=1).fields] == ["number"], "one always comes"


def test_a_long_history_ends_after_the_newest_edits_and_long_texts_are_cut(
    extraction: Extraction, actor: Actor
) -> None:
    for number in range(MAX_EDITS + 2):
        edits.set_path(actor, extraction=extraction, path="number", value=f"{number} {'x' * 5000}")
    body = represent_field(FieldProofs(extraction).prove_path("number")).body
    assert (len(body["edits"]), body["edit_count"]) == (MAX_EDITS, MAX_EDITS + 2)
    assert body["edits"][0]["new"].startswith("21 x") and len(body["edits"][0]["new"]) == 2001
    assert len(body["value"]) > 5000


def test_it_costs_the_same_statements_for_many_edits(
    client: ApiClient, path: str, extraction: Extraction, actor: Actor, django_assert_max_num_queries: Any
) -> None:
    with django_assert_max_num_queries(9):
        client.get(path)
    for value in range(4):
        edits.set_path(actor, extraction=extraction, path=AMOUNT, value=value)
        edits.verify(actor, extraction=extraction, where="number")
    with django_assert_max_num_queries(9):
        assert field_of(client, path, AMOUNT)["edit_count"] == 4


def test_one_value_is_changed_and_tells_its_history(client: ApiClient, path: str, user: Any) -> None:
    field = field_of(client, path, AMOUNT)
    answer = client.patch(path, {"path": AMOUNT, "value": 30.5}, headers={"If-Match": field["etag"]})
    assert answer.status_code == 200, answer.content
    body = answer.json()
    assert answer["ETag"] == body["etag"] != field["etag"] and body == field_of(client, path, AMOUNT)
    assert (body["value"], body["state"], body["edit_count"]) == (30.5, "edited", 1)
    [edit] = body["edits"]
    assert (edit["old"], edit["new"], edit["origin"], edit["by"]) == (20.5, 30.5, "person", user.shown_name)


def test_a_row_that_was_set_whole_says_of_each_value_what_it_did_to_that(client: ApiClient, path: str) -> None:
    new = {"sku": "C-3", "amount": 4}
    assert client.patch(path, {"path": "items.1", "value": new}).json()["value"] == new
    [edit] = field_of(client, path, AMOUNT)["edits"]
    assert (edit["old"], edit["new"]) == (20.5, 4)


def test_a_position_past_the_end_adds_a_row(client: ApiClient, path: str, extraction: Extraction) -> None:
    answer = client.patch(path, {"path": "items.2", "value": {"sku": "C-3", "amount": 4}})
    assert (answer.status_code, answer.json()["path"]) == (200, "items.2")
    assert field_of(client, path, "items.2.sku")["value"] == "C-3"
    late = client.patch(path, {"path": "items.3", "value": {}}, headers={"If-Match": '"nothing"'})
    assert late.status_code == 412 and len(client.get(path).json()["fields"]) == 8


def test_verifying_one_value_says_who_and_when_until_it_changes(client: ApiClient, path: str, user: Any) -> None:
    field = field_of(client, path, "total")
    verified = client.post(f"{path}/verify", {"path": "total"}, headers={"If-Match": field["etag"]}).json()
    assert (verified["is_verified"], verified["verified_by"]) == (True, user.shown_name)
    assert verified["verified_at"].endswith("Z") and verified["etag"] != field["etag"]
    assert client.post(f"{path}/verify", {"path": "total"}).json() == verified, "twice is once"
    assert client.post(f"{path}/verify", {"path": "items.00.sku"}).json() == field_of(client, path, "items.0.sku")
    changed = client.patch(path, {"path": "total", "value": 31}).json()
    assert (changed["is_verified"], changed["verified_by"]) == (False, None)


def test_taking_one_verification_back_takes_back_that_of_the_whole(
    client: ApiClient, path: str, extraction: Extraction, actor: Actor
) -> None:
    edits.verify(actor, extraction=extraction)
    assert field_of(client, path, "number")["is_verified"], "with the whole result"
    body = client.post(f"{path}/unverify", {"path": "total"}).json()
    assert body["is_verified"] is False and not field_of(client, path, "number")["is_verified"]
    assert client.post(f"{path}/unverify", {"path": "total"}).status_code == 200, "without one nothing happens"


@pytest.mark.parametrize("route", ["", "/verify", "/unverify"])
def test_what_somebody_else_has_done_to_the_value_refuses_with_what_holds_now(
    client: ApiClient, path: str, extraction: Extraction, actor: Actor, route: str
) -> None:
    sent = {"path": "total", "value": 40} if not route else {"path": "total"}
    send = client.post if route else client.patch
    for happen in (
        lambda: edits.set_path(actor, extraction=extraction, path="total", value=31),
        lambda: edits.verify(actor, extraction=extraction, where="total"),
        lambda: edits.verify(actor, extraction=extraction),
    ):
        stale = field_of(client, path, "total")["etag"]
        happen()
        late = send(f"{path}{route}", sent, headers={"If-Match": stale})
        assert late.status_code == 412, late.content
        refusal, now = late.json(), field_of(client, path, "total")
        assert refusal["code"] == "changed" and "since you read it" in refusal["detail"]
        assert late["ETag"] == now.pop("etag") and refusal["winner"] == now
    assert extraction.edits.count() == 1


def test_what_happens_to_another_value_is_no_hindrance_unless_the_whole_is_named(
    client: ApiClient, path: str, extraction: Extraction, actor: Actor
) -> None:
    field, whole = field_of(client, path, "total"), client.get(path_of(extraction))["ETag"]
    edits.set_path(actor, extraction=extraction, path="number", value="INV-8")
    assert client.patch(path, {"path": "total", "value": 1}, headers={"If-Match": whole}).status_code == 412
    both = f'W/"1", {field["etag"]}'
    assert client.patch(path, {"path": "total", "value": 1}, headers={"If-Match": both}).status_code == 200
    whole = client.get(path_of(extraction))["ETag"]
    assert client.patch(path, {"path": "total", "value": 2}, headers={"If-Match": whole}).status_code == 200
    assert client.patch(path, {"path": "total", "value": 3}, headers={"If-Match": "*"}).status_code == 200
    for weak in (f"W/{field['etag']}", '""'):
        assert client.patch(path, {"path": "total", "value": 4}, headers={"If-Match": weak}).status_code == 412
    broken = client.patch(path, {"path": "total", "value": 4}, headers={"If-Match": "1"})
    assert (broken.status_code, broken.json()["code"]) == (400, "if_match")


def test_a_row_that_moved_up_is_not_taken_for_the_one_that_stood_there(
    client: ApiClient, path: str, extraction: Extraction, actor: Actor
) -> None:
    first = field_of(client, path, "items.0.amount")["etag"]
    edits.remove_row(actor, extraction=extraction, where=f"items[{extraction.current['items'][0]['row_id']}]")
    late = client.patch(path, {"path": "items.0.amount", "value": 1}, headers={"If-Match": first})
    assert late.status_code == 412 and late.json()["winner"]["value"] == 20.5


@pytest.mark.parametrize(
    ("sent", "status", "words"),
    [
        ({}, 422, "path"),
        ({"path": "total"}, 422, "value"),
        ({"path": 7, "value": 1}, 422, "valid string"),
        ({"path": "x" * 501, "value": 1}, 422, "500"),
        ({"path": "total", "value": 1, "where": "y"}, 422, "Extra"),
        ({"path": "", "value": 1}, 422, "path"),
        ({"path": "total", "value": "much"}, 400, "total"),
        ({"path": "total", "value": {"a": 1}}, 400, "total"),
        ({"path": "totl", "value": 1}, 400, "total"),
        ({"path": "items.9.amount", "value": 1}, 404, "past the end"),
        ({"path": "items.-1.amount", "value": 1}, 400, "items"),
        ({"path": "total.x", "value": 1}, 400, "total"),
        ({"path": ".".join("a" * 200), "value": 1}, 400, ""),
        ({"path": "total[1]", "value": 1}, 400, "total"),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_sentence_and_changes_nothing(
    client: ApiClient, path: str, extraction: Extraction, sent: dict[str, Any], status: int, words: str
) -> None:
    answer = client.patch(path, sent)
    assert (answer.status_code, words in str(answer.json()["detail"])) == (status, True), answer.content
    for broken in ("[1]", "{", "null", '{"path": "total", "value": NaN}'):
        assert client.patch(path, broken, content_type="application/json").status_code in (400, 422), broken
    assert not extraction.edits.exists()


def test_only_a_single_value_can_be_verified(client: ApiClient, path: str, extraction: Extraction) -> None:
    for name, status in (("items", 400), ("items.0", 400), ("items.7.sku", 404), ("nothing", 404), ("total.x", 404)):
        for route in ("verify", "unverify"):
            answer = client.post(f"{path}/{route}", {"path": name})
            assert answer.status_code == status, (name, answer.content)
    assert not extraction.verifications.exists()


def test_its_queries_are_checked(client: ApiClient, path: str) -> None:
    for wrong in ({"state": "sure"}, {"verified": "maybe"}, {"skip": "-1"}, {"limit": "1001"}):
        assert client.get(path, wrong).status_code == 422, wrong
    assert client.get(path, {"path": "items[0]"}).json()["fields"] == []


def test_a_run_of_another_document_or_organization_is_not_there(
    client: ApiClient, path: str, extraction: Extraction, actor: Actor, stranger: Actor
) -> None:
    other = document_with(actor.organization, PAGE)
    foreign = run_prompt(document_with(stranger.organization, PAGE), None)
    for wrong in (
        path.replace(extraction.document_id, other.pk),
        path.replace(extraction.pk, foreign.pk),
        path.replace(extraction.pk, UNKNOWN),
        path.replace(extraction.pk, "x"),
        path_of(foreign).replace(stranger.organization.pk, actor.organization.pk) + "/fields",
    ):
        assert client.get(wrong).status_code == 404, wrong
        assert client.patch(wrong, {"path": "total", "value": 1}).status_code == 404, wrong
        assert client.post(f"{wrong}/verify", {"path": "total"}).status_code == 404, wrong


def test_a_viewer_only_looks_and_a_run_that_was_replaced_is_not_changed(
    api_as: Callable[[Actor], ApiClient],
    member: Callable[[Role], Actor],
    client: ApiClient,
    path: str,
    extraction: Extraction,
) -> None:
    viewer = api_as(member(Role.VIEWER))
    assert viewer.get(path).status_code == 200
    assert viewer.head(path).status_code == 200
    assert viewer.patch(path, {"path": "total", "value": 1}).status_code == 403
    assert viewer.put(path, {}).status_code == 405
    run_prompt(extraction.document, extraction.prompt_revision)
    assert client.get(path).status_code == 200
    assert client.patch(path, {"path": "total", "value": 1}).status_code == 409
