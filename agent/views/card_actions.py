"""What a person does with a card: approve, edit, reject, always allow, undo, or report an outcome."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django import forms
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods, require_POST

from accounts.access import fetch
from accounts.models import Role
from accounts.views.pages import PageRequest, organization_page
from agent.calls import decisions, execution, standing_approval, undo
from agent.cards import argument_choices, argument_fields, cards
from agent.conversation import threads
from agent.forms import AllowForm, ChainKeyForm, DecideAllForm, DecisionForm, KeyForm
from agent.models import ToolCall
from agent.outside.catalog import find_tool_of
from agent.policy.decision_rights import Barriers
from agent.views.panel import signal_change
from kit.errors import AppError, Conflict, Denied, Invalid
from kit.http.bodies import Body, takes
from kit.ids import new_id

VIEWS = (("fields", "Fields"), ("json", "JSON"))
INCOMPLETE = "The decision is incomplete: load the page again and decide the card that it shows."


@require_POST
@organization_page(role=Role.REVIEWER)
def decide(request: PageRequest, call_id: str) -> HttpResponse:
    """Approve or reject one card as it was shown. A card decided already answers 409 with the decision that counts."""
    call, answer = _fetch_card(request, call_id), _read_form(DecisionForm(request.POST))
    with _explain_conflict():
        decisions.decide(request.actor, call=call, **answer)
    return signal_change()


@require_POST
@organization_page(role=Role.REVIEWER)
def decide_all(request: PageRequest, thread_id: str) -> HttpResponse:
    """All cards that the page showed, each by itself. What could not be decided answers 409 and is named."""
    thread, answer = threads.fetch_readable(request.actor, thread_id), _read_form(DecideAllForm(request.POST))
    snapshots = DecideAllForm.cards(request.POST.getlist("card"))
    skipped = decisions.decide_all(request.actor, thread=thread, cards=snapshots, **answer)
    if skipped:
        done = f"{len(snapshots) - len(skipped)} of {len(snapshots)} cards {answer['kind']}."
        raise Conflict(" ".join([done, *(f"{cards.title_of(each.call)}: {each.why}" for each in skipped)]))
    return signal_change()


@require_POST
@organization_page(role=Role.REVIEWER)
def allow(request: PageRequest, call_id: str) -> HttpResponse:
    """Approves the card and makes the rule that spares the next ones like it."""
    call, answer = _fetch_card(request, call_id), _read_form(AllowForm(request.POST))
    with _explain_conflict():
        standing_approval.allow_always(request.actor, call=call, **answer)
    return signal_change()


@require_http_methods(["GET", "POST"])
@organization_page(role=Role.REVIEWER)
@takes(Body.TEXT)
def edit(request: PageRequest, call_id: str) -> HttpResponse:
    """The card's arguments as a form; posted, the same content in the other view (`view` is fields or json)."""
    call = _fetch_editable(request, call_id)
    tool, arguments = find_tool_of(call), dict(call.effective or {})
    view = request.POST.get("view", "fields")
    if request.method == "POST":
        typed = argument_fields.read_form(tool, _read_typed(request))
        if view == "fields":
            typed.refuse_unknown(tool)
        if typed.problems:
            return _render_problems(request, call, typed.problems)
        arguments = typed.arguments
    choices = argument_choices.list_choices(request.actor, tool, arguments)
    context = {
        "call": call,
        "card": {"idempotency_key": new_id()},
        "view": view,
        "views": VIEWS,
        "fields": argument_fields.fields_of(tool, arguments, choices=choices),
        "json": argument_fields.format_arguments(arguments),
    }
    return render(request, "agent/edit.html", context)


@require_POST
@organization_page(role=Role.REVIEWER)
@takes(Body.TEXT)
def preview(request: PageRequest, call_id: str) -> HttpResponse:
    """What the card would show with the arguments as typed. Nothing is kept.

    It is asked for while somebody types, so the card may have been decided before: then there is nothing to say.
    """
    call = _fetch_card(request, call_id)
    if call.status != ToolCall.Status.PENDING:
        return HttpResponse(status=204)
    _require_approvable(request, call)
    tool = find_tool_of(call)
    typed = argument_fields.read_form(tool, _read_typed(request))
    if typed.problems:
        return _render_problems(request, call, typed.problems, status=200)
    try:
        card = cards.draw_edited(call, request.actor, typed.arguments)
    except AppError as error:
        return _render_problems(request, call, argument_fields.problems_at(tool, error), status=200)
    return render(
        request, "agent/edit_preview.html", {"card": card, "call": call, "places": _place_problems(request, {})}
    )


