"""Bulk actions from the documents list: the dialog before one that costs, start, stop, undo, what was left out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.access import fetch
from accounts.models import Role
from accounts.views.pages import PageRequest, organization_page
from documents import bulk
from documents.bulk.downloads import open_download
from documents.definitions import tags
from documents.extractions.estimates import RunEstimate, estimate_runs, estimate_tagging
from documents.models import BulkAction, BulkItem, Document, DocumentType, LanguageModel, PromptRevision, Tag
from documents.types.catalogue import list_types
from documents.views.bulk.selection import FIELDS, read_selection
from documents.views.bulk.strip import list_jobs
from documents.views.document_page.runs import PromptChoice, list_prompt_choices
from documents.views.find.counts import count_documents, format_number
from kit.events import organization_group
from kit.http.streamed_files import answer_download
from kit.json_types import JsonObject
from llm import models_catalogue

Kind = BulkAction.Kind
ITEMS_A_PAGE = 100
MAX_PROMPTS = 500
# What is asked about before it starts, whatever is selected.
ASKED_FIRST = (Kind.RUN, Kind.SET_UP, Kind.DELETE, Kind.TYPE)
NOT_DONE = (BulkItem.Status.LEFT_OUT, BulkItem.Status.FAILED)


@require_http_methods(["GET", "POST"])
@organization_page()
def actions(request: PageRequest) -> HttpResponse:
    """GET gives the strip of what is under way; POST starts `action` on the selection and gives it too."""
    if request.method == "POST":
        _create(request)
    return _render_strip(request)


@require_POST
@organization_page(role=Role.REVIEWER)
def preview(request: PageRequest) -> HttpResponse:
    """The dialog of an action that costs or cannot be undone; any other begins at once."""
    kind = request.POST.get("action", "")
    documents = read_selection(request, kind)
    dialog = _Dialog(kind, count_documents(documents, organization_group(request.actor.organization.pk)))
    if kind == Kind.TAG and "new_name" not in request.POST:
        dialog.tag = fetch(request.actor, Tag.objects.all(), request.POST.get("tag_id"), noun="Tag")
        dialog.estimate = estimate_tagging(request.actor, documents=documents, tag=dialog.tag)
    elif kind == Kind.RUN:
        _fill_run(request, dialog, documents)
    elif kind == Kind.SET_UP:
        dialog.models = models_catalogue.list_chat_models(request.actor.organization)
    elif kind == Kind.TYPE:
        dialog.types = list_types(request.actor.organization).filter(is_on=True)
    if kind not in ASKED_FIRST and not (dialog.estimate and dialog.estimate.prompts):
        _create(request)
        response = _render_strip(request)
        response["HX-Retarget"], response["HX-Reswap"] = "#jobs", "outerHTML"
        return response
    fields = [(name, request.POST.get(name, "")) for name in FIELDS]
    context = {
        "dialog": dialog,
        "fields": fields,
        "budget": f"${settings.HEADLESS_BUDGET_USD:.2f}",
        "takes_focus": "is_open" not in request.POST,
    }
    return render(request, "documents/bulk/dialog.html", context)


@dataclass
class _Dialog:
    kind: str
    count: int
    tag: Tag | None = None
    prompts: Sequence[PromptChoice] = ()
    revision: PromptRevision | None = None
    again: bool = False
    anyway: bool = False
    estimate: RunEstimate | None = None
    models: Sequence[LanguageModel] = ()
    types: Iterable[DocumentType] = ()

    @property
    def number(self) -> str:
        return f"{format_number(self.count)} document{'' if self.count == 1 else 's'}"


def _fill_run(request: PageRequest, dialog: _Dialog, documents: QuerySet[Document, Document]) -> None:
    dialog.prompts = list_prompt_choices(request.actor)[:MAX_PROMPTS]
    ids, chosen = [choice.revision_id for choice in dialog.prompts], request.POST.get("prompt_revid", "")
    revid = chosen if chosen in ids else next(iter(ids), None)
    dialog.revision = PromptRevision.objects.select_related("prompt", "schema_revision").filter(pk=revid).first()
    dialog.again = "again" in request.POST
    dialog.anyway = "anyway" in request.POST
    if dialog.revision is not None:
        rows = Document.objects.filter(pk__in=documents.values("pk"))
        dialog.estimate = estimate_runs(
            request.actor, documents=rows, prompt_revisions=[dialog.revision], repeat=dialog.again
        )


@require_GET
@organization_page()
def file(request: PageRequest, bulk_action_id: str) -> HttpResponseBase:
    return answer_download(request, open_download(request.actor, action=_fetch(request, bulk_action_id)))


@require_GET
@organization_page()
def items(request: PageRequest, bulk_action_id: str) -> HttpResponse:
    """What it left out and why, in parts: `after` is the key of the last one."""
    action, after = _fetch(request, bulk_action_id), request.GET.get("after", "")
    rows = BulkItem.objects.filter(action=action, status__in=NOT_DONE).select_related("document").order_by("pk")
    if after.isdecimal() and len(after) < 19:
        rows = rows.filter(pk__gt=int(after))
    part = list(rows[: ITEMS_A_PAGE + 1])
    context = {"action": action, "items": part[:ITEMS_A_PAGE], "is_part": bool(after)}
    context["more_after"] = part[ITEMS_A_PAGE - 1].pk if len(part) > ITEMS_A_PAGE else None
    context["title"] = bulk.get_kind(action.kind).describe(action.arguments)
    return render(request, "documents/bulk/items.html", context)


@require_POST
@organization_page()
def stop(request: PageRequest, bulk_action_id: str) -> HttpResponse:
    bulk.stop(request.actor, action=_fetch(request, bulk_action_id))
    return _render_strip(request)


@require_POST
@organization_page()
def undo(request: PageRequest, bulk_action_id: str) -> HttpResponse:
    bulk.undo(request.actor, action=_fetch(request, bulk_action_id))
    return _render_strip(request)


@require_POST
@organization_page()
def dismiss(request: PageRequest, bulk_action_id: str) -> HttpResponse:
    bulk.dismiss(request.actor, action=_fetch(request, bulk_action_id))
    return _render_strip(request)


@require_POST
@organization_page()
def count(request: PageRequest) -> HttpResponse:
    """How many match the filter in force, or lie in the trash, in words; `action` says for which."""
    rows = read_selection(request, request.POST.get("action", Kind.DOWNLOAD))
    number = count_documents(rows, organization_group(request.actor.organization.pk))
    return HttpResponse(format_number(number), content_type="text/plain; charset=utf-8")


@transaction.atomic
def _create(request: PageRequest) -> BulkAction:
    """A tag of `new_name` is made first, and stays if it is there by now."""
    sent, kind = request.POST, request.POST.get("action", "")
    arguments: JsonObject = {name: sent[name] for name in ("tag_id", "prompt_revid", "document_type") if name in sent}
    if kind == Kind.RUN:
        arguments["again"] = "again" in sent
        arguments["anyway"] = "anyway" in sent
    if kind == Kind.SET_UP:
        arguments |= {name: sent[name] for name in ("model", "hint") if sent.get(name, "").strip()}
    if new_name := sent.get("new_name", "").strip():
        arguments["tag_id"] = tags.create(request.actor, name=new_name).pk
    return bulk.create(request.actor, kind=kind, arguments=arguments, documents=read_selection(request, kind))


def _fetch(request: PageRequest, bulk_action_id: str) -> BulkAction:
    return fetch(request.actor, BulkAction.objects.all(), bulk_action_id, noun="Bulk action")


def _render_strip(request: PageRequest) -> HttpResponse:
    """The jobs of one `prompt` for its page, those of the `place` trash, else those of the list."""
    sent = request.POST or request.GET
    prompt_id, place = sent.get("prompt", ""), sent.get("place", "")
    context = {"jobs": list_jobs(request.actor, prompt_id, place), "jobs_of": prompt_id, "place": place}
    return render(request, "documents/bulk/strip.html", context)
