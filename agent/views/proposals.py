"""The card of automatic setup: what a run proposes for a document and those like it, and the decision on it."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from accounts.access import fetch
from accounts.models import Role
from accounts.views.pages import PageRequest, organization_page
from agent.cards import proposal_cards
from agent.cards.proposal_cards import SetupView
from agent.conversation.addresses import address_of
from agent.turns import refinement_threads
from documents.autosetup import asking, proposals
from documents.models import AutoSetup, Document, Proposal
from kit.errors import Invalid, NotFound

MAX_DIGITS = 4


@require_GET
@organization_page()
def proposal(request: PageRequest, proposal_id: str) -> HttpResponse:
    """The card of a group: as `document` of it has it, else the document it was made for."""
    row = _fetch_proposal(request, proposal_id)
    return _render_card(
        request, proposal_cards.of_proposal(request.actor, row, document_id=request.GET.get("document", ""))
    )


@require_GET
@organization_page()
def show_setup(request: PageRequest, document_id: str) -> HttpResponse:
    """The card of a document, in whatever state its setup is."""
    return _render_card(request, _of_document(request, document_id))


@require_POST
@organization_page(role=Role.BUILDER)
def accept(request: PageRequest, proposal_id: str) -> HttpResponse:
    """For the whole group; `tag` is the name of a tag, there or to be made, where `tag_on` is ticked. 409 with what was
    decided before. `checks` are the numbers of those to keep, where the card showed any (`with_checks`).

    `siblings` are documents that it was tried on and that are to get what came of it.
    `shown` is the face of the proposal as the person has read it: what was refined since is not accepted unread.
    """
    row, form = _fetch_proposal(request, proposal_id), request.POST
    proposals.accept(
        request.actor,
        proposal=row,
        tag_name=form.get("tag", "") if "tag_on" in form else "",
        shown=form.get("shown", ""),
        siblings=form.getlist("siblings"),
        checks=_read_checks(request) if "with_checks" in form else None,
    )
    return _render_answer(request, row)


@require_POST
@organization_page(role=Role.BUILDER)
def reject(request: PageRequest, proposal_id: str) -> HttpResponse:
    """What the run made goes, for the whole group. 409 with what was decided before."""
    row = _fetch_proposal(request, proposal_id)
    proposals.reject(request.actor, proposal=row, reason=request.POST.get("reason", ""))
    return _render_answer(request, row)


@require_POST
@organization_page(role=Role.BUILDER)
def refine(request: PageRequest, proposal_id: str) -> HttpResponse:
    """To the thread in which the next message goes on from the proposal, of `document` when that is given."""
    row = _fetch_proposal(request, proposal_id)
    view = proposal_cards.of_proposal(request.actor, row, document_id=request.POST.get("document", ""))
    address = f"{address_of(refinement_threads.thread_for(request.actor, setup=view.setup))}#say"
    return HttpResponse(headers={"HX-Redirect": address}) if request.htmx else redirect(address)


@require_POST
@organization_page(role=Role.BUILDER)
def retry(request: PageRequest, proposal_id: str) -> HttpResponse:
    """The group once more, with `model` when one was chosen."""
    row = _fetch_proposal(request, proposal_id)
    view = proposal_cards.of_proposal(request.actor, row, document_id=request.POST.get("document", ""))
    return _retry(request, view)


@require_POST
@organization_page(role=Role.BUILDER)
def setup_retry(request: PageRequest, document_id: str) -> HttpResponse:
    """A document whose setup failed or was skipped once more, with `model` when one was chosen."""
    return _retry(request, _of_document(request, document_id))


@require_POST
@organization_page(role=Role.REVIEWER)
def ask(request: PageRequest, document_id: str) -> HttpResponse:
    """Asks for the setup of any document, with `model` and `hint` where they are given, and goes where it is seen."""
    document = fetch(request.actor, Document.objects.all(), document_id, noun="Document")
    form = request.POST
    asking.ask(request.actor, document=document, model=form.get("model", ""), hint=form.get("hint"))
    address = reverse("document-agent", args=(request.actor.organization.pk, document.pk))
    return HttpResponse(headers={"HX-Redirect": address}) if request.htmx else redirect(address)


@require_POST
@organization_page(role=Role.BUILDER)
def remove_member(request: PageRequest, proposal_id: str) -> HttpResponse:
    """`out` leaves the group; the answer is the card of `document`, else of the one that left."""
    row = _fetch_proposal(request, proposal_id)
    leaving = fetch(request.actor, Document.objects.all(), request.POST.get("out", ""), noun="Document")
    setup = AutoSetup.objects.select_related("document", "proposal").filter(document=leaving, proposal=row).first()
    if setup is None:
        raise NotFound("This document is not in the group.")
    proposals.remove_member(request.actor, setup=setup)
    return _render_card(request, _of_document(request, request.POST.get("document", "") or leaving.pk))


def _read_checks(request: PageRequest) -> list[int]:
    """Raises Invalid."""
    sent = request.POST.getlist("checks")
    if not all(number.isdecimal() and len(number) < MAX_DIGITS for number in sent):
        raise Invalid("The checks to keep are named by their numbers.")
    return [int(number) for number in sent]


def _fetch_proposal(request: PageRequest, proposal_id: str) -> Proposal:
    rows = Proposal.objects.select_related("prompt_revision__prompt", "schema_revision__schema")
    return fetch(request.actor, rows, proposal_id, noun="Proposal")


def _of_document(request: PageRequest, document_id: str) -> SetupView:
    document = fetch(request.actor, Document.objects.all(), document_id, noun="Document")
    view = proposal_cards.of_document(request.actor, document)
    if view is None:
        raise NotFound("Automatic setup was not asked for this document")
    return view


def _retry(request: PageRequest, view: SetupView) -> HttpResponse:
    sent = request.POST
    hint = asking.clean_hint(sent["hint"]) if "hint" in sent else None
    proposals.retry(request.actor, setup=view.setup, model=sent.get("model", ""), hint=hint)
    return _render_card(request, _of_document(request, view.document.pk))


def _render_answer(request: PageRequest, row: Proposal) -> HttpResponse:
    """The card after a decision, as the document has it on whose page it was made."""
    view = proposal_cards.of_proposal(request.actor, row, document_id=request.POST.get("document", ""))
    return _render_card(request, view)


def _render_card(request: PageRequest, view: SetupView) -> HttpResponse:
    if request.method == "POST" and not request.htmx:
        return redirect("document-agent", request.actor.organization.pk, view.document.pk)
    return render(request, "agent/proposal.html", {"setup": view})
