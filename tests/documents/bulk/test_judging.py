"""Results judged by new checks: the prompt follows its schema, no model is asked, and what people did stays."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from accounts.actor import Actor
from accounts.models import AuditEntry, Role
from documents import bulk
from documents.bulk import following
from documents.definitions import prompts, schemas
from documents.extractions import edits, rejudging
from documents.find.filters.terms import TO_VERIFY
from documents.models import BulkAction, Document, Extraction, Prompt, PromptRevision, Schema, Verification
from kit.errors import Conflict, Denied, Invalid, NotFound
from tests.conftest import ApiClient
from tests.documents.bulk.bulk_rows import ask, list_reasons, work
from tests.documents.checked_invoice import FORMAT, SUM, make_prompt, store_invoice

pytestmark = pytest.mark.django_db
TOTAL = {"kind": "total", "parts": ["subtotal", "tax"], "field": "total"}


@pytest.fixture
def prompt(actor: Actor) -> PromptRevision:
    return make_prompt(actor, [])


def add_checks(actor: Actor, prompt: PromptRevision, *checks: dict[str, object]) -> Prompt:
    assert prompt.schema_revision
    schemas.save_version(actor, schema=prompt.schema_revision.schema, value_checks=list(checks))
    return Prompt.objects.get(pk=prompt.prompt_id)


def follow(actor: Actor, prompt: Prompt) -> BulkAction:
    action = following.follow_schema(actor, prompt=prompt, seen=str(prompt.latest_id))
    assert action
    return work(action)


def test_its_results_are_those_of_the_version_that_follows(actor: Actor, prompt: PromptRevision) -> None:
    good, bad = store_invoice(actor, prompt, "good"), store_invoice(actor, prompt, "bad", subtotal=135)
    action = follow(actor, add_checks(actor, prompt, SUM))
    assert (action.status, list_reasons(action)) == ("done", [("done", ""), ("done", "")])
    latest = Prompt.objects.get().latest
    assert latest and latest.schema_revision and (latest.number, latest.schema_revision.number) == (2, 2)
    for run, failed in ((good, 0), (bad, 1)):
        run.refresh_from_db()
        assert (run.prompt_revision, run.schema_revision) == (latest, latest.schema_revision)
        assert (run.number, run.failed_check_count, len(run.check_results)) == (1, failed, 1)


def test_what_people_did_stays_and_a_verified_one_that_fails_waits_again(actor: Actor, prompt: PromptRevision) -> None:
    good, bad = store_invoice(actor, prompt, "good"), store_invoice(actor, prompt, "bad", subtotal=135)
    edits.set_field(actor, extraction=bad, where="currency", value="USD")
    for run in (good, bad):
        edits.verify(actor, extraction=run)
    follow(actor, add_checks(actor, prompt, SUM))
    bad.refresh_from_db()
    assert bad.current["currency"] == "USD" and bad.edits.count() == 1
    assert Verification.objects.filter(where="", cleared_at=None).count() == 2
    assert list(Document.objects.filter(TO_VERIFY)) == [bad.document]
    edits.verify(actor, extraction=bad)
    assert not Document.objects.filter(TO_VERIFY).exists()
    assert bad.verifications.filter(where="").count() == 2


def test_only_who_may_change_prompts_asks_for_it_and_no_program(
    actor: Actor,
    stranger: Actor,
    prompt: PromptRevision,
    member: Callable[[Role], Actor],
    api_as: Callable[..., ApiClient],
) -> None:
    run = store_invoice(actor, prompt, "one")
    for other, error in ((member(Role.REVIEWER), Denied), (stranger, NotFound)):
        with pytest.raises(error):
            ask(other, "judge", [run.document], prompt_id=prompt.prompt_id)
    body = {"action": "judge", "document_ids": [run.document_id]}
    assert api_as(actor).post(f"/v0/orgs/{actor.organization.pk}/documents/bulk", body).status_code == 422
    assert not BulkAction.objects.exists()


@pytest.mark.parametrize("kind", ["judge", "unjudge", "ask", "change", "revert", "withdraw"])
def test_the_list_of_documents_begins_nothing_that_it_does_not_offer(
    client: Client, signed_in: Callable[[Client, Actor], Client], actor: Actor, prompt: PromptRevision, kind: str
) -> None:
    run = store_invoice(actor, prompt, "one")
    path = reverse("bulk-actions", args=[actor.organization.pk])
    assert signed_in(client, actor).post(path, {"action": kind, "ids": run.document_id}).status_code == 400
    assert not BulkAction.objects.exists()


def test_of_two_presses_the_second_is_refused(actor: Actor, prompt: PromptRevision) -> None:
    store_invoice(actor, prompt, "one")
    shown = add_checks(actor, prompt, SUM)
    follow(actor, shown)
    with pytest.raises(Conflict):
        following.follow_schema(actor, prompt=shown, seen=prompt.pk)
    with pytest.raises(Invalid, match="already"):
        following.follow_schema(actor, prompt=shown, seen=str(Prompt.objects.get().latest_id))
    assert (BulkAction.objects.count(), PromptRevision.objects.count()) == (1, 2)


def test_an_item_that_comes_twice_changes_nothing(actor: Actor, prompt: PromptRevision) -> None:
    run = store_invoice(actor, prompt, "one", subtotal=135)
    follow(actor, add_checks(actor, prompt, SUM))
    version = Extraction.objects.get().version
    again = work(ask(actor, "judge", [run.document], prompt_id=prompt.prompt_id))
    assert list_reasons(again) == [("left_out", "nothing_to_judge")]
    latest = Prompt.objects.get().latest
    assert latest and not rejudging.judge_again(actor, extraction=run, prompt_revision=latest)
    assert Extraction.objects.get().version == version


def test_checks_that_are_gone_fail_no_longer(actor: Actor) -> None:
    prompt = make_prompt(actor, [SUM])
    run = store_invoice(actor, prompt, "bad", subtotal=135)
    assert run.failed_check_count == 1
    follow(actor, add_checks(actor, prompt))
    run.refresh_from_db()
    assert (run.failed_check_count, run.check_results) == (0, [])


@pytest.mark.parametrize("changes", [{"content": "Read it well."}, {"model": "offline/rules"}])
def test_what_was_asked_otherwise_is_not_taken_for_the_same(
    actor: Actor, prompt: PromptRevision, changes: dict[str, str]
) -> None:
    run = store_invoice(actor, prompt, "one")
    other = prompts.save_version(actor, prompt=prompt.prompt, **changes)
    assert not rejudging.list_results_of(other).exists()
    with pytest.raises(Conflict):
        rejudging.judge_again(actor, extraction=run, prompt_revision=other)
    run.refresh_from_db()
    assert run.prompt_revision == prompt


def test_other_fields_are_followed_and_judge_nothing(actor: Actor, prompt: PromptRevision) -> None:
    run = store_invoice(actor, prompt, "one")
    assert prompt.schema_revision
    fields = {**FORMAT["json_schema"]["schema"]["properties"], "note": {"type": "string", "description": "Any."}}
    wider = {
        **FORMAT,
        "json_schema": {"name": "invoice", "schema": {**FORMAT["json_schema"]["schema"], "properties": fields}},
    }
    schemas.save_version(actor, schema=prompt.schema_revision.schema, response_format=wider)
    head = Prompt.objects.get()
    lag = following.find_lag(head)
    assert lag and (lag.has_same_fields, lag.title) == (False, "Use version 2")
    assert following.follow_schema(actor, prompt=head, seen=str(head.latest_id)) is None
    run.refresh_from_db()
    assert run.prompt_revision == prompt


def test_the_pages_offer_it_until_it_is_done(
    client: Client, signed_in: Callable[[Client, Actor], Client], actor: Actor, prompt: PromptRevision
) -> None:
    page = signed_in(client, actor)
    store_invoice(actor, prompt, "one")
    assert prompt.schema_revision
    org, schema = actor.organization.pk, prompt.schema_revision.schema
    for name in ("value-check-add", "value-checks-save"):
        assert page.post(reverse(name, args=(org, schema.pk)), {"number": "all"}).status_code == 302
    schema.refresh_from_db()
    assert schema.latest and (schema.latest.number, len(schema.latest.value_checks) > 1) == (2, True)
    words, pages = "Use version 2 and check 1 result again", (("schema", schema.pk), ("prompt", prompt.prompt_id))
    assert all(words in page.get(reverse(name, args=(org, pk))).content.decode() for name, pk in pages)
    page.post(reverse("prompt-follow", args=(org, prompt.prompt_id)), {"seen": prompt.pk})
    assert BulkAction.objects.get().total_count == 1
    assert not any("Use version 2" in page.get(reverse(name, args=(org, pk))).content.decode() for name, pk in pages)
    stale = page.post(reverse("prompt-follow", args=(org, prompt.prompt_id)), {"seen": prompt.pk}, follow=True)
    assert stale.redirect_chain and "has been changed since" in stale.text and BulkAction.objects.count() == 1


def test_an_undo_gives_the_checks_and_the_verifications_of_before(actor: Actor, prompt: PromptRevision) -> None:
    good, bad = store_invoice(actor, prompt, "good"), store_invoice(actor, prompt, "bad", subtotal=135)
    edits.verify(actor, extraction=bad)
    action = follow(actor, add_checks(actor, prompt, SUM))
    assert bulk.get_kind("judge").describe_outcome(action) == "1 fails a check; 1 verified waits to be verified again"
    good.refresh_from_db()
    schemas.save_version(actor, schema=Schema.objects.get(), value_checks=[SUM, TOTAL])
    undone = work(bulk.undo(actor, action=action))
    assert (undone.done_count, list_reasons(undone)) == (2, [("done", ""), ("done", "")])
    for run in (good, bad):
        run.refresh_from_db()
        assert (run.prompt_revision, run.schema_revision) == (prompt, prompt.schema_revision)
        assert (run.failed_check_count, run.check_results, run.judged_again_at) == (0, [], None)
    assert list(Document.objects.filter(TO_VERIFY)) == [good.document]
    assert AuditEntry.objects.filter(action="took checks back").count() == 2
    assert bulk.undo(actor, action=action) == undone and not bulk.is_undoable(undone)


def test_an_undo_leaves_what_was_judged_once_more_since(actor: Actor, prompt: PromptRevision) -> None:
    run = store_invoice(actor, prompt, "one", subtotal=135)
    action = follow(actor, add_checks(actor, prompt, SUM))
    follow(actor, add_checks(actor, prompt, SUM, TOTAL))
    assert list_reasons(work(bulk.undo(actor, action=action))) == [("left_out", "changed_since")]
    run.refresh_from_db()
    assert run.prompt_revision == Prompt.objects.get().latest


def test_a_prompt_that_follows_already_has_its_older_results_checked_once(
    actor: Actor, prompt: PromptRevision, member: Callable[[Role], Actor]
) -> None:
    run = store_invoice(actor, prompt, "one", subtotal=135)
    edits.verify(actor, extraction=run)
    shown = add_checks(actor, prompt, SUM)
    assert shown.latest and shown.latest.schema_revision
    newest = Schema.objects.get().latest
    prompts.save_version(actor, prompt=shown, schema_revision=newest)
    shown = Prompt.objects.get()
    lag = following.find_lag(shown)
    assert lag and (lag.title, lag.is_behind, lag.verified_count) == ("Check 1 result again", False, 1)
    first, second = (following.follow_schema(actor, prompt=shown, seen=str(shown.latest_id)) for _ in range(2))
    assert first and first == second and PromptRevision.objects.count() == 2
    lag = following.find_lag(shown)
    assert lag and lag.is_under_way
    with pytest.raises(Denied):
        bulk.undo(member(Role.REVIEWER), action=first)
    work(first)
    run.refresh_from_db()
    assert (run.failed_check_count, run.schema_revision) == (1, newest)
    assert following.find_lag(Prompt.objects.get()) is None


def test_it_says_what_the_newest_version_changes(actor: Actor, prompt: PromptRevision) -> None:
    assert prompt.schema_revision
    number, note = {"type": "string", "description": "As printed."}, {"type": "string", "description": "Any."}
    fields = {**FORMAT["json_schema"]["schema"]["properties"], "note": note, "memo": note, "number": number}
    del fields["line_count"]
    schema = {**FORMAT["json_schema"]["schema"], "properties": fields}
    wider = {**FORMAT, "json_schema": {"name": "invoice", "schema": schema}}
    schemas.save_version(actor, schema=prompt.schema_revision.schema, response_format=wider, value_checks=[SUM, TOTAL])
    lag = following.find_lag(Prompt.objects.get())
    assert lag and lag.change_summary == "2 fields added, 1 field removed, 1 field changed, 2 checks added"
