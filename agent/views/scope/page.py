"""The settings page that says what the agent is for: everybody reads it, admins change and try it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from django.contrib import messages
from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from accounts.access import fetch
from accounts.models import AccessToken, Role
from accounts.views.pages import PageRequest, organization_page
from agent.models import McpClient, ScopeProfile
from agent.scope_profiles import profile_rows
from agent.scope_profiles.applied import refusal_words
from agent.scope_profiles.profile import Profile
from agent.scope_profiles.requests import Request
from agent.scope_profiles.verdicts import UNSURE
from agent.turns.scope_gate import model_trials, trials
from agent.views.scope.form import ScopeForm
from documents.find import lists
from documents.models import DocumentType
from documents.types import catalogue
from kit.errors import AppError, Invalid

R = TypeVar("R", AccessToken, McpClient)
ORGANIZATION = "organization"
MAX_SUBJECTS = 100
MAX_TURNS = 20
MAX_MESSAGE = 10_000
MODES = (
    (ScopeProfile.Mode.OFF, "Off", "The agent answers about everything that its user may see."),
    (ScopeProfile.Mode.GENTLE, "Gentle", "Leaves a foreign item out and names it. Text streams as it is written."),
    (
        ScopeProfile.Mode.STRICT,
        "Strict",
        "Refuses the whole answer when one item is foreign. Text is shown once it has passed.",
    ),
)
HINTS = {
    "topics": "One per line. General questions about them are answered.",
    "always": "One pattern per line. A sentence that has one passes.",
    "never": "One pattern per line. It overrides everything else.",
}
KEPT = "Nothing was saved. Your entries are still below."
EXAMPLE = DocumentType(key="delivery note", name="Delivery note")


@require_GET
@organization_page()
def show(request: PageRequest) -> HttpResponse:
    """`of` names whose profile: "organization", or the id of an access token or MCP client, for admins."""
    return _page(request, _fetch_subject(request, request.GET))


@require_POST
@organization_page(role=Role.ADMIN)
def save(request: PageRequest) -> HttpResponse:
    subject = _fetch_subject(request, request.POST)
    form = ScopeForm(_find_row(request, subject), request.POST)
    form.full_clean()
    try:
        profile_rows.save_profile(request.actor, subject=subject, **form.changes())
    except Invalid as error:
        form.refuse(error)
        return _page(request, subject, form=form)
    messages.success(request, "The scope is saved.")
    return redirect(_address(request, subject))


@require_POST
@organization_page(role=Role.ADMIN)
def remove(request: PageRequest) -> HttpResponse:
    subject = _fetch_subject(request, request.POST)
    profile_rows.remove_profile(request.actor, subject=subject)
    messages.info(request, "The scope profile is removed.")
    return redirect(_address(request, subject))


@require_POST
@organization_page(role=Role.ADMIN)
def try_scope(request: PageRequest) -> HttpResponse:
    """Judges by what the form says, saved or not."""
    subject = _fetch_subject(request, request.POST)
    form = ScopeForm(_find_row(request, subject), request.POST)
    form.full_clean()
    try:
        profiles = profile_rows.draft_profiles(request.actor, subject=subject, **form.changes())
        trial = _try_profiles(request, profiles)
    except Invalid as error:
        form.refuse(error)
        return render(request, "agent/scope_profile/trial.html", {"form": form})
    context = {
        "trial": trial,
        "mode": form.cleaned_data["mode"],
        "refused": refusal_words.describe_refusal(profiles[0]),
        "left_out": [refusal_words.describe_item(profiles[0], each.name, each.document_type) for each in trial.foreign],
        **_consult_model(request, profiles, trial),
    }
    return render(request, "agent/scope_profile/trial.html", context)


@require_POST
@organization_page(role=Role.ADMIN)
def preview(request: PageRequest) -> HttpResponse:
    """The refusal as a person would read it."""
    form = ScopeForm(_find_row(request, _fetch_subject(request, request.POST)), request.POST)
    form.full_clean()
    return render(request, "agent/scope_profile/preview.html", _describe_refusals(form))


def _try_profiles(request: PageRequest, profiles: list[Profile]) -> trials.Trial:
    sent, actor = request.POST, request.actor
    if turn_id := sent.get("turn"):
        turn = fetch(actor, trials.list_turns(actor), turn_id, noun="Turn")
        return trials.try_turn(profiles, actor, turn)
    message = sent.get("message", "").strip()
    if not message or len(message) > MAX_MESSAGE:
        raise Invalid(f"Type a message of 1 to {MAX_MESSAGE:,} characters, or choose a past turn.")
    names = [name.strip() for name in sent.get("documents", "").splitlines() if name.strip()]
    return trials.try_profiles(profiles, Request(message), trials.find_documents(actor, names[: trials.MAX_TRIED]))


def _consult_model(request: PageRequest, profiles: list[Profile], trial: trials.Trial) -> dict[str, object]:
    """Where no rule decides: the model's verdict for a person who asks for it, else its price."""
    actor = request.actor
    model = model_trials.find_model(actor.organization) if trial.verdict.outcome == UNSURE else ""
    if not model:
        return {}
    if "ask" not in request.POST:
        return {"model": model, "micros": model_trials.estimate_micros(actor.organization, profiles, trial.asked)}
    try:
        return {"model": model, "judged": model_trials.ask_model(actor, profiles, trial.asked)}
    except AppError as error:
        return {"model": model, "problem": error.sentence}


