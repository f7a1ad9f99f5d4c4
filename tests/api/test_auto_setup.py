"""Automatic setup over /v0: asked for at upload, followed by its log, decided, and asked for again."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from accounts.actor import Actor
from accounts.models import Organization, Role
from agent.turns import headless
from documents.autosetup import auto_setup, proposals
from documents.models import AutoSetup, Document, Prompt, Proposal, Tag
from tests.api.test_documents import CONTENT, client, path, tag
from tests.conftest import ApiClient
from tests.documents.proposal_rows import group_of, make_auto_setup, now, propose, states

__all__ = ["client", "path"]
pytestmark = pytest.mark.django_db


@pytest.fixture
def members(actor: Actor) -> list[AutoSetup]:
    """A group whose proposal waits for a decision."""
    group = group_of(actor, 2)
    propose(actor, group[0])
    return group


@pytest.mark.parametrize(
    ("default", "sent", "is_asked"),
    [
        (False, {}, False),
        (False, {"auto_create": True}, True),
        (True, {}, True),
        (True, {"auto_create": False}, False),
        (True, {"auto_create": None}, True),
    ],
)
def test_an_upload_asks_for_it_or_the_organization_does(
    client: ApiClient, path: str, default: bool, sent: dict[str, object], is_asked: bool
) -> None:
    Organization.objects.update(auto_setup_default=default)
    answer = client.post(path, {"documents": [{"name": "a.pdf", "content": CONTENT, **sent}]}).json()
    body = client.get(f"{path}/{answer['documents'][0]['document_id']}").json()["auto_create"]
    listed = client.get(path).json()["documents"][0]["auto_create"]
    assert listed == body
    assert (body and body["status"]) == ("queued" if is_asked else None)


def test_a_form_asks_for_it_too_and_each_field_takes_only_yes_or_no(client: ApiClient, path: str) -> None:
    for word, status in (("true", 200), ("1", 200), ("false", 200), ("", 200), ("perhaps", 400)):
        sent = {"file": SimpleUploadedFile("a.pdf", b"%PDF-1.4 " + word.encode()), "auto_create": word}
        answer = client.post(f"{path}/multipart", sent, format="multipart")
        assert answer.status_code == status, answer.content
    assert answer.json()["detail"] == "auto_create must be true or false, not perhaps"
    assert AutoSetup.objects.count() == 2
    wrong = client.post(path, {"documents": [{"name": "b.pdf", "content": CONTENT, "auto_create": "perhaps"}]})
    assert wrong.status_code in (400, 422) and "auto_create" in wrong.content.decode()
    assert not Document.objects.filter(name="b.pdf").exists()


def test_its_log_is_there_while_it_runs_and_afterwards_for_all_of_the_group(
    client: ApiClient, path: str, actor: Actor
) -> None:
    first, second = group_of(actor, 2)
    early = client.get(f"{path}/{first.document_id}/auto_create/log")
    assert (early.status_code, early.json()["detail"]) == (404, "The automatic setup of this document has not begun")
    headless.sweep()
    logs = [client.get(f"{path}/{each.document_id}/auto_create/log") for each in (first, second)]
    lines = [json.loads(line) for line in logs[0].content.decode().splitlines()]
    assert logs[0]["Content-Type"].startswith("application/x-ndjson") and logs[0].content == logs[1].content
    assert [line["type"] for line in lines] == ["turn", "message"]
    assert (lines[0]["status"], lines[0]["origin"]) == ("queued", "headless")
    proposals.reject(actor, proposal=Proposal.objects.get())
    headless.sweep()
    after = client.get(f"{path}/{first.document_id}/auto_create/log").content.decode().splitlines()
    assert json.loads(after[0])["status"] == "cancelled"


def test_a_document_that_never_asked_has_nothing_to_decide(client: ApiClient, path: str) -> None:
    stored = client.post(path, {"documents": [{"name": "a.pdf", "content": CONTENT}]}).json()["documents"][0]
    for method, route in (("get", "log"), ("post", "accept"), ("post", "reject")):
        answer = getattr(client, method)(f"{path}/{stored['document_id']}/auto_create/{route}")
        assert answer.status_code == 404
        assert answer.json()["detail"] == "Automatic setup was not asked for this document"


def test_it_accepts_with_a_tag_for_the_whole_group_and_answers_the_second_with_the_decision(
    client: ApiClient, path: str, actor: Actor, members: list[AutoSetup]
) -> None:
    bills = tag(actor, "Bills")
    answer = client.post(f"{path}/{members[1].document_id}/auto_create/accept", {"tag_id": bills.pk})
    assert answer.status_code == 200
    assert states(members) == ["accepted", "running"] and answer.json()["auto_create"]["status"] == "running"
    listed_document = next(row for row in client.get(path).json()["documents"] if row["id"] == members[0].document_id)
    assert listed_document["tag_ids"] == [bills.pk]
    assert (listed_document["auto_create"]["status"], listed_document["auto_create"]["decided_by"]) == (
        "accepted",
        actor.shown_name,
    )
    assert listed_document["auto_create"]["prompt_revid"] == Prompt.objects.get().latest_id
    late = client.post(f"{path}/{members[0].document_id}/auto_create/reject", {"reason": "No"})
    assert (late.status_code, late.json()["winner"]["kind"]) == (409, "accepted")
    assert late.json()["winner"]["at"][-1] == "Z"
    again = client.post(f"{path}/{members[0].document_id}/auto_create/retry")
    assert (again.status_code, again.json()["winner"]["kind"]) == (409, "accepted")


@pytest.mark.parametrize(
    ("route", "sent", "status", "sentence"),
    [
        ("accept", {"tag_id": "f" * 24}, 404, "Tag not found"),
        ("accept", {"tag_id": "x"}, 404, "Tag not found"),
        ("accept", {"tag_name": "n" * 201}, 422, "200"),
        ("accept", {"tag_id": ["a"]}, 422, "tag_id"),
        ("accept", [], 422, "dictionary"),
        ("reject", {"reason": "r" * 2001}, 422, "2000"),
        ("reject", {"reason": {}}, 422, "reason"),
        ("retry", {"model": "nobody/knows"}, 400, "nobody/knows"),
        ("retry", {"model": 7.5e300}, 422, ""),
    ],
)
def test_it_says_what_is_wrong_with_a_decision_and_decides_nothing(
    client: ApiClient, path: str, members: list[AutoSetup], route: str, sent: object, status: int, sentence: str
) -> None:
    answer = client.post(f"{path}/{members[0].document_id}/auto_create/{route}", sent)
    assert (answer.status_code, sentence in answer.content.decode()) == (status, True), answer.content
    assert Proposal.objects.get().status == "proposed" and not Tag.objects.exists()


def test_it_rejects_with_a_reason_and_shows_it(client: ApiClient, path: str, members: list[AutoSetup]) -> None:
    answer = client.post(f"{path}/{members[0].document_id}/auto_create/reject", {"reason": " Too few fields "})
    body = answer.json()["auto_create"]
    assert (body["status"], body["reason"]) == ("rejected", "Too few fields")
    assert not Prompt.objects.filter(trashed_at=None).exists()


def test_it_tries_again_with_another_model(client: ApiClient, path: str, members: list[AutoSetup]) -> None:
    answer = client.post(f"{path}/{members[0].document_id}/auto_create/retry", {"model": "offline/rules"})
    assert answer.json()["auto_create"]["status"] == "queued"
    assert states(members) == ["queued", "queued"]
    early = client.post(f"{path}/{members[0].document_id}/auto_create/accept")
    assert (early.status_code, early.json()["winner"]["kind"]) == (409, "queued")
    auto_setup.assign_waiting()
    early = client.post(f"{path}/{members[0].document_id}/auto_create/accept")
    assert (early.status_code, early.json()["detail"]) == (409, "This proposal is being made.")


def test_others_find_nothing_and_viewers_may_only_read(
    api_as: Callable[[Actor], ApiClient], path: str, stranger: Actor, member: Callable[[Role], Actor], actor: Actor
) -> None:
    auto = make_auto_setup(actor)
    auto_setup.assign_waiting()
    propose(actor, now(auto))
    address = f"{path}/{auto.document_id}/auto_create"
    elsewhere = f"/v0/orgs/{stranger.organization.pk}/documents/{auto.document_id}/auto_create"
    foreign, viewer, reviewer = api_as(stranger), api_as(member(Role.VIEWER)), api_as(member(Role.REVIEWER))
    for route in ("accept", "reject", "retry"):
        assert foreign.post(f"{elsewhere}/{route}").status_code == 404
        assert viewer.post(f"{address}/{route}").status_code == 403
        assert reviewer.post(f"{address}/{route}").status_code == 403
    assert foreign.get(f"{elsewhere}/log").status_code == 404
    assert viewer.get(path).json()["documents"][0]["auto_create"]["status"] == "proposed"
    assert Proposal.objects.get().status == "proposed"
