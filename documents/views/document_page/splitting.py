"""Splitting a file that holds several documents: the pages, where another one begins, and how the parts are called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from accounts.access import fetch
from accounts.models import Role
from accounts.views.pages import PageRequest, organization_page, redirect_unless_staying
from documents.intake import splitting
from documents.intake.borders import list_borders
from documents.intake.splitting import PartPages
from documents.models import Document, Page, Reading
from documents.reading.reading import get_newest
from documents.views.undo_lines import make_undo
from kit.errors import AppError


@dataclass(frozen=True)
class SplitPage:
    """`part` has it already; where one `begins`, it has a name, or is left out. `reasons`: why one is proposed."""

    number: int
    height: int
    part: Document | None
    begins: bool
    name: str
    is_left_out: bool
    reasons: tuple[str, ...] = ()


@require_http_methods(["GET", "POST"])
@organization_page(role=Role.REVIEWER)
def split(request: PageRequest, document_id: str) -> HttpResponse:
    document = fetch(request.actor, Document.objects.all(), document_id, noun="Document")
    if request.method == "GET":
        return _render_pages(request, document, None)
    try:
        parts = splitting.split(request.actor, document=document, parts=read_parts(document, request.POST))
    except AppError as error:
        return _render_pages(request, document, request.POST, problem=error.sentence, status=error.status)
    undo = make_undo(request, "document-unsplit", document)
    messages.info(request, f"{document.name} is split into {_count_documents(parts)}.", extra_tags=undo.as_tag())
    return redirect("document", request.actor.organization.pk, document.pk)


@require_POST
@organization_page(role=Role.REVIEWER)
def undo(request: PageRequest, document_id: str) -> HttpResponse:
    document = fetch(request.actor, Document.objects.all(), document_id, noun="Document")
    parts = splitting.undo(request.actor, document=document)
    if "stay" not in request.POST:
        messages.info(request, f"The split of {document.name} is undone: {_count_documents(parts)} went to the trash.")
    address = reverse("document", args=(request.actor.organization.pk, document.pk))
    return redirect_unless_staying(request, address)


def read_parts(document: Document, sent: QueryDict) -> list[PartPages]:
    """From where each begins to the page before the next. Pages of earlier parts end one, and belong to none."""
    taken = {number for part in splitting.list_parts(document) for number in _list_numbers(part)}
    begins = {int(text) for text in sent.getlist("begins") if text.isdecimal() and len(text) < 6}
    runs: list[list[int]] = []
    for number in range(1, splitting.count_pages(document) + 1):
        if number in taken:
            continue
        if not runs or number in begins or number - 1 in taken:
            runs.append([])
        runs[-1].append(number)
    return [PartPages(run[0], run[-1], sent.get(f"name-{run[0]}", "")) for run in runs if f"leave-{run[0]}" not in sent]


def _count_documents(parts: Sequence[Document]) -> str:
    return "1 document" if len(parts) == 1 else f"{len(parts)} documents"


def _list_numbers(part: Document) -> range:
    return range(part.first_page or 0, (part.last_page or 0) + 1)


def _render_pages(
    request: PageRequest, document: Document, sent: QueryDict | None, *, problem: str = "", status: int = 200
) -> HttpResponse:
    reading = get_newest(document)
    proposed = {border.page: border.reasons for border in list_borders(reading)} if reading else {}
    typed = sent if sent is not None else QueryDict("&".join(f"begins={number}" for number in proposed))
    context = {
        "document": document,
        "stem": document.name.rpartition(".")[0] or document.name,
        "reading": reading,
        "pages": _list_pages(document, reading, typed, proposed) if reading else [],
        "is_splittable": document.media_type in splitting.SPLITTABLE,
        "is_proposed": bool(proposed),
        "problem": problem,
    }
    return render(request, "documents/split.html", context, status=status)


def _list_pages(
    document: Document, reading: Reading, typed: QueryDict, proposed: Mapping[int, tuple[str, ...]]
) -> list[SplitPage]:
    taken = {number: part for part in splitting.list_parts(document) for number in _list_numbers(part)}
    begins = {*typed.getlist("begins"), "1"}
    rows = Page.objects.filter(reading=reading).only("number", "width", "height").order_by("number")
    return [
        SplitPage(
            number=page.number,
            height=round(160 * page.height / (page.width or 1)),
            part=taken.get(page.number),
            begins=str(page.number) in begins or page.number - 1 in taken,
            name=typed.get(f"name-{page.number}", ""),
            is_left_out=f"leave-{page.number}" in typed,
            reasons=proposed.get(page.number, ()),
        )
        for page in rows
    ]
