"""Documents that are asked a question as a bulk action: by several workers, each once, whatever happens meanwhile."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import Member, Organization
from agent.api.turn_events import Cursor, list_due
from agent.models import ToolCall
from agent.turns.turn_views import read_turn
from documents import bulk, document_changes
from documents.bulk import answering, outcomes, surveys, working
from documents.bulk.surveys import SurveyTerms
from documents.find.research.surveying import NOT_READ, estimate_micros
from documents.models import BULK_ITEM_LEASE, Budget, BulkAction, BulkItem, CondensedReading, Document, Page, Usage
from llm.money import budgets
from llm.money.spending import Limit
from tests.agent.research.test_tools_all_scope import approved, execute, letters  # noqa: F401 - fixtures
from tests.conftest import ApiClient
from tests.documents.find.searches import add_document
from tests.scripted_model import MODEL, Reply, ScriptedModel, fails, says

pytestmark = pytest.mark.django_db(transaction=True)
Begin = Callable[[], BulkAction]


@pytest.fixture
def begin(actor: Actor, letters: list[Document]) -> Begin:
    """One under the same key each time."""
    limit = Limit(10**9, "the limit", "Nobody.")
    terms = SurveyTerms("Which roof?", MODEL, "research", "6560000000000000000000aa", limit, 0, 30)
    return lambda: surveys.begin(actor, ids=[each.pk for each in letters], terms=terms, key="a")


def work_off(action: BulkAction) -> BulkAction:
    BulkAction.objects.update(lease_until=None)
    while answering.answer_next():
        pass
    working.look_at(action.pk)
    action.refresh_from_db()
    return action


def list_ends(action: BulkAction) -> list[tuple[str, str]]:
    return list(action.items.order_by("pk").values_list("status", "code"))


def test_each_is_asked_once_and_what_was_said_is_read_in_the_order_of_the_scope(
    begin: Begin, letters: list[Document], scripted_model: ScriptedModel
) -> None:
    scripted_model.will(*[says(f"{number} [1.1].") for number in range(3)])
    action = begin()
    assert begin().pk == action.pk
    working.look_at(action.pk)
    assert not BulkItem.objects.exclude(status="pending").exists()
    assert (work_off(action).status, action.done_count, len(scripted_model.requests)) == ("done", 3, 3)
    survey = surveys.read_survey(action, [each.pk for each in letters])
    assert [each.reading.document for each in survey.answers] == letters and not survey.unread


def test_two_thousand_are_begun_at_once_and_what_none_could_be_read_is_named(actor: Actor, begin: Begin) -> None:
    organization, terms = actor.organization, SurveyTerms.read(begin())
    rows = (Document(organization=organization, name=f"{n}.pdf", sha256="1" * 64, size=1) for n in range(2000))
    ids = [row.pk for row in Document.objects.bulk_create(rows)]
    action = surveys.begin(actor, ids=ids, terms=terms, key="b")
    assert action.total_count == 2000 and answering.answer_next(action=action)
    bulk.stop(actor, action=action)
    survey = surveys.read_survey(action, ids)
    assert len(survey.unread) == survey.total == 2000 and not survey.answers
    assert set(survey.unread.values()) == {outcomes.STOPPED, NOT_READ}


def test_no_more_are_asked_at_once_than_one_action_may(begin: Begin) -> None:
    action = begin()
    BulkItem.objects.filter(pk=action.items.first().pk).update(status="started")  # type: ignore[union-attr]
    before, working_now = answering.MAX_ANSWERED_AT_ONCE, BulkItem.objects.filter(status="started")
    assert before >= 2 and working_now.count() == 1
    for item in BulkItem.objects.filter(status="pending"):
        BulkItem.objects.create(action=action, document=item.document, status="started")
    BulkItem.objects.create(action=action, document=item.document, status="started")
    assert working_now.count() == before and not answering.answer_next()


def test_what_a_killed_worker_has_kept_is_taken_up_and_not_paid_again(
    begin: Begin, letters: list[Document], scripted_model: ScriptedModel
) -> None:
    action, terms = begin(), SurveyTerms.read(begin())
    item = action.items.order_by("pk").first()
    assert item and BULK_ITEM_LEASE.claim(item, attempt=1)
    answering.keep(item.document.readings.get(), terms.question, terms.model, "The roof.", [1])
    BulkItem.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    assert answering.requeue_lost_items() == 1
    scripted_model.will(says("It."), says("It."))
    assert work_off(action).done_count == 3
    assert Usage.objects.count() == 2 and CondensedReading.objects.count() == 3
    item.refresh_from_db()
    assert item.fence == 3 and item.attempt == 2


def test_a_document_over_which_workers_die_again_and_again_is_given_up(begin: Begin) -> None:
    action = begin()
    item = action.items.order_by("pk").first()
    assert item and BULK_ITEM_LEASE.claim(item, attempt=answering.MAX_ATTEMPTS)
    BulkItem.objects.filter(pk=item.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    answering.requeue_lost_items()
    assert list_ends(action)[0] == ("failed", "worker_died")


@pytest.mark.usefixtures("loaded_litellm")
def test_a_provider_that_takes_no_more_calls_is_asked_again_later_and_then_no_more(
    begin: Begin, scripted_model: ScriptedModel
) -> None:
    action = begin()
    for seconds in (5, 10, 20):
        scripted_model.will(*[fails(429, retry_after=None)] * 3)
        before = timezone.now()
        work_off(action)
        ends = BulkItem.objects.filter(status="pending").values_list("lease_until", flat=True)
        assert len(ends) == 3 and all(seconds <= (end - before).total_seconds() < seconds + 5 for end in ends)
        assert not answering.answer_next()
        BulkItem.objects.update(lease_until=None)
    scripted_model.will(*[fails(429, retry_after=None)] * 3)
    assert work_off(action).failed_count == 3 and len(scripted_model.requests) == 12
    assert set(list_ends(action)) == {("failed", "rate")}


def test_a_provider_is_asked_again_when_it_says(begin: Begin, scripted_model: ScriptedModel) -> None:
    action = begin()
    scripted_model.will(*[fails(429, retry_after="40")] * 3)
    before = timezone.now()
    work_off(action)
    ends = BulkItem.objects.filter(status="pending").values_list("lease_until", flat=True)
    assert len(ends) == 3 and all((end - before).total_seconds() >= 40 for end in ends)


@pytest.mark.usefixtures("unpriced")
def test_when_the_money_has_ended_the_rest_is_left_out_and_named(
    approved: Callable[..., ToolCall], actor: Actor, scripted_model: ScriptedModel
) -> None:
    def spend_all(request: dict[str, Any]) -> Reply:
        Budget.objects.update(limit_micros=1)
        return says("A roof [1.1].")

    budgets.set_limit(actor, limit_usd=1000)
    scripted_model.will(spend_all)
    result = execute(approved())
    assert (
        result["coverage"] == {"documents": 3, "read": 1, "in_part": 0, "not_read": 2} and len(result["documents"]) == 1
    )
    assert list(BulkItem.objects.order_by("pk").values_list("fence", flat=True)) == [1, 1, 0]
    assert all("budget" in row["why"] for row in result["not_read"]) and len(scripted_model.requests) == 1


def test_what_is_deleted_meanwhile_is_named_and_its_words_are_gone(
    approved: Callable[..., ToolCall], actor: Actor, letters: list[Document], scripted_model: ScriptedModel
) -> None:
    def delete(request: dict[str, Any]) -> Reply:
        document_changes.trash(actor, document=Document.objects.get(pk=letters[2].pk))
        Document.objects.filter(pk=letters[0].pk).delete()
        return says("A roof [1.1].")

    scripted_model.will(delete, says("A roof [1.1]."))
    result = execute(approved())
    assert [row["document_id"] for row in result["documents"]] == [letters[1].pk]
    assert {row["document_id"]: row["why"] for row in result["not_read"]} == {
        letters[0].pk: "It is no longer there.",
        letters[2].pk: "It is no longer there.",
    }


def test_a_person_stops_it_on_the_page_and_what_was_read_is_the_answer(
    approved: Callable[..., ToolCall], actor: Actor, scripted_model: ScriptedModel
) -> None:
    def stop(request: dict[str, Any]) -> Reply:
        bulk.stop(actor, action=BulkAction.objects.get())
        return says("late").after(2)

    scripted_model.will(says("A roof [1.1]."), stop)
    result = execute(approved())
    assert result["coverage"] == {"documents": 3, "read": 1, "in_part": 0, "not_read": 2}
    assert {row["why"] for row in result["not_read"]} == {outcomes.STOPPED}
    # The call that was under way was broken off.
    assert CondensedReading.objects.count() == 1
    assert set(list_ends(BulkAction.objects.get())) == {("done", ""), ("left_out", "stopped")}


def test_the_stream_tells_how_far_it_is_and_each_step_once(
    approved: Callable[..., ToolCall], scripted_model: ScriptedModel
) -> None:
    def look(request: dict[str, Any]) -> Reply:
        ToolCall.objects.update(result={"progress": {"visited": len(heard), "documents": 3}})
        view = read_turn(call.turn_id)
        steps = list_due(view, cursors[-1])
        heard.append([event for _, event in steps if event["type"] == "tool_progress"])
        cursors.append(steps[-1][0])
        again.extend(list_due(view, Cursor.parse(cursors[-1].id) or cursors[-1]))
        return says("It.")

    call = approved()
    cursors, heard, again = [Cursor(call.turn_id)], list[Any](), list[Any]()
    scripted_model.will(look, look, look)
    execute(call)
    about = {"type": "tool_progress", "round_index": 0, "call_id": call.pk, "name": "read_all_documents", "total": 3}
    assert heard == [[{**about, "done": done}] for done in range(3)]
    assert again == []


def test_the_stream_tells_once_how_far_two_are_at_the_same_time(approved: Callable[..., ToolCall]) -> None:
    call = approved()
    ToolCall.objects.update(status="executing", result={"progress": {"visited": 1, "documents": 3}})
    other = ToolCall.objects.get()
    other.pk, other.position, other._state.adding = "6560000000000000000000bb", 1, True
    other.save()
    steps = list_due(read_turn(call.turn_id), Cursor(call.turn_id))
    assert [event["type"] for _, event in steps][-2:] == ["tool_progress"] * 2
    assert list_due(read_turn(call.turn_id), steps[-1][0]) == []
    assert list_due(read_turn(call.turn_id), steps[-2][0])[-1][1] == steps[-1][1]


def test_it_ends_with_the_membership_of_whoever_asked(begin: Begin, scripted_model: ScriptedModel) -> None:
    action = begin()
    Member.objects.all().delete()
    assert work_off(action).left_out_count == 3 and set(list_ends(action)) == {("left_out", "not_a_member")}
    assert scripted_model.requests == []


def test_nothing_is_asked_while_an_admin_has_stopped_the_agent(begin: Begin) -> None:
    begin()
    Organization.objects.update(agent_stopped=True)
    assert not answering.answer_next()


def test_a_call_that_is_taken_up_by_another_worker_goes_on_with_the_same_action(
    approved: Callable[..., ToolCall], scripted_model: ScriptedModel
) -> None:
    def kill(request: dict[str, Any]) -> Reply:
        ToolCall.objects.update(status="approved", lease_until=None)
        return says("It.")

    call = approved()
    scripted_model.will(kill, *[says("It.")] * 2)
    execute(call)
    assert ToolCall.objects.get().status == "approved" and BulkAction.objects.get().done_count == 3
    assert execute(call)["coverage"]["read"] == 3
    assert len(scripted_model.requests) == 3 and BulkAction.objects.count() == 1


def test_the_question_of_a_thread_is_shown_to_nobody_else(
    begin: Begin, actor: Actor, api_as: Callable[[Actor], ApiClient]
) -> None:
    action = begin()
    organization = action.organization
    where = f"/v0/orgs/{organization.pk}/documents/bulk"
    listed = api_as(actor).get(where).json()
    assert listed["bulk_actions"][0]["action"] == "ask" and "roof" not in str(listed)
    sent = {"action": "ask", "document_ids": [action.items.first().document_id]}  # type: ignore[union-attr]
    assert api_as(actor).post(where, sent, "json").status_code == 422


def test_a_text_of_longer_letters_is_estimated_to_cost_more(actor: Actor) -> None:
    """Models and budgets count bytes: a letter of Cyrillic is two of them."""
    ids = [add_document(actor.organization, ["x"], name=f"{at}.pdf").pk for at in range(2)]
    for row_id, letter in zip(ids, "aж", strict=True):
        Page.objects.filter(reading__document=row_id).update(text=letter * 7_000)
    latin, cyrillic = (estimate_micros(actor, [row_id], "Roof?", MODEL) for row_id in ids)
    assert 0 < latin < 0.75 * cyrillic
    assert estimate_micros(actor, ids, "Roof?", MODEL) == latin + cyrillic
