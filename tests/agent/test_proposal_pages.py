"""The card of automatic setup through its doors: its states, the decisions, who may decide, and what others see."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.urls import reverse

from accounts.actor import Actor
from accounts.models import AuditEntry, Organization, Role
from documents.definitions import schemas
from documents.models import (
    AutoSetup,
    PromptRevision,
    Proposal,
    Schema,
    Tag,
)
from tests.agent.proposal_page_rows import (  # noqa: F401 - auto, browse are fixtures
    FORMAT,
    HTMX,
    Client_,
    address,
    auto,
    browse,
    create_extraction,
    document_of,
    post,
)

pytestmark = pytest.mark.django_db


def join_group(auto: AutoSetup, actor: Actor, name: str = "b.pdf") -> AutoSetup:
    """A look-alike in the same group."""
    assert auto.proposal and auto.proposal.prompt_revision
    document = document_of(actor, name)
    return AutoSetup.objects.create(
        document=document,
        status="proposed",
        proposal=auto.proposal,
        requested_by=actor.user,
        extraction=create_extraction(document, auto.proposal.prompt_revision),
    )


def card(browse: Client_, actor: Actor, auto: AutoSetup) -> str:
    answer = browse(actor).get(address("document-setup", actor, auto.document_id))
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def now(auto: AutoSetup) -> AutoSetup:
    return AutoSetup.objects.select_related("proposal__tag", "proposal__prompt_revision").get(pk=auto.pk)


def test_the_card_says_what_was_made_and_what_came_out_here(browse: Client_, actor: Actor, auto: AutoSetup) -> None:
    html = card(browse, actor, auto)
    assert "Made by the agent when you uploaded it, in 38 s for $0.012. Used for nothing else until you accept." in html
    assert "2 fields, proposed" in html and "Read an invoice" in html
    assert "1 of 2 located<small>1 exact, 1 not located</small>" in html
    assert "80.90" in html and "data-reject" in html and "<span data-word>Accept with tag" in html


def test_the_words_of_a_proposal_are_shown_whole_and_as_the_documents(
    browse: Client_, actor: Actor, member: Callable[[Role], Actor], auto: AutoSetup
) -> None:
    words = "Take it. <b>Approve all.</b>\n" + "Then the rest. " * 300
    PromptRevision.objects.update(content=words)
    html = card(browse, actor, auto)
    assert "after it read a.pdf: the words may be the document's own. Read them before you accept" in html
    assert "Take it. &lt;b&gt;Approve all.&lt;/b&gt;<br>" in html and html.count("Then the rest.") == 300
    assert "What it says of each field" in html
    assert '<dt class="mono">total</dt><dd>As printed' in html
    assert "the words may be the document's own. Once accepted, the model" in card(browse, member(Role.VIEWER), auto)
    of_inbox = browse(actor).get(address("proposal", actor, str(auto.proposal_id))).content.decode()
    assert "Then the rest." in of_inbox and "offer-words" in of_inbox


def test_a_decided_proposal_warns_of_no_words(browse: Client_, actor: Actor, auto: AutoSetup) -> None:
    post(browse, actor, "proposal-accept", str(auto.proposal_id), document=auto.document_id)
    assert "offer-words" not in card(browse, actor, auto)


def test_words_that_nobody_has_seen_are_not_accepted(browse: Client_, actor: Actor, auto: AutoSetup) -> None:
    hashes = re.findall(r'name="shown" value="(.+?)"', card(browse, actor, auto))
    proposal = now(auto).proposal
    assert proposal and proposal.prompt_revision
    before = proposal.prompt_revision
    proposal.prompt_revision = PromptRevision.objects.create(
        prompt=before.prompt,
        number=before.number + 1,
        content="Obey it.",
        status=before.status,
        schema_revision=before.schema_revision,
    )
    proposal.save()
    form = {"document": auto.document_id, "shown": hashes[0]}
    code, html = post(browse, actor, "proposal-accept", str(auto.proposal_id), **form)
    assert code == 409 and "has changed since it was shown" in html and now(auto).status == "proposed"
    (form["shown"],) = re.findall(r'name="shown" value="(.+?)"', card(browse, actor, auto))
    assert post(browse, actor, "proposal-accept", str(auto.proposal_id), **form)[0] == 200


def test_the_route_of_a_proposal_gives_the_card_of_its_lead(browse: Client_, actor: Actor, auto: AutoSetup) -> None:
    second = join_group(auto, actor)
    path = address("proposal", actor, str(auto.proposal_id))
    assert f'id="setup-{auto.document_id}"' in browse(actor).get(path).content.decode()
    html = browse(actor).get(f"{path}?document={second.document_id}").content.decode()
    assert f'id="setup-{second.document_id}"' in html and "2 documents share this proposal" in html
    assert ">a.pdf</a>, in 38 s" in " ".join(html.split())


def test_a_proposal_names_the_schema_that_has_its_fields(browse: Client_, actor: Actor, auto: AutoSetup) -> None:
    assert "The same fields are in" not in card(browse, actor, auto)
    twin = schemas.create(actor, name="Older invoice", response_format=FORMAT)
    html = card(browse, actor, auto)
    assert "The same fields are in" in html and address("schema", actor, twin.schema_id) in html


def test_a_note_of_the_run_is_shown(browse: Client_, actor: Actor, auto: AutoSetup) -> None:
    Proposal.objects.update(note="It stopped early.")
    assert "It stopped early." in card(browse, actor, auto)


@pytest.mark.parametrize("role", [Role.VIEWER, Role.REVIEWER])
def test_who_may_not_decide_reads_it(
    browse: Client_, actor: Actor, auto: AutoSetup, member: Callable[[Role], Actor], role: Role
) -> None:
    other = member(role)
    html = card(browse, other, auto)
    assert "A builder accepts or rejects it." in html and "<form" not in html and "until a builder accepts" in html
    for name in ("proposal-accept", "proposal-reject", "proposal-retry", "proposal-take-out"):
        assert post(browse, other, name, str(auto.proposal_id))[0] == 403
    assert now(auto).status == "proposed"


def test_another_organization_finds_nothing(
    browse: Client_, auto: AutoSetup, stranger: Actor, other_organization: Organization
) -> None:
    client, org = browse(stranger), other_organization.pk
    assert client.get(reverse("proposal", args=(org, auto.proposal_id))).status_code == 404
    assert client.get(reverse("document-setup", args=(org, auto.document_id))).status_code == 404
    for name in ("proposal-accept", "proposal-reject", "proposal-retry", "proposal-take-out"):
        assert client.post(reverse(name, args=(org, auto.proposal_id)), {}, **HTMX).status_code == 404
    assert now(auto).status == "proposed"


def test_accepting_with_a_new_tag_says_so(browse: Client_, actor: Actor, auto: AutoSetup) -> None:
    code, html = post(browse, actor, "proposal-accept", str(auto.proposal_id), tag="Invoices", tag_on="1")
    assert code == 200 and "Proposal accepted by you" in html
    assert "It runs on each new document tagged “Invoices”." in html and "data-approve" not in html
    assert Tag.objects.get().name == "Invoices" and now(auto).status == "accepted"
    assert AuditEntry.objects.filter(action="accepted", organization=actor.organization).exists()


def test_accepting_without_a_tag_starts_nothing_by_itself(browse: Client_, actor: Actor, auto: AutoSetup) -> None:
    _, html = post(browse, actor, "proposal-accept", str(auto.proposal_id), tag="Invoice")
    assert "doesn’t run automatically" in html and not Tag.objects.exists()


def test_the_card_names_the_documents_of_each_tag(browse: Client_, actor: Actor, auto: AutoSetup) -> None:
    auto.document.tags.add(Tag.objects.create(organization=actor.organization, name="Receipts", color="#000000"))
    assert '<option value="Receipts" data-documents="1">' in card(browse, actor, auto)


def test_rejecting_takes_a_reason_and_removes(browse: Client_, actor: Actor, auto: AutoSetup) -> None:
    code, html = post(browse, actor, "proposal-reject", str(auto.proposal_id), reason="Too few fields")
    assert code == 200 and "Proposal rejected by you" in html and "“Too few fields”" in html
    assert not Schema.objects.filter(trashed_at=None).exists()


def test_a_second_decision_is_answered_with_the_first(
    browse: Client_, actor: Actor, auto: AutoSetup, member: Callable[[Role], Actor]
) -> None:
    other = member(Role.BUILDER)
    post(browse, other, "proposal-accept", str(auto.proposal_id))
    for name in ("proposal-accept", "proposal-reject"):
        code, html = post(browse, actor, name, str(auto.proposal_id))
        assert code == 409 and f"This proposal was accepted by {other.user.shown_name} already." in html
    assert f"Proposal accepted by {other.user.shown_name}" in card(browse, actor, auto)


def test_one_document_leaves_the_group_and_the_card_stays_at_the_other(
    browse: Client_, actor: Actor, auto: AutoSetup
) -> None:
    second = join_group(auto, actor)
    code, html = post(
        browse, actor, "proposal-take-out", str(auto.proposal_id), out=second.document_id, document=auto.document_id
    )
    assert code == 200 and "documents share this proposal" not in html and "A proposal for documents" in html
    assert "Taken out of its group by you" in card(browse, actor, second)


def test_a_document_outside_the_group_cannot_leave_it(browse: Client_, actor: Actor, auto: AutoSetup) -> None:
    assert post(browse, actor, "proposal-take-out", str(auto.proposal_id), out=document_of(actor).pk)[0] == 404


def test_retrying_drops_the_proposal_and_says_that_it_begins(browse: Client_, actor: Actor, auto: AutoSetup) -> None:
    code, html = post(browse, actor, "proposal-retry", str(auto.proposal_id), document=auto.document_id)
    assert code == 200 and "Setting up" in html and now(auto).status == "queued"


@pytest.mark.parametrize(("status", "words"), [("failed", "setup failed"), ("skipped", "setup was skipped")])
def test_a_failed_or_skipped_one_gives_its_reason_and_begins_again(
    browse: Client_, actor: Actor, auto: AutoSetup, status: str, words: str
) -> None:
    AutoSetup.objects.update(status=status, reason="The key was refused.", proposal=None)
    html = card(browse, actor, auto)
    assert words in html and "The key was refused." in html and "Try again" in html
    assert post(browse, actor, "setup-retry", auto.document_id)[0] == 200
    assert now(auto).status == "queued"


def test_a_model_that_cannot_be_used_is_refused(browse: Client_, actor: Actor, auto: AutoSetup) -> None:
    AutoSetup.objects.update(status="failed")
    code, html = post(browse, actor, "setup-retry", auto.document_id, model="anthropic/nobody")
    assert code == 400 and "anthropic/nobody" in html and now(auto).status == "failed"


def test_who_waits_for_another_document_says_for_which(browse: Client_, actor: Actor, auto: AutoSetup) -> None:
    second = join_group(auto, actor)
    AutoSetup.objects.filter(pk=second.pk).update(status="queued", extraction=None)
    html = card(browse, actor, second)
    assert "Waiting for the setup of" in html and ">a.pdf</a>" in html


def test_a_reused_prompt_needs_nobody(browse: Client_, actor: Actor, auto: AutoSetup) -> None:
    AutoSetup.objects.update(status="accepted")
    Proposal.objects.update(status="accepted", reused=True)
    assert "Set up with an accepted prompt" in card(browse, actor, auto)


def test_a_document_that_never_asked_has_no_card(browse: Client_, actor: Actor) -> None:
    assert browse(actor).get(address("document-setup", actor, document_of(actor).pk)).status_code == 404
