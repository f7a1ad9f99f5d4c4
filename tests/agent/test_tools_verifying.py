"""A person's word that values are right: asked for by the agent, given by a person alone."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

from typing import Any

import pytest

from accounts.actor import Actor
from accounts.models import AuditEntry, Organization
from agent.calls import execution, undo
from agent.models import Rule, Thread, ToolCall, Turn
from agent.policy import rules
from agent.policy.policy_context import Policy
from documents.extractions import edits
from documents.models import Extraction, Verification
from kit.errors import Conflict, Denied
from tests.agent.conftest import propose_all
from tests.agent.decision_rows import say
from tests.agent.undo_rows import Act, act, document, extraction, prompt, thread  # noqa: F401 - fixtures

pytestmark = [pytest.mark.django_db, pytest.mark.servers]


def ask(thread: Thread, **arguments: Any) -> ToolCall:
    (call,) = propose_all(thread, ("verify_values", arguments))
    return call


def list_verified(extraction: Extraction) -> list[str]:
    return sorted(extraction.verifications.filter(cleared_at=None).values_list("where", flat=True))


@pytest.mark.parametrize("mode", ["ask", "auto"])
def test_it_waits_for_a_person_in_every_mode_and_under_every_rule(
    mode: str, actor: Actor, thread: Thread, extraction: Extraction
) -> None:
    Thread.objects.update(mode=mode)
    thread.refresh_from_db()
    for tool in ("verify", "*"):
        Rule.objects.create(
            organization=actor.organization, scope="organization", verdict="allow", tool=tool, created_by=actor.user
        )
    (call,) = propose_all(thread, ("verify_values", {"paths": ["vendor"]}), auto_approved=["*"])
    assert (call.status, call.why_asks) == ("pending", "It is a person's word, so it always asks.")
    offers = rules.find_offers(actor, call=call, policy=Policy(thread))
    assert (offers.scopes, offers.why_none) == ((), "It is a person's word, so it always asks.")
    assert not Verification.objects.exists()


def test_the_card_shows_the_values_and_the_mark_is_the_persons(act: Act, actor: Actor, extraction: Extraction) -> None:
    located = {"page": 1, "blocks": ["1.1.1"], "state": "exact"}
    Extraction.objects.update(provenance={"vendor": located})
    call = act("verify_values", paths=["vendor", "total"])
    assert call.preview["title"] == "Verify 2 values of invoice.pdf"
    assert [row["name"] for row in call.preview["rows"]] == ["Vendor", "Total"]
    assert call.preview["rows"][0]["value"].startswith("Tools")
    assert list_verified(extraction) == ["total", "vendor"]
    assert call.result["verified"] == {"values": 2} and call.result["lines"] == {"vendor": "D1:1.1"}
    assert {mark.user for mark in extraction.verifications.all()} == {actor.user}
    entry = AuditEntry.objects.filter(action="verified").first()
    assert entry and entry.origin == "agent_approved"


def test_undo_takes_back_its_own_marks_only(act: Act, actor: Actor, extraction: Extraction) -> None:
    edits.verify(actor, extraction=extraction, where="total")
    call = act("verify_values", paths=["vendor", "total"])
    undo.undo_call(actor, call=call, idempotency_key="click")
    assert list_verified(extraction) == ["total"]


def test_undo_does_not_go_under_a_persons_word_for_the_whole(act: Act, actor: Actor, extraction: Extraction) -> None:
    call = act("verify_values", paths=["vendor"])
    edits.verify(actor, extraction=extraction)
    with pytest.raises(Conflict, match="whole document has been verified since"):
        undo.undo_call(actor, call=call, idempotency_key="click")
    assert list_verified(extraction) == ["", "vendor"]


def test_without_paths_it_is_about_the_whole_and_only_once(act: Act, extraction: Extraction) -> None:
    call = act("verify_values")
    assert call.preview["title"] == "Verify the whole extraction of invoice.pdf"
    assert (call.result or {})["verified"] == {"whole": True} and list_verified(extraction) == [""]
    Turn.objects.update(status="completed")
    again = ask(call.thread)
    assert (again.status, (again.result or {})["error"]) == ("invalid", "This has been verified already.")


def test_what_fails_its_checks_needs_the_persons_reason_where_the_organization_asks_for_one(
    actor: Actor, thread: Thread, extraction: Extraction
) -> None:
    Organization.objects.update(failed_checks_need_reason=True)
    Extraction.objects.update(failed_check_count=1)
    call = ask(thread)
    assert (call.status, (call.result or {})["error"][:33]) == ("invalid", "1 check fails. Say why the values")
    Turn.objects.update(status="completed")
    call = ask(thread, reason="The total is printed so.")
    assert {"name": "Your reason, though checks fail", "value": "The total is printed so."} in call.preview["rows"]
    say(actor, call)
    execution.execute(call.pk, holder="test")
    assert list_verified(extraction) == [""]
    assert AuditEntry.objects.get(action="verified").detail["reason"] == "The total is printed so."


def test_a_rule_or_the_product_itself_gives_nobodys_word(actor: Actor, extraction: Extraction) -> None:
    with pytest.raises(Denied, match="Only a person"):
        edits.verify(actor.as_agent(by_rule=True), extraction=extraction)


def test_an_unknown_path_is_answered_with_what_there_is(thread: Thread, extraction: Extraction) -> None:
    call = ask(thread, paths=["vendr"])
    assert call.status == "invalid" and "vendor" in (call.result or {})["error"]


def test_a_card_is_decided_once(actor: Actor, thread: Thread, extraction: Extraction) -> None:
    call = ask(thread, paths=["vendor"])
    say(actor, call)
    with pytest.raises(Conflict):
        say(actor, call, key="k2")