@require_POST
@organization_page(role=Role.REVIEWER)
@takes(Body.TEXT)
def approve_edited(request: PageRequest, call_id: str) -> HttpResponse:
    """Approves the card with the arguments as typed. A problem is said at its field and nothing is decided."""
    call, answer = _fetch_card(request, call_id), _read_form(DecisionForm(request.POST))
    tool = find_tool_of(call)
    typed = argument_fields.read_form(tool, _read_typed(request))
    if typed.problems:
        return _render_problems(request, call, typed.problems)
    try:
        with _explain_conflict():
            decisions.decide(request.actor, call=call, arguments=typed.arguments, **answer)
    except AppError as error:
        if _has_winner(error):
            raise
        return _render_problems(request, call, argument_fields.problems_at(tool, error))
    return signal_change()


@require_POST
@organization_page(role=Role.REVIEWER)
def undo_call(request: PageRequest, call_id: str) -> HttpResponse:
    call, answer = _fetch_card(request, call_id), _read_form(KeyForm(request.POST))
    undo.undo_call(request.actor, call=call, **answer)
    return signal_change()


@require_POST
@organization_page(role=Role.REVIEWER)
def undo_chain(request: PageRequest, call_id: str) -> HttpResponse:
    """All steps of the chain that the call is one of, the last one first."""
    call, answer = _fetch_card(request, call_id), _read_form(ChainKeyForm(request.POST))
    undo.undo_chain(request.actor, call=call, **answer)
    return signal_change()


@require_POST
@organization_page(role=Role.REVIEWER)
def resolve(request: PageRequest, call_id: str) -> HttpResponse:
    """A person reports whether a call of unknown outcome happened."""
    call, happened = _fetch_card(request, call_id), request.POST.get("happened", "")
    if happened not in ("yes", "no"):
        raise Invalid("Say whether it happened: yes or no.")
    execution.resolve_outcome(request.actor, call=call, happened=happened == "yes")
    return signal_change()


def _fetch_card(request: PageRequest, call_id: str) -> ToolCall:
    rows = ToolCall.objects.select_related("thread__owner", "thread__organization", "thread__document", "turn")
    call = fetch(request.actor, rows, call_id, noun="Card")
    threads.fetch_readable(request.actor, call.thread_id)
    call.turn.thread = call.thread
    return call


def _read_typed(request: PageRequest) -> dict[str, str]:
    """Of several ticked boxes of one name, each on a line."""
    return {name: "\n".join(request.POST.getlist(name)) for name in request.POST}


def _fetch_editable(request: PageRequest, call_id: str) -> ToolCall:
    call = _fetch_card(request, call_id)
    if call.status != ToolCall.Status.PENDING:
        raise Conflict("This card no longer waits, so there is nothing to edit.")
    _require_approvable(request, call)
    return call


def _require_approvable(request: PageRequest, call: ToolCall) -> None:
    if barred := Barriers(request.actor).to_approve(call):
        raise Denied(barred)


def _read_form(form: forms.Form) -> dict[str, Any]:
    """What the page sent along with the card it shows; a page that is whole sends it all."""
    if not form.is_valid():
        raise Invalid(INCOMPLETE)
    return form.cleaned_data


def _has_winner(error: AppError) -> bool:
    return isinstance(error, Conflict) and "kind" in (error.winner or {})


@contextmanager
def _explain_conflict() -> Iterator[None]:
    """Who was there first, for the one who came later. What a tool's service refuses stays as it is."""
    try:
        yield
    except Conflict as error:
        if not _has_winner(error):
            raise
        raise Conflict(
            f"{decisions.describe_conflict(error)} Your click changed nothing.", winner=error.winner
        ) from error


def _render_problems(
    request: PageRequest, call: ToolCall, problems: dict[str, str], *, status: int = 422
) -> HttpResponse:
    """Each problem at its field; what was typed stays on the page untouched. To look at what is wrong is no failure."""
    context = {"call": call, "places": _place_problems(request, problems)}
    response = render(request, "agent/edit_problems.html", context, status=status)
    response["HX-Reswap"] = "none"
    return response


def _place_problems(request: PageRequest, problems: dict[str, str]) -> dict[str, str]:
    """Every place of the posted form, with its problem or none. In the JSON view there is one place for all."""
    names = [name.removeprefix("arg-") for name in request.POST if name.startswith("arg-")]
    elsewhere = [f"{name}: {problem}" if name else problem for name, problem in problems.items() if name not in names]
    return {"": "\n".join(elsewhere), **{name: problems.get(name, "") for name in names}}
