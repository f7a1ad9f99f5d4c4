"""Prompts: the list, a prompt with its text and versions, the editor, a try on one document, the trash."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.access import fetch
from accounts.models import Role
from accounts.views.pages import PageRequest, organization_page
from documents.bulk import following
from documents.definitions import chains, definitions, fitting, uses
from documents.definitions import prompts as services
from documents.definitions.text_changes import list_changed_lines
from documents.models import Prompt, PromptRevision
from documents.types.catalogue import list_types
from documents.views.bulk.strip import list_jobs
from documents.views.definitions.definition_pages import DefinitionPages
from documents.views.definitions.prompt_trials import MAX_TO_TRY, find_trial, list_to_try
from documents.views.definitions.versions import list_trashed
from documents.views.forms import PromptForm
from documents.views.lists import make_listing, render_list
from kit.errors import Conflict, Invalid
from kit.http.bodies import Body, takes

PAGES = DefinitionPages(services.PROMPTS)
trash = PAGES.build_trash(" What it extracted stays.")
restore = PAGES.build_restore()
return_to = PAGES.build_return()
_PARTS = ("created_by", "schema_revision__schema", "prompt")


@require_GET
@organization_page()
def prompts(request: PageRequest) -> HttpResponse:
    rows = Prompt.objects.for_org(request.actor.organization).prefetch_related("latest__tags")
    listing = make_listing(
        request, rows.select_related("latest__created_by", "latest__schema_revision__schema", "created_by")
    )
    counts = uses.count_documents_of_prompts(listing.rows)
    rows_shown = [(prompt, counts.get(prompt.pk, 0)) for prompt in listing.rows]
    context = {"listing": listing, "rows": rows_shown, "trashed": list_trashed(request.actor, Prompt)}
    return render_list(request, "prompt", context)


@require_GET
@organization_page()
def prompt(request: PageRequest, prompt_id: str) -> HttpResponse:
    """`version=<number>` shows that one, else the latest; `with=<number>` compares it with that one."""
    head = PAGES.fetch(request, prompt_id, "latest__schema_revision__schema__latest")
    revisions = list(head.revisions.select_related(*_PARTS).prefetch_related("tags").order_by("-number"))
    shown, pair = chosen = PAGES.choose_versions(request, head, revisions)
    context = {
        "chain": chains.trace_prompt(head, shown),
        "lag": following.find_lag(head) if shown.pk == head.latest_id else None,
        "jobs": list_jobs(request.actor, head.pk),
        "jobs_of": head.pk,
        "changes": _describe_changes(pair.before, pair.after) if pair else [],
        "lines": list_changed_lines(pair.before.content, pair.after.content) if pair else [],
        "fit_names": fitting.list_names(shown),
        "types": list_types(request.actor.organization).filter(is_on=True),
        "document_count": uses.count_documents_of_prompts([head]).get(head.pk, 0),
        "documents": list_to_try(request.actor) if shown.status == PromptRevision.Status.ACCEPTED else [],
        "most_to_try": MAX_TO_TRY,
        "may_try": request.actor.may(Role.REVIEWER),
        "trial": find_trial(request.actor, head, request.GET.get("tried", "")),
    }
    return PAGES.render_page(request, head, revisions, chosen, context)


@require_http_methods(["GET", "POST"])
@organization_page(role=Role.BUILDER)
@takes(Body.TEXT)
def new(request: PageRequest) -> HttpResponse:
    form = PromptForm(request.actor, None, request.POST or None, begun_from=request.GET)
    return PAGES.answer_editor(request, form, lambda: services.create(request.actor, **_get_cleaned(form)))


@require_http_methods(["GET", "POST"])
@organization_page(role=Role.BUILDER)
@takes(Body.TEXT)
def edit(request: PageRequest, prompt_id: str) -> HttpResponse:
    """Name, text and the rest; saving makes a new version when more than the name differs."""
    head = PAGES.fetch(request, prompt_id)
    form = PromptForm(request.actor, definitions.get_newest_revision(head), request.POST or None)

    def save() -> PromptRevision:
        seen = form.cleaned_data["seen"] or head.latest_id
        return services.save_version(request.actor, prompt=head, expected_revid=seen, **_get_cleaned(form))

    return PAGES.answer_editor(request, form, save, head)


@require_POST
@organization_page(role=Role.BUILDER)
def set_types(request: PageRequest, prompt_id: str) -> HttpResponse:
    """`fit` is chosen, any or uses; the chosen ones are `type`s."""
    head, fit = fetch(request.actor, Prompt.objects.all(), prompt_id, noun="Prompt"), request.POST.get("fit", "")
    types = {"any": [], "uses": None}.get(fit, request.POST.getlist("type"))
    if types == [] and fit != "any":
        messages.warning(request, "Choose a type, or choose “Any type”.")
    else:
        fitting.set_types(request.actor, prompt=head, types=types)
        messages.info(request, "The types are saved. What is held is looked at again.")
    return redirect("prompt", request.actor.organization.pk, head.pk)


@require_POST
@organization_page(role=Role.BUILDER)
def follow(request: PageRequest, prompt_id: str) -> HttpResponse:
    """The prompt uses the newest version of its schema from now on, and its results are judged by the checks of that;
    `seen` is the version that was shown."""
    head = fetch(request.actor, Prompt.objects.all(), prompt_id, noun="Prompt")
    action = None
    try:
        action = following.follow_schema(request.actor, prompt=head, seen=request.POST.get("seen", ""))
    except (Conflict, Invalid) as error:  # Another tab or person was first: the page shows what is in force now.
        messages.warning(request, error.sentence)
    if action is not None:
        results = "1 result is" if action.total_count == 1 else f"{action.total_count:,} results are"
        messages.info(request, f"{results} checked again. No model is asked, and values stay as they are.")
    return redirect("prompt", request.actor.organization.pk, head.pk)


def _get_cleaned(form: PromptForm) -> dict[str, Any]:
    given = ("name", "content", "schema_revision", "model", "tags")
    return {name: form.cleaned_data[name] for name in given}


def _describe_changes(before: PromptRevision, shown: PromptRevision) -> list[str]:
    """What differs apart from the text, in words."""
    pairs = [
        ("Schema", _name_schema(before), _name_schema(shown)),
        ("Model", before.model, shown.model),
        ("Tags", _name_tags(before), _name_tags(shown)),
    ]
    return [f"{name}: “{old or 'none'}” is now “{new or 'none'}”" for name, old, new in pairs if old != new]


def _name_schema(revision: PromptRevision) -> str:
    used = revision.schema_revision
    return f"{used.schema.name}, version {used.number}" if used else ""


def _name_tags(revision: PromptRevision) -> str:
    return ", ".join(sorted(tag.name for tag in revision.tags.all()))
