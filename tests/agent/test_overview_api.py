"""Inbox, jobs and audit over /v0: what they list, for whom, how they page, and what an item links to."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import Role
from accounts.services import audit
from agent.conversation import threads
from agent.inbox.inbox_page import KINDS
from agent.models import ToolCall, Turn
from agent.toolkit.registry import Registry
from documents.models import AutoSetup, BulkAction, BulkItem, Document, Extraction, HeldRun, Reading
from tests.agent.conftest import propose_all
from tests.agent.inbox_pages import NOTE, create_failed_document, create_paused_turn, create_proposal
from tests.conftest import ApiClient
from tests.documents import checked_invoice
from tests.documents.checked_invoice import SUM, store_invoice
from tests.documents.extraction_rows import PAGE, make_prompt, run_prompt
from tests.documents.reading_rows import add_reading, document_with

pytestmark = [pytest.mark.django_db, pytest.mark.servers]
UNKNOWN = "0123456789abcdef01234567"


@pytest.fixture
def client(api_as: Callable[[Actor], ApiClient], actor: Actor) -> ApiClient:
    return api_as(actor)


@pytest.fixture
def base(actor: Actor) -> str:
    return f"/v0/orgs/{actor.organization.pk}"


@pytest.fixture
def document(actor: Actor) -> Document:
    return document_with(actor.organization, PAGE, user=actor.user)


@pytest.fixture
def items(actor: Actor, document: Document, tools: Registry) -> list[str]:
    """One of each kind, in the order of the list."""
    prompt = checked_invoice.make_prompt(actor, [SUM])
    card, doubt = (propose_all(threads.create(actor, document=document), NOTE)[0] for _ in range(2))
    ToolCall.objects.filter(pk=doubt.pk).update(status=ToolCall.Status.IN_DOUBT)
    turn = create_paused_turn(threads.create(actor, document=document))
    failed = create_failed_document(actor, Document.State.LLM_FAILED)
    Extraction.objects.create(document=failed, number=1, model="x", status="failed", prompt_revision=prompt)
    verifiable = document_with(actor.organization, PAGE, name="done.pdf")
    run_prompt(verifiable, prompt)
    Document.objects.filter(pk=verifiable.pk).update(
        state=Document.State.LLM_COMPLETED, review=Document.Review.TO_VERIFY
    )
    proposal, unread = create_proposal(actor, document), create_failed_document(actor)
    rows: dict[str, Any] = {
        "card": card,
        "proposal": proposal,
        "doubt": doubt,
        "paused": turn,
        "unread": unread,
        "failed": failed,
    }
    failing = store_invoice(actor, prompt, "wrong.pdf", subtotal=36).document
    Document.objects.filter(pk=failing.pk).update(state=Document.State.LLM_COMPLETED)
    held = HeldRun.objects.create(document=verifiable, prompt=prompt.prompt, reason="It is for another type.")
    rows |= {"verify": verifiable, "checks": failing, "held": held}
    return [f"{kind}-{rows[kind].pk}" for kind in KINDS]


def key_of(items: list[str], kind: str) -> str:
    return next(key for key in items if key.startswith(f"{kind}-"))


def ids(answer: Any, name: str = "items") -> list[str]:
    return [row["id"] for row in answer.json()[name]]


def test_the_inbox_lists_every_kind_and_says_where_each_is_decided(
    client: ApiClient, base: str, items: list[str]
) -> None:
    answer = client.get(f"{base}/inbox")
    assert ids(answer) == items and answer.json()["next"] is None and answer.json()["waiting_count"] == 7
    rows = {row["kind"]: row for row in answer.json()["items"]}
    acts = {kind: [(act["name"], act["path"]) for act in row["actions"]] for kind, row in rows.items()}
    card, lead = rows["card"]["call_id"], rows["proposal"]["document_id"]
    assert acts["card"] == [("decide", f"{base}/tool_calls/{card}/decision")]
    assert acts["proposal"] == [(name, f"{base}/documents/{lead}/auto_create/{name}") for name in ("accept", "reject")]
    assert [name for name, _ in acts["paused"]] == ["resume", "cancel"] and acts["doubt"] == acts["verify"] == acts[
        "checks"
    ] == []
    assert acts["unread"] == [("retry", f"{base}/ocr/run/{rows['unread']['document_id']}")]
    assert acts["failed"][0][1].startswith(f"{base}/llm/run/{rows['failed']['document_id']}?prompt_revid=")
    for row in rows.values():
        assert b"Not Found" not in client.get(row["links"]["api"]).content, row
        assert row["links"]["page"].startswith("/orgs/") and row["since"].endswith("Z")


def test_the_inbox_pages_by_its_last_item_and_narrows(client: ApiClient, base: str, items: list[str]) -> None:
    seen, after = list[str](), ""
    for _ in range(5):
        answer = client.get(f"{base}/inbox", {"limit": 2, "after": after})
        seen, after = seen + ids(answer), answer.json()["next"]
    assert (seen, after) == (items, None)
    doubt, paused = key_of(items, "doubt"), key_of(items, "paused")
    assert ids(client.get(f"{base}/inbox", {"section": "stopped"})) == [doubt, paused]
    assert ids(client.get(f"{base}/inbox", {"section": "stopped", "after": doubt})) == [paused]
    mine = [key_of(items, "card"), key_of(items, "proposal"), doubt, paused]
    assert ids(client.get(f"{base}/inbox", {"mine": "true"})) == mine
    assert ids(client.get(f"{base}/inbox", {"older_than": "day"})) == []
    wrong = ({"after": "x"}, {"after": f"card-{UNKNOWN}"}, {"after": paused, "section": "failed"}, {"limit": "0"})
    for query in (*wrong, {"section": "all"}, {"mine": "perhaps"}, {"older_than": "year"}, {"limit": "101"}):
        assert client.get(f"{base}/inbox", query).status_code == 422, query


def test_a_locked_file_is_to_be_unlocked_and_any_other_is_read_again(
    client: ApiClient, base: str, actor: Actor
) -> None:
    locked = create_failed_document(actor, state_code="password_missing")
    text = create_failed_document(actor)
    Document.objects.filter(pk=text.pk).update(media_type="text/plain")
    first, second = client.get(f"{base}/inbox").json()["items"]
    assert [act["path"] for act in first["actions"]] == [f"{base}/documents/{locked.pk}/unlock"]
    assert [act["path"] for act in second["actions"]] == [f"{base}/ocr/run/{text.pk}"]


def test_a_viewer_sees_what_waits_and_no_actions_and_a_stranger_nothing(
    api_as: Callable[[Actor], ApiClient],
    member: Callable[[Role], Actor],
    stranger: Actor,
    base: str,
    items: list[str],
) -> None:
    viewer = api_as(member(Role.VIEWER))
    rows = viewer.get(f"{base}/inbox").json()
    assert ids(viewer.get(f"{base}/inbox")) == items and rows["waiting_count"] == 0
    assert not any(row["actions"] for row in rows["items"])
    assert not any(row["actions"] for row in viewer.get(f"{base}/jobs").json()["jobs"])
    reviewer = {row["kind"]: row for row in api_as(member(Role.REVIEWER)).get(f"{base}/inbox").json()["items"]}
    assert reviewer["card"]["actions"] and not reviewer["proposal"]["actions"]
    other = api_as(stranger)
    theirs = f"/v0/orgs/{stranger.organization.pk}"
    assert ids(other.get(f"{theirs}/inbox")) == ids(other.get(f"{theirs}/jobs"), "jobs") == []
    assert other.get(f"{theirs}/inbox", {"after": items[0]}).status_code == 422


def test_the_inbox_costs_the_same_statements_for_many_items(
    client: ApiClient, base: str, actor: Actor, items: list[str], django_assert_max_num_queries: Any
) -> None:
    client.get(f"{base}/inbox")
    with django_assert_max_num_queries(22):
        client.get(f"{base}/inbox")
    for _ in range(4):
        create_failed_document(actor)
        propose_all(threads.create(actor, document=document_with(actor.organization, PAGE)), NOTE)
    with django_assert_max_num_queries(22):
        assert len(client.get(f"{base}/inbox", {"limit": 50}).json()["items"]) == 17


@pytest.fixture
def jobs(actor: Actor, document: Document) -> list[str]:
    """One of each kind, the newest first."""
    reading = add_reading(document, PAGE)
    Reading.objects.filter(pk=reading.pk).update(status="reading", pages_read=2, page_count=7)
    run = run_prompt(document_with(actor.organization, PAGE), make_prompt(actor))
    Extraction.objects.filter(pk=run.pk).update(status="failed", reason="The model gave no JSON.")
    setup = AutoSetup.objects.create(document=document, status="queued", requested_by=actor.user)
    bulk = BulkAction.objects.create(
        organization=actor.organization, kind="tag", total_count=9, done_count=3, left_out_count=1
    )
    BulkItem.objects.create(action=bulk, document=document)
    turn = create_paused_turn(threads.create(actor, document=document))
    Turn.objects.filter(pk=turn.pk).update(status="running", pause_reason="", round=3)
    rows = {"turn": turn, "auto_setup": setup, "extraction": run, "reading": reading, "bulk": bulk}
    now = timezone.now()
    for age, row in enumerate(rows.values()):
        type(row)._default_manager.filter(pk=row.pk).update(created_at=now - timedelta(minutes=age // 2))
    return [f"{kind}-{row.pk}" for kind, row in rows.items()]


def test_the_jobs_say_how_far_each_is_what_went_wrong_and_how_to_go_on(
    client: ApiClient, base: str, jobs: list[str]
) -> None:
    answer = client.get(f"{base}/jobs")
    assert sorted(ids(answer, "jobs")) == sorted(jobs) and answer.json()["next"] is None
    rows = {row["kind"]: row for row in answer.json()["jobs"]}
    assert {kind: row["status"] for kind, row in rows.items()} == {
        "reading": "running",
        "extraction": "failed",
        "auto_setup": "queued",
        "bulk": "queued",
        "turn": "running",
    }
    assert rows["reading"]["progress"] == {"done": 2, "total": 7} and rows["turn"]["progress"]["done"] == 3
    assert (rows["extraction"]["error"], rows["extraction"]["progress"]) == ("The model gave no JSON.", None)
    [retry] = rows["extraction"]["actions"]
    assert (retry["name"], retry["method"]) == ("retry", "POST") and retry["path"].endswith("&force=true")
    assert [act["name"] for act in rows["turn"]["actions"]] == ["cancel"] and rows["reading"]["actions"] == []
    assert (rows["bulk"]["title"], rows["bulk"]["progress"]) == ("Tag: 9 documents", {"done": 4, "total": 9})
    assert [act["name"] for act in rows["bulk"]["actions"]] == ["stop"]
    for row in rows.values():
        assert b"Not Found" not in client.get(row["links"]["api"]).content, row


def test_the_jobs_page_over_all_kinds_together_and_narrow(
    client: ApiClient, base: str, jobs: list[str], document: Document
) -> None:
    whole, seen, after = ids(client.get(f"{base}/jobs"), "jobs"), list[str](), ""
    for _ in jobs:
        answer = client.get(f"{base}/jobs", {"limit": 1, "after": after})
        seen, after = seen + ids(answer, "jobs"), answer.json()["next"]
    assert seen == whole and after is None
    assert ids(client.get(f"{base}/jobs", {"kind": "reading", "status": "running"}), "jobs") == jobs[3:4]
    assert ids(client.get(f"{base}/jobs", {"status": "failed"}), "jobs") == jobs[2:3]
    assert jobs[2] not in ids(client.get(f"{base}/jobs", {"document_id": document.pk}), "jobs")
    assert ids(client.get(f"{base}/jobs", {"document_id": "x"}), "jobs") == []
    for query in ({"kind": "all"}, {"status": "completed"}, {"after": f"turn-{UNKNOWN}"}, {"after": "x"}):
        assert client.get(f"{base}/jobs", query).status_code == 422, query


def test_what_failed_is_no_job_any_more_once_it_was_tried_again(
    client: ApiClient, base: str, actor: Actor, document: Document
) -> None:
    for prompt in (make_prompt(actor), None):
        failed = run_prompt(document, prompt)
        Extraction.objects.filter(pk=failed.pk).update(status="failed")
        assert len(ids(client.get(f"{base}/jobs"), "jobs")) == 1
        run_prompt(document, prompt)
        assert ids(client.get(f"{base}/jobs"), "jobs") == []
    Reading.objects.filter(document=document).update(status="failed")
    assert len(ids(client.get(f"{base}/jobs"), "jobs")) == 1
    add_reading(document, PAGE)
    assert ids(client.get(f"{base}/jobs"), "jobs") == []
    Document.objects.filter(pk=document.pk).update(trashed_at=timezone.now())
    Reading.objects.filter(document=document).update(status="queued")
    assert ids(client.get(f"{base}/jobs"), "jobs") == []


def test_the_audit_says_who_did_what_and_pages_from_the_newest(
    client: ApiClient, base: str, actor: Actor, document: Document
) -> None:
    for number in range(3):
        audit.record(actor, "looked at", document, number=number)
    answer = client.get(f"{base}/audit", {"limit": 2, "text": "looked"})
    first, second = answer.json()["entries"]
    assert (first["detail"], second["detail"]) == ({"number": 2}, {"number": 1})
    assert (first["action"], first["target_id"], first["target_name"]) == ("looked at", document.pk, document.name)
    assert (first["origin"], first["by"], first["user_id"]) == ("person", "Person", actor.user.pk)
    assert first["links"]["page"].endswith(document.pk) and (first["tool"], first["call_id"]) == (None, None)
    rest = client.get(f"{base}/audit", {"limit": 2, "text": "looked", "before": answer.json()["next"]}).json()
    assert [entry["detail"] for entry in rest["entries"]] == [{"number": 0}] and rest["next"] is None


def test_the_audit_narrows_as_its_page_does_and_refuses_what_makes_no_sense(
    client: ApiClient, base: str, actor: Actor, document: Document, stranger: Actor
) -> None:
    audit.record(actor, "looked at", document)
    theirs = audit.record(stranger, "looked at", document)
    path = f"{base}/audit"
    assert len(client.get(path, {"kind": "document", "user_id": actor.user.pk}).json()["entries"]) == 1
    for none in ({"until": "2020-01-01"}, {"user_id": UNKNOWN}, {"origin": "system", "text": "looked"}):
        assert client.get(path, none).json()["entries"] == [], none
    wrong = ({"before": theirs.pk}, {"before": "x"}, {"since": "yesterday"}, {"origin": "cat"}, {"text": "x" * 61})
    for query in (*wrong, {"until": "9999-12-31"}, {"limit": "101"}, {"until": ""}, {"text": "\0"}):
        answer = client.get(path, query)
        assert answer.status_code == 422, (query, answer.content)
