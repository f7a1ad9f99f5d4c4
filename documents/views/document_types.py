"""Types of documents of an organization, in the settings."""

from __future__ import annotations

from django.contrib import messages
from django.db.models import Count, Q
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from accounts.access import fetch
from accounts.actor import Actor
from accounts.models import Role
from accounts.views.pages import PageRequest, organization_page
from documents.find import lists
from documents.models import DocumentType
from documents.types import model_choice
from documents.types.catalogue import MAX_NAME, add_type, change_type, list_types
from documents.types.model_question import MAX_LINES_SHOWN
from documents.views.forms import TypeModelForm
from kit.errors import AppError, Invalid
from llm.money.budgets import MICROS, format_dollars


@require_GET
@organization_page()
def show(request: PageRequest) -> HttpResponse:
    """Each type with the documents that have it; a viewer sees them alone."""
    actor = request.actor
    counted = Count("documents", filter=Q(documents__trashed_at=None))
    context = {
        "section": "settings",
        "subject": "Types",
        "types": list_types(actor.organization).select_related("schema", "prompt").annotate(document_count=counted),
        "schemas": lists.list_schemas(actor).order_by("name_folded"),
        "prompts": lists.list_prompts(actor).order_by("name_folded"),
        "max_name": MAX_NAME,
        "may_build": actor.may(Role.BUILDER),
        **_describe_model(actor),
    }
    return render(request, "documents/settings/types.html", context)


@require_POST
@organization_page(role=Role.BUILDER)
def add(request: PageRequest) -> HttpResponse:
    try:
        row = add_type(request.actor, name=request.POST.get("name", ""))
        messages.info(request, f"“{row.name}” is a type now. People give it; rules do not know it.")
    except AppError as error:
        messages.error(request, error.sentence)
    return redirect("document-types", request.actor.organization.pk)


@require_POST
@organization_page(role=Role.BUILDER)
def change(request: PageRequest, type_id: str) -> HttpResponse:
    sent, row = request.POST, fetch(request.actor, DocumentType.objects.all(), type_id, noun="Type")
    try:
        row = change_type(
            request.actor,
            document_type=row,
            name=sent.get("name", row.name),
            is_on="is_on" in sent,
            schema_id=sent.get("schema", ""),
            prompt_id=sent.get("prompt", ""),
        )
        messages.info(request, f"“{row.name}” is saved.")
    except AppError as error:
        messages.error(request, error.sentence)
    return redirect("document-types", request.actor.organization.pk)


def _describe_model(actor: Actor) -> dict[str, object]:
    choice, may_administrate = model_choice.find_choice(actor.organization), actor.may(Role.ADMIN)
    micros = choice.month_micros if choice else model_choice.USUAL_MICROS
    return {
        "type_model": choice.model if choice else "",
        "type_month": format_dollars(micros),
        "type_month_usd": f"{micros / MICROS:.2f}",
        "type_models": model_choice.list_models(actor.organization) if may_administrate else [],
        "may_administrate": may_administrate,
        "max_shown": MAX_LINES_SHOWN,
    }


@require_POST
@organization_page(role=Role.ADMIN)
def choose_model(request: PageRequest) -> HttpResponse:
    """No model: rules and people alone."""
    form = TypeModelForm(request.POST)
    try:
        if not form.is_valid():
            raise Invalid("The amount a month is dollars, such as 1 or 2.50.")
        if model := form.cleaned_data["model"]:
            month_usd = float(form.cleaned_data["month_usd"])
            model_choice.choose_model(request.actor, model=model, month_usd=month_usd)
        else:
            model_choice.switch_off(request.actor)
        messages.info(request, f"{model} is asked from now on." if model else "No model is asked for types.")
    except AppError as error:
        messages.error(request, error.sentence)
    return redirect("document-types", request.actor.organization.pk)