def _fetch_subject(request: PageRequest, sent: QueryDict) -> profile_rows.Subject:
    subject = profile_rows.fetch_subject(request.actor.organization, sent.get("of") or ORGANIZATION)
    if subject is not None:
        request.actor.require(Role.ADMIN)
    return subject


def _find_row(request: PageRequest, subject: profile_rows.Subject) -> ScopeProfile:
    organization = request.actor.organization
    return profile_rows.find_profile(organization, subject) or ScopeProfile(organization=organization)


def _address(request: PageRequest, subject: profile_rows.Subject) -> str:
    page = reverse("scope", args=[request.actor.organization.pk])
    return f"{page}?of={subject.pk}" if subject else page


def _page(request: PageRequest, subject: profile_rows.Subject, *, form: ScopeForm | None = None) -> HttpResponse:
    actor, row = request.actor, _find_row(request, subject)
    shown = form or ScopeForm(row)
    may_change = actor.may(Role.ADMIN)
    context = {
        "section": "settings",
        "subject": "Scope",
        "form": shown,
        "row": row,
        "hints": HINTS,
        "kept": KEPT,
        "of": subject.pk if subject else ORGANIZATION,
        "of_name": subject.name if subject else "",
        "may_change": may_change,
        "modes": MODES,
        "types": catalogue.list_types(actor.organization),
        "tags": lists.list_tags(actor).order_by("name_folded"),
        "subjects": list(_list_subjects(request)) if may_change else [],
        "turns": trials.list_questions(actor, MAX_TURNS) if may_change else [],
        **_describe_refusals(shown),
    }
    return render(request, "agent/scope_profile/page.html", context, status=422 if form else 200)


def _list_subjects(request: PageRequest) -> Iterator[tuple[str, list[AccessToken] | list[McpClient]]]:
    """Tokens and clients of this organization; `has_scope` says which have a profile of their own."""
    organization = request.actor.organization
    tokens = AccessToken.objects.filter(organization=organization)
    clients = McpClient.objects.for_org(organization).select_related("token")
    yield "Access tokens", list(_mark_scopes(tokens, "token"))
    yield "MCP clients", list(_mark_scopes(clients, "client"))


def _mark_scopes(rows: QuerySet[R], path: str) -> QuerySet[R]:
    own = ScopeProfile.objects.filter(**{path: OuterRef("pk")})
    return rows.annotate(has_scope=Exists(own)).order_by("-has_scope", "-created_at", "-pk")[:MAX_SUBJECTS]


def _describe_refusals(form: ScopeForm) -> dict[str, str]:
    types = tuple(each for each in form["types"].value() or () if each)
    profile = Profile(form["sentence"].value() or "", types=types, refusal=form["refusal"].value() or "")
    return {
        "refused": refusal_words.describe_refusal(profile),
        "left_out": refusal_words.describe_item(profile, "Pole extension", EXAMPLE),
    }
