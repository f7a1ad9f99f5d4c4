"""Asking for the automatic setup of any document: first, again after any outcome, with a model or a hint in words."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.urls import reverse

from accounts.actor import Actor
from accounts.models import Role
from agent.models import Message
from agent.turns import headless
from documents.autosetup import asking, auto_setup, proposals
from documents.models import AutoSetup, Document, Proposal
from kit.errors import Conflict, Denied, Invalid
from tests.conftest import ApiClient
from tests.documents.bulk.bulk_rows import ask, list_reasons, work
from tests.documents.proposal_rows import group_of, make_auto_setup, now, propose
from tests.page_client import PageClient

pytestmark = pytest.mark.django_db
Members = Callable[..., Actor]
HINT = "The order number is ours."


@pytest.fixture
def document(actor: Actor) -> Document:
    """That has been read, and for which nothing was asked."""
    setup = make_auto_setup(actor)
    document = setup.document
    setup.delete()
    return Document.objects.get(pk=document.pk)


def test_a_reviewer_asks_the_first_time_and_a_builder_again(document: Document, member: Members) -> None:
    reviewer, builder = member(Role.REVIEWER), member(Role.BUILDER)
    setup = asking.ask(reviewer, document=document)
    assert (setup.status, setup.requested_by) == ("queued", reviewer.user)
    auto_setup.finish(setup, AutoSetup.Status.FAILED, "No.")
    with pytest.raises(Denied):
        asking.ask(reviewer, document=document)
    assert asking.ask(builder, document=document).requested_by == builder.user


@pytest.mark.parametrize("decision", ["accept", "reject"])
def test_after_a_decision_it_is_asked_for_anew_and_the_decision_stays(actor: Actor, decision: str) -> None:
    (setup,) = group_of(actor, 1)
    proposal = propose(actor, setup)
    getattr(proposals, decision)(actor, proposal=proposal)
    asking.ask(actor, document=setup.document, hint=HINT)
    setup = now(setup)
    proposal.refresh_from_db()
    assert (setup.status, setup.proposal, setup.hint) == ("queued", None, HINT)
    assert proposal.status == f"{decision}ed"
    auto_setup.assign_waiting()
    assert Proposal.objects.count() == 2


def test_while_it_is_under_way_nobody_asks_again(actor: Actor, document: Document) -> None:
    asking.ask(actor, document=document)
    with pytest.raises(Conflict, match="waits for its turn"):
        asking.ask(actor, document=document)


def test_the_agent_reads_the_hint(actor: Actor, document: Document) -> None:
    asking.ask(actor, document=document, hint=f" {HINT} ")
    headless.sweep()
    [message] = Message.objects.filter(thread__document=document, role="user")
    assert message.join_text().endswith(f"Whoever asked for it says: {HINT}")


def test_with_a_hint_it_joins_no_group(actor: Actor, document: Document) -> None:
    group_of(actor, 2)
    asking.ask(actor, document=document, hint=HINT)
    auto_setup.assign_waiting()
    assert Proposal.objects.count() == 2 and AutoSetup.objects.get(document=document).proposal.lead == document


@pytest.mark.parametrize(
    ("facts", "sentence"),
    [({"hint": "x" * 2001}, "The hint has 2,001 characters"), ({"model": "nobody/none"}, "nobody/none")],
)
def test_bad_input_asks_for_nothing(actor: Actor, document: Document, facts: dict[str, str], sentence: str) -> None:
    with pytest.raises(Invalid, match=sentence):
        asking.ask(actor, document=document, **facts)
    assert not AutoSetup.objects.exists()


def test_the_page_asks_and_shows_the_run(
    client: PageClient, signed_in: Callable[..., PageClient], actor: Actor, document: Document
) -> None:
    page, place = signed_in(client, actor), (actor.organization.pk, document.pk)
    html = page.get(reverse("document", args=place)).text
    assert f'hx-post="{reverse("setup-ask", args=place)}"' in html and 'name="hint"' in html
    answer = page.post(reverse("setup-ask", args=place), {"hint": HINT}, headers={"HX-Request": "true"})
    assert answer.headers["HX-Redirect"] == reverse("document-agent", args=place)
    assert AutoSetup.objects.get().hint == HINT
    # Again only for who may: what was made before is at stake.
    again = page.get(reverse("document", args=place)).text
    assert "Set up again" in again and re.search(rf'name="hint"[^>]*>{re.escape(HINT)}</textarea>', again)


def test_the_hint_of_a_setup_that_failed_stands_in_the_form_to_try_again(
    client: PageClient, signed_in: Callable[..., PageClient], actor: Actor, document: Document
) -> None:
    auto_setup.finish(asking.ask(actor, document=document, hint=HINT), AutoSetup.Status.FAILED, "No.")
    page = signed_in(client, actor).get(reverse("document-agent", args=(actor.organization.pk, document.pk)))
    assert re.search(f'id="hint-{document.pk}"[^>]*value="{re.escape(HINT)}"', page.text)


def test_programs_ask_for_it_first_and_again(
    api_as: Callable[[Actor], ApiClient], actor: Actor, document: Document
) -> None:
    client, path = api_as(actor), f"/v0/orgs/{actor.organization.pk}/documents/{document.pk}/auto_create"
    answer = client.post(path, {"hint": HINT})
    assert (answer.status_code, answer.json()["auto_create"]["status"]) == (200, "queued")
    late = client.post(path)
    assert (late.status_code, late.json()["winner"]["kind"]) == (409, "queued")
    auto_setup.finish(AutoSetup.objects.get(), AutoSetup.Status.REJECTED, "No.")
    assert client.post(path, {}).status_code == 200
    assert client.post(path, {"hint": 3}).status_code == 422


def test_a_retry_asks_after_a_rejection_and_where_nobody_asked(
    api_as: Callable[[Actor], ApiClient], actor: Actor, document: Document
) -> None:
    client, path = api_as(actor), f"/v0/orgs/{actor.organization.pk}/documents/{document.pk}/auto_create/retry"
    for _ in range(2):
        answer = client.post(path, {"hint": HINT})
        assert (answer.status_code, answer.json()["auto_create"]["status"]) == (200, "queued")
        assert AutoSetup.objects.get().hint == HINT
        auto_setup.finish(AutoSetup.objects.get(), AutoSetup.Status.REJECTED, "No.")


def test_many_are_asked_for_at_once_whatever_became_of_them(actor: Actor, document: Document) -> None:
    (setup,) = group_of(actor, 1)
    proposals.reject(actor, proposal=propose(actor, setup))
    action = work(ask(actor, "set_up", [document, setup.document], hint=HINT))
    assert (action.status, list_reasons(action)) == ("done", [("done", ""), ("done", "")])
    assert {setup.hint for setup in AutoSetup.objects.all()} == {HINT}
    with pytest.raises(Invalid, match="takes model and hint"):
        ask(actor, "set_up", [document], tag_id="x")


@pytest.mark.parametrize(("sent", "hint"), [({}, HINT), ({"hint": ""}, ""), ({"hint": "Another."}, "Another.")])
@pytest.mark.parametrize("door", ["bulk", "auto_create", "auto_create/retry", "page", "card"])
def test_without_a_hint_the_earlier_one_stands(
    api_as: Callable[[Actor], ApiClient],
    client: PageClient,
    signed_in: Callable[..., PageClient],
    actor: Actor,
    document: Document,
    door: str,
    sent: dict[str, str],
    hint: str,
) -> None:
    auto_setup.finish(asking.ask(actor, document=document, hint=HINT), AutoSetup.Status.FAILED, "No.")
    place = (actor.organization.pk, document.pk)
    if door == "bulk":
        work(ask(actor, "set_up", [document], **sent))
    elif door in ("page", "card"):
        signed_in(client, actor).post(reverse("setup-ask" if door == "page" else "setup-retry", args=place), sent)
    else:
        api_as(actor).post(f"/v0/orgs/{place[0]}/documents/{place[1]}/{door}", sent)
    assert (AutoSetup.objects.get().hint, AutoSetup.objects.get().status) == (hint, "queued")
