"""The document page: its frame with the viewer, and the Extraction tab."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from accounts.access import fetch
from accounts.models import Role
from accounts.views.pages import PageRequest, organization_page
from documents.autosetup import lookalikes
from documents.definitions import chains
from documents.models import AutoSetup, Document, Page, Reading
from documents.reading import reading as readings
from documents.reading.gaps import Gap, describe_notes, list_page_gaps
from documents.reading.nesting.outline import is_nested
from documents.views.document_page.family import load_family, may_split
from documents.views.document_page.runs import Runs, load_runs
from documents.views.find.citations import AT, load_citation
from documents.views.review.neighbours import find_neighbours
from documents.views.row_facts import Facts, load_facts_of
from documents.views.rows import PICTURES, list_documents, make_row
from reader.encodings import ENCODINGS

POINTS_TO_PIXELS = 4 / 3
PICTURE_WIDTH = 794
# Sharp on an ordinary screen: the first page is asked for before any script runs.
FIRST_PICTURE_WIDTH = 1200


@dataclass(frozen=True)
class ViewerPage:
    """A page of the viewer. The drawing is 1000 units wide; `natural` is its width in CSS pixels at 100 %.

    `image` is the picture that is shown until a script knows how large it has to be.
    """

    number: int
    height: int
    natural: int
    image: str
    is_read: bool
    gaps: list[Gap]
    is_told_above: bool = False
    """The band above the pages tells its gaps, since it is the only page."""
    picture_width: int = FIRST_PICTURE_WIDTH


def build_context(request: PageRequest, document_id: str, *, tab: str) -> dict[str, object]:
    """What `documents/document.html` needs, whatever its open tab is."""
    document = fetch(request.actor, list_documents(request.actor), document_id, noun="Document")
    facts = load_facts_of(document)
    runs = load_runs(request.actor, document, request.GET)
    reading = (runs.shown.reading if runs.shown else None) or facts.seen
    return {
        "document": document,
        "row": make_row(document, facts, request.actor),
        "runs": runs,
        "extraction": runs.shown,
        "reading": reading,
        "encodings": _list_encodings(reading) if request.actor.may(Role.REVIEWER) else {},
        "border_count": len(reading.borders or ()) if reading and not facts.part_count else 0,
        "reading_notes": describe_notes(reading) if reading else "",
        "neighbours": find_neighbours(request, document),
        "chain": chains.trace_document(document, runs.shown.prompt_revision if runs.shown else None),
        "family": load_family(request.actor, document, facts.part_count),
        "newest_reading": facts.readings[0] if facts.readings else None,
        "pages": list_pages(document, reading),
        "is_nested": reading is not None and is_nested(reading),
        "citation": load_citation(request.GET.get(AT, ""), document, reading),
        "panel_version": _hash_panel(document, facts, runs),
        "setup_waits": int(facts.setup is not None and facts.setup.status == AutoSetup.Status.PROPOSED),
        "setup_asked": facts.setup,
        "held_runs": facts.held_runs,
        "alike": lookalikes.describe_unrun(document),
        "may_split": may_split(request.actor, document, facts.readings[0] if facts.readings else None),
        "needs_password": bool(document.state_code),
        "is_permanent": bool(facts.readings) and facts.readings[0].is_permanent,
        "tab": tab,
        "may_review": request.actor.may(Role.REVIEWER),
        "may_build": request.actor.may(Role.BUILDER),
        "may_change": request.actor.may(Role.REVIEWER) and runs.is_newest,
    }


@require_GET
@organization_page()
def document(request: PageRequest, document_id: str) -> HttpResponse:
    """The page with the Extraction tab open; htmx gets the panel alone."""
    context = build_context(request, document_id, tab="extraction")
    whole = not request.htmx or request.htmx.history_restore_request
    return render(request, "documents/document.html" if whole else "documents/panel.html", context)


def render_panel(request: PageRequest, document_id: str, **state: object) -> HttpResponse:
    """The Extraction tab after a change. `undo` is the edit that Z takes back, `chosen` the place to go to."""
    if not request.htmx:
        return redirect("document", request.actor.organization.pk, document_id)
    context = build_context(request, document_id, tab="extraction")
    return render(request, "documents/panel.html", {**context, **state})


@require_GET
@organization_page()
def topbar(request: PageRequest, document_id: str) -> HttpResponse:
    """The name and the state, for when the state has changed."""
    return render_topbar(request, document_id)


def render_topbar(request: PageRequest, document_id: str, *, status: int = 200, **state: object) -> HttpResponse:
    """`renaming` makes the name a field, with what was `typed` and the `problem`."""
    context = build_context(request, document_id, tab="extraction")
    return render(request, "documents/topbar.html", context | state, status=status)


@require_GET
@organization_page()
def viewer(request: PageRequest, document_id: str) -> HttpResponse:
    """The viewer alone, for when pages have become readable."""
    return render(request, "documents/viewer.html", build_context(request, document_id, tab="extraction"))


@require_POST
@organization_page(role=Role.REVIEWER)
def read_again(request: PageRequest, document_id: str) -> HttpResponse:
    document = fetch(request.actor, Document.objects.all(), document_id, noun="Document")
    readings.start(request.actor, document=document, encoding=request.POST.get("encoding", ""))
    return render_panel(request, document_id)


def _list_encodings(reading: Reading | None) -> Mapping[str, str]:
    """To choose from, where the letters of a text were guessed, or chosen before."""
    if reading is None:
        return {}
    is_open = "encoding" in reading.settings or any(gap[0] == "encoding" for gap in reading.gaps)
    return ENCODINGS if is_open else {}


def _hash_panel(document: Document, facts: Facts, runs: Runs) -> str:
    """Changes whenever the Extraction tab would; a page that shows it already leaves what is open there alone."""
    parts = [f"{document.version}{document.state}", runs.shown.pk if runs.shown else ""]
    parts += [f"{facts.setup.status}{facts.setup.rounds}"] if facts.setup else []
    parts += [f"{held_run.pk}{held_run.reason}" for held_run in facts.held_runs]
    parts += [f"{reading.pk}{reading.status}{reading.pages_read}" for reading in facts.readings[:1]]
    parts += [f"{run.pk}{run.status}{run.version}" for run in runs.all]
    return hashlib.sha256("|".join(parts).encode()).hexdigest()[:16]


def list_pages(document: Document, reading: Reading | None) -> list[ViewerPage]:
    if reading is None:
        return []
    needed = ("reading", "number", "width", "height", "engine", "illegible", "fault")
    pages = reading.pages.only(*needed).order_by("number")
    return [_make_page(page, document, reading) for page in pages]


def _make_page(page: Page, document: Document, reading: Reading) -> ViewerPage:
    path = (document.organization_id, document.pk, page.number)
    # Another address once it is recognized: it may have been turned, and has its words.
    unread = "" if page.engine else "&unread"
    return ViewerPage(
        number=page.number,
        height=round(1000 * page.height / (page.width or 1)),
        natural=PICTURE_WIDTH if document.extension in PICTURES else round(page.width * POINTS_TO_PIXELS),
        image=f"{reverse('page-image', args=path)}?reading={reading.pk}{unread}&w={FIRST_PICTURE_WIDTH}",
        is_read=bool(page.engine),
        gaps=[gap for gap in list_page_gaps(page) if not gap.is_note],
        is_told_above=reading.is_partial and reading.page_count == 1,
    )
