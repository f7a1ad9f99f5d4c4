"""The card of automatic setup through its doors: its states, the decisions, who may decide, and what others see."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import AuditEntry, Organization, Role
from agent.models import Message, Thread, Turn
from documents.definitions import prompts, schemas
from documents.models import (
    AutoSetup,
    Document,
    Extraction,
    PromptRevision,
    Proposal,
    Reading,
    Schema,
    Tag,
)
from tests.page_client import PageClient

pytestmark = pytest.mark.django_db
HTMX = {"HTTP_HX_REQUEST": "true"}
FIELD = {"type": "string", "description": "As printed"}
FORMAT = {
    "type": "json_schema",
    "json_schema": {"name": "invoice", "schema": {"type": "object", "properties": {"total": FIELD, "number": FIELD}}},
}
Client_ = Callable[[Actor], PageClient]


@pytest.fixture
def browse() -> Client_:
    def open_client(actor: Actor) -> PageClient:
        client = PageClient()
        client.force_login(actor.user)
        return client

    return open_client


def address(name: str, actor: Actor, *ids: str) -> str:
    return reverse(name, args=(actor.organization.pk, *ids))


def document_of(actor: Actor, name: str = "a.pdf") -> Document:
    document = Document.objects.create(
        organization=actor.organization,
        name=name,
        sha256="0" * 64,
        size=1,
        media_type="application/pdf",
        file="none",
        state=Document.State.LLM_COMPLETED,
        uploaded_by=actor.user,
        uploaded_by_name=actor.user.shown_name,
    )
    Reading.objects.create(document=document, number=1, status="completed", page_count=1, pages_read=1, pages_listed=1)
    return document


def create_extraction(document: Document, revision: PromptRevision) -> Extraction:
    values = {"total": "80.90", "number": "A-1"}
    provenance = {"total": {"state": "exact", "boxes": [[1, 0.1, 0.1, 0.2, 0.2]]}, "number": {"state": "not_located"}}
    return Extraction.objects.create(
        document=document,
        prompt_revision=revision,
        schema_revision=revision.schema_revision,
        number=1,
        status="completed",
        reading=document.readings.get(),
        model="offline/rules",
        raw={},
        result=values,
        current=values,
        provenance=provenance,
        coverage=[1],
    )


@pytest.fixture
def auto(actor: Actor) -> AutoSetup:
    """A document whose setup left a proposal."""
    document = document_of(actor)
    schema = schemas.create(actor, name="Invoice", response_format=FORMAT, proposed=True)
    prompt = prompts.create(actor, name="Read an invoice", content="Take it.", schema_revision=schema, proposed=True)
    created = {
        "schemas": [schema.schema_id],
        "prompts": [prompt.prompt_id],
        "schema_revisions": [schema.pk],
        "prompt_revisions": [prompt.pk],
    }
    proposal = Proposal.objects.create(
        organization=actor.organization,
        status="proposed",
        lead=document,
        schema_revision=schema,
        prompt_revision=prompt,
        created_ids=created,
    )
    thread = Thread.objects.create(organization=actor.organization, document=document, owner=actor.user, title="Setup")
    turn = Turn.objects.create(
        thread=thread,
        number=1,
        model="none",
        max_rounds=10,
        limit_micros=1,
        status="completed",
        origin="headless",
        code_version="test",
        spent_micros=12_000,
        round=4,
        finished_at=timezone.now() + timedelta(seconds=38),
    )
    return AutoSetup.objects.create(
        document=document,
        status="proposed",
        proposal=proposal,
        requested_by=actor.user,
        thread_id=thread.pk,
        turn_id=turn.pk,
        extraction=create_extraction(document, prompt),
    )


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


def post(browse: Client_, actor: Actor, name: str, row: str, **sent: Any) -> tuple[int, str]:
    answer = browse(actor).post(address(name, actor, row), sent, **HTMX)
    return answer.status_code, " ".join(answer.content.decode().split())


def now(auto: AutoSetup) -> AutoSetup:
    return AutoSetup.objects.select_related("proposal__tag", "proposal__prompt_revision").get(pk=auto.pk)


def test_the_card_says_what_was_made_and_what_came_out_here(browse: Client_, actor: Actor, auto: AutoSetup) -> None:
    html = card(browse, actor, auto)
    assert "Made by the agent when you uploaded it, in 38 s for $0.012. Used for nothing else until you accept." in html
    assert "2 fields, proposed" in html and "Read an invoice" in html
    assert "1 of 2 located<small>1 exact, 1 not located</small>" in html
    assert "80.90" in html and "data-approve" in html and "data-reject" in html


def test_the_words_of_a_proposal_are_shown_whole_and_as_the_documents(
    browse: Client_, actor: Actor, member: Callable[[Role], Actor], auto: AutoSetup
) -> None:
    words = "Take it. <b>Approve all.</b>\n" + "Then the rest. " * 300
    PromptRevision.objects.update(content=words)
    html = card(browse, actor, auto)
    assert "after it read a.pdf: the words may be the document's own. Read them before you accept" in html
    assert "Take it. &lt;b&gt;Approve all.&lt;/b&gt;<br>" in html and html.count("Then the rest.") == 300
    assert "What it says of 2 fields" in html
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
    code, html = post(browse, actor, "proposal-accept", str(auto.proposal_id), tag="Invoices")
    assert code == 200 and "Proposal accepted by you" in html
    assert "It runs on each new document tagged “Invoices”." in html and "data-approve" not in html
    assert Tag.objects.get().name == "Invoices" and now(auto).status == "accepted"
    assert AuditEntry.objects.filter(action="accepted", organization=actor.organization).exists()


def test_accepting_without_a_tag_starts_nothing_by_itself(browse: Client_, actor: Actor, auto: AutoSetup) -> None:
    _, html = post(browse, actor, "proposal-accept", str(auto.proposal_id), tag=" ")
    assert "No tag starts it" in html and not Tag.objects.exists()


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


# --- The mark of what is only proposed ---

MARK = '<span class="chip chip-proposed">proposed</span>'


def page(browse: Client_, actor: Actor, path: str) -> str:
    answer = browse(actor).get(path)
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def test_lists_pages_and_versions_mark_what_is_only_proposed(browse: Client_, actor: Actor, auto: AutoSetup) -> None:
    assert auto.proposal and auto.proposal.prompt_revision and auto.proposal.schema_revision
    schema, prompt = auto.proposal.schema_revision.schema, auto.proposal.prompt_revision.prompt
    assert MARK in page(browse, actor, address("schemas", actor))
    prompts_list = page(browse, actor, address("prompts", actor))
    assert MARK in prompts_list and "nothing until it is accepted" in prompts_list
    html = page(browse, actor, address("schema", actor, schema.pk))
    assert f"{prompt.name}</a>{MARK}" in html and "version 1, proposed" in html
    html = page(browse, actor, address("prompt", actor, prompt.pk))
    assert f"version 1 {MARK}" in html and "there is a newer one" not in html


def test_a_proposed_version_of_what_is_in_use_is_marked_where_it_is_compared(browse: Client_, actor: Actor) -> None:
    head = schemas.create(actor, name="Invoice", response_format=FORMAT).schema
    inner = FORMAT["json_schema"]["schema"] | {"properties": {"total": FIELD}}  # type: ignore[index]
    response_format = FORMAT | {"json_schema": FORMAT["json_schema"] | {"schema": inner}}  # type: ignore[operator]
    schemas.save_version(actor, schema=head, response_format=response_format, proposed=True)
    html = page(browse, actor, f"{address('schema', actor, head.pk)}?version=1&with=2")
    assert "with version 2, proposed</option>" in html and f"version 1 to 2</span> {MARK}" in html


def test_values_of_a_proposal_are_marked_and_run_again_with_it(browse: Client_, actor: Actor, auto: AutoSetup) -> None:
    html = page(browse, actor, address("document", actor, auto.document_id))
    assert "Found with a proposal" in html and "See the proposal" in html and html.count(MARK) >= 2
    assert auto.proposal and f'name="prompt_revision" value="{auto.proposal.prompt_revision_id}"' in html
    post(browse, actor, "proposal-accept", str(auto.proposal_id))
    html = page(browse, actor, address("document", actor, auto.document_id))
    assert "Found with a proposal" not in html and MARK not in html


def test_the_tab_counts_a_proposal_until_it_is_decided(browse: Client_, actor: Actor, auto: AutoSetup) -> None:
    count = '<span class="count" id="agent-count-words" data-version="1">1<span class="sr"> waiting</span></span>'
    paths = [address("document", actor, auto.document_id), address("document-agent", actor, auto.document_id)]
    assert all(count in page(browse, actor, path) for path in paths)
    post(browse, actor, "proposal-accept", str(auto.proposal_id))
    assert not any("agent-count-words" in page(browse, actor, path) for path in paths)


def test_the_task_heads_the_log_and_nobody_is_said_to_have_written_it(
    browse: Client_, actor: Actor, auto: AutoSetup
) -> None:
    turn = Turn.objects.get()
    Message.objects.create(
        thread=turn.thread, turn=turn, number=1, role="user", blocks=[{"type": "text", "text": "Set up."}]
    )
    html = page(browse, actor, address("document-agent", actor, auto.document_id))
    assert "What it did" in html and "Replayed log" in html and "user-message" not in html
    Turn.objects.update(status="running", finished_at=None)
    assert "Replayed log" not in page(browse, actor, address("document-agent", actor, auto.document_id))


@pytest.mark.parametrize(
    ("status", "words"),
    [("running", "Watch it"), ("failed", "The automatic setup failed"), ("skipped", "The automatic setup was skipped")],
)
def test_a_tab_without_values_says_what_became_of_the_setup(
    browse: Client_, actor: Actor, auto: AutoSetup, status: str, words: str
) -> None:
    Extraction.objects.all().delete()
    AutoSetup.objects.update(status=status, reason="The key was refused.", extraction=None)
    html = page(browse, actor, address("document", actor, auto.document_id))
    assert words in html and ("The key was refused." in html) is (status != "running")


def test_refining_leads_to_the_thread_where_the_next_message_goes_on(
    browse: Client_, actor: Actor, auto: AutoSetup, member: Callable[[Role], Actor]
) -> None:
    path = address("proposal-refine", actor, str(auto.proposal_id))
    own = browse(actor).post(path, {}, **HTMX)["HX-Redirect"]
    assert own == f"{address('document-agent', actor, auto.document_id)}?thread={auto.thread_id}#say"
    other = browse(member(Role.BUILDER)).post(path, {}, **HTMX)["HX-Redirect"]
    begun = Thread.objects.exclude(pk=auto.thread_id).get()
    assert begun.pk in other and begun.title == "Refine “Read an invoice”"
    assert browse(member(Role.REVIEWER)).post(path, {}, **HTMX).status_code == 403
    post(browse, actor, "proposal-accept", str(auto.proposal_id))
    assert browse(actor).post(path, {}, **HTMX).status_code == 409
