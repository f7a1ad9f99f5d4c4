"""Documents that look like what a prompt has run on: said so on the strip, in the list and on the page, run in one press."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.actor import Actor
from agent.conversation import threads
from agent.conversation.model_input.document_blocks import build_blocks
from agent.models import Turn
from documents import document_changes
from documents.autosetup import lookalikes, proposals
from documents.definitions import prompts
from documents.models import BulkAction, Document, Prompt, Proposal, Reading, Sketch
from documents.reading import similarity
from tests.documents.bulk.bulk_rows import work
from tests.documents.proposal_rows import INVOICE, RECEIPT, group_of, make_auto_setup, propose

pytestmark = [pytest.mark.django_db, pytest.mark.servers]
SINCE = {"since": (timezone.now() - timedelta(minutes=5)).isoformat()}


@pytest.fixture
def page(client: Client, actor: Actor, signed_in: Callable[[Client, Actor], Client]) -> Client:
    return signed_in(client, actor)


@pytest.fixture
def proposal(actor: Actor) -> Proposal:
    return propose(actor, group_of(actor, 1)[0])


def upload(actor: Actor, text: str, name: str) -> Document:
    """Read, as a worker leaves it; nobody has asked the agent about it."""
    setup = make_auto_setup(actor, text, name)
    document = setup.document
    setup.delete()
    Document.objects.filter(pk=document.pk).update(uploaded_by=actor.user)
    Reading.objects.filter(document=document).update(prompts_started_at=timezone.now())
    similarity.save_sketch(document, document.readings.get())
    return Document.objects.get(pk=document.pk)


def show_strip(page: Client, actor: Actor) -> str:
    answer = page.get(reverse("drop", args=[actor.organization.pk]), SINCE, headers={"HX-Request": "true"})
    return " ".join(answer.text.split())


def show_model(actor: Actor, document: Document) -> str:
    turn = Turn(thread=threads.create(actor, document=document), number=1)
    return build_blocks(turn, 8000)[0]


def run(page: Client, actor: Actor, **sent: str) -> BulkAction:
    page.post(reverse("drop-run-alike", args=[actor.organization.pk]), sent, headers={"HX-Request": "true"})
    return work(BulkAction.objects.latest("created_at"))


def test_all_places_say_the_same_and_one_press_tags_them(page: Client, actor: Actor, proposal: Proposal) -> None:
    proposals.accept(actor, proposal=proposal, tag_name="Invoice")
    alike = [upload(actor, INVOICE.format(n=n, who=f"Firm{n}"), f"later{n}.pdf") for n in (7, 8)]
    upload(actor, RECEIPT, "receipt.pdf")
    assert "Comparing them" in show_strip(page, actor) and "data-live" in show_strip(page, actor)
    lookalikes.compare_waiting()
    text = show_strip(page, actor)
    assert ">2 look like Invoice<" in text and "Run Invoice ·" in text and "1 of them looks like nothing" in text
    org = actor.organization.pk
    assert page.get(reverse("documents", args=(org,))).text.count("Looks like Invoice") >= 2
    assert page.get(reverse("documents", args=(org,))).text.count('title="Run Invoice"') == 2
    assert "<h3>Looks like Invoice</h3>" in page.get(reverse("document", args=(org, alike[0].pk))).text
    assert 'alike="Looks like Invoice"' in show_model(actor, alike[0])
    prompt = Prompt.objects.get()
    action = run(page, actor, prompt=prompt.pk, **SINCE)
    assert (action.kind, action.total_count) == ("tag", 2)
    assert all([tag.name for tag in each.tags.all()] == ["Invoice"] for each in alike)
    assert {run.prompt_revision for each in alike for run in each.extractions.all()} == {prompt.latest}
    run(page, actor, prompt=prompt.pk, **SINCE)
    assert BulkAction.objects.count() == 1, "a second press finds none left"


def test_without_a_tag_the_prompt_itself_runs(page: Client, actor: Actor, proposal: Proposal) -> None:
    proposals.accept(actor, proposal=proposal)
    document = upload(actor, INVOICE.format(n=7, who="Firm7"), "later.pdf")
    lookalikes.compare_waiting()
    action = run(page, actor, prompt=Prompt.objects.get().pk, document=document.pk)
    assert action.kind == "run" and document.extractions.count() == 1 and not document.tags.exists()


def test_one_like_those_of_a_proposal_says_so_until_it_is_accepted(
    page: Client, actor: Actor, proposal: Proposal
) -> None:
    document = upload(actor, INVOICE.format(n=7, who="Firm7"), "before.pdf")
    lookalikes.compare_waiting()
    text = show_strip(page, actor)
    assert ">1 looks like Invoice, proposed<" in text and "Set it up" in text and "No prompt has run" not in text
    assert "Looks like Invoice, proposed" in page.get(reverse("documents", args=(actor.organization.pk,))).text
    assert 'alike="Looks like Invoice, proposed"' in (told := show_model(actor, document))
    assert "alike_prompt_id" not in told
    assert not lookalikes.filter_alike(Document.objects.all()), "nothing proposed is taken for set up"
    proposals.accept(actor, proposal=proposal)
    assert lookalikes.find_alike(Document.objects.get(pk=document.pk)) == Prompt.objects.get()
    assert "Run Invoice" in show_strip(page, actor)


def test_what_was_there_before_is_compared_once_it_is_proposed(actor: Actor) -> None:
    document = upload(actor, INVOICE.format(n=7, who="Firm7"), "before.pdf")
    lookalikes.compare_waiting()
    assert lookalikes.find_alike(Document.objects.get(pk=document.pk)) is None
    propose(actor, group_of(actor, 1)[0])
    lookalikes.compare_waiting()
    assert lookalikes.find_alike(Document.objects.get(pk=document.pk)) == Prompt.objects.get()


def test_a_prompt_in_the_trash_is_what_nothing_looks_like(page: Client, actor: Actor, proposal: Proposal) -> None:
    proposals.accept(actor, proposal=proposal)
    document = upload(actor, INVOICE.format(n=7, who="Firm7"), "later.pdf")
    lookalikes.compare_waiting()
    prompts.trash(actor, head=Prompt.objects.get())
    assert "Run Invoice" not in show_strip(page, actor) and "No prompt has run on a document like it" in show_strip(
        page, actor
    )
    assert lookalikes.find_alike(Document.objects.get(pk=document.pk)) is None


def test_what_runs_already_is_not_compared(actor: Actor, proposal: Proposal) -> None:
    proposals.accept(actor, proposal=proposal, tag_name="Invoice")
    document = upload(actor, INVOICE.format(n=7, who="Firm7"), "later.pdf")
    tag = Prompt.objects.get().latest.tags.get()  # type: ignore[union-attr]
    document_changes.change_tags(actor, document=document, add=[tag.pk])
    lookalikes.compare_waiting()
    assert not Sketch.objects.filter(compared_at=None).exists()
    assert Sketch.objects.get(document=document).alike_prompt is None


def test_documents_and_prompts_of_others_are_not_there(
    page: Client, actor: Actor, stranger: Actor, proposal: Proposal
) -> None:
    proposals.accept(actor, proposal=proposal, tag_name="Invoice")
    own, prompt = Document.objects.get(), Prompt.objects.get()
    theirs = upload(stranger, INVOICE.format(n=7, who="Firm7"), "theirs.pdf")
    path = reverse("drop-run-alike", args=[actor.organization.pk])
    for sent in ({"document": theirs.pk, "prompt": prompt.pk}, {"document": own.pk, "prompt": theirs.pk}):
        assert page.post(path, sent, headers={"HX-Request": "true"}).status_code == 404
    assert not BulkAction.objects.exists()
