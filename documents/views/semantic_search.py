"""The embedding model of an organization, in the settings."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from accounts.actor import Actor
from accounts.models import Role
from accounts.views.pages import PageRequest, organization_page
from documents.index.vectors.choice import choose_model, find_model, list_models, remove_choice, request_vectors
from documents.models import EmbeddingChoice
from documents.views.forms import EmbeddingForm
from kit.errors import Invalid
from kit.formats import count_noun


@require_GET
@organization_page()
def show(request: PageRequest) -> HttpResponse:
    """`named` is the model that is set, `model` the same where it may be asked."""
    organization, may_administrate = request.actor.organization, request.actor.may(Role.ADMIN)
    context = {
        "section": "settings",
        "subject": "Search",
        "model": find_model(organization),
        "named": EmbeddingChoice.find_name(organization.pk),
        "is_own": EmbeddingChoice.objects.filter(organization=organization).exists(),
        "installed": settings.EMBEDDING_MODEL,
        "offered": list_models(organization) if may_administrate else [],
        "may_administrate": may_administrate,
    }
    return render(request, "documents/settings/search.html", context)


@require_POST
@organization_page(role=Role.ADMIN)
def choose(request: PageRequest) -> HttpResponse:
    """`installed` takes the installation's model again."""
    form = EmbeddingForm(request.POST)
    try:
        if not form.is_valid():
            raise Invalid("The name of a model has 200 characters at most.")
        _store(request.actor, form.cleaned_data["model"], is_installed="installed" in request.POST)
        number = request_vectors(request.actor.organization) if form.cleaned_data["earlier"] else 0
        messages.info(request, _describe(request.actor, number))
    except Invalid as error:
        messages.error(request, error.sentence)
    return redirect("search-settings", request.actor.organization.pk)


def _store(actor: Actor, model: str, *, is_installed: bool) -> None:
    if not is_installed:
        choose_model(actor, model=model)
    elif choice := EmbeddingChoice.objects.filter(organization=actor.organization).first():
        remove_choice(actor, choice=choice)


def _describe(actor: Actor, number: int) -> str:
    model = find_model(actor.organization)
    if not model:
        return "Searches find words alone."
    asked = f" It is asked about {count_noun(number, 'document')}, bit by bit." if number else ""
    return f"Searches by meaning use {model}.{asked}"
