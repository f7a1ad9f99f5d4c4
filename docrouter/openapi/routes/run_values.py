"""The operations on runs and their single values: summaries, queries, and how each is refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from drf_spectacular.utils import OpenApiExample, OpenApiParameter

from docrouter.openapi.routes.operations import INCLUDE, Operation
from documents.api import check_trials
from documents.api.field_answers import STATES
from documents.api.llm import run_fields, run_history
from documents.api.readings import block_places, page_pictures
from documents.models import Extraction
from documents.reading.pages import WIDTHS

Route = tuple[type, str]
_CHANGE = OpenApiExample("A total", request_only=True, value={"path": "items.0.amount", "value": 10.5})
_CHECKS = OpenApiExample(
    "A pattern",
    request_only=True,
    value={"value_checks": [{"kind": "pattern", "field": "invoice_number", "pattern": "^INV-"}]},
)
_NAME = OpenApiExample("A field", request_only=True, value={"path": "items.0.amount"})
_NO_BLOCK = "There is no block 6b01c3f18929dbb3b8e33f10.3.12 here."
_NO_VALUE = "There is no value at totl."
_NOT_ONE = "items is no single value. Name one of its values, or PUT the whole result."


def _text(name: str, description: str) -> OpenApiParameter:
    return OpenApiParameter(name, str, description=description)


def _window(maximum: int, default: int) -> list[OpenApiParameter]:
    limit = {"type": "integer", "minimum": 1, "maximum": maximum, "default": default}
    return [
        OpenApiParameter("skip", {"type": "integer", "minimum": 0, "default": 0}, description="Rows to leave out."),
        OpenApiParameter("limit", limit, description="Rows to give; fewer come where these are long."),
    ]


OPERATIONS: Mapping[Route, Operation] = {
    (page_pictures.PagePicture, "GET"): Operation(
        "Get a page as a picture",
        query=[
            OpenApiParameter(
                "width",
                {"type": "integer", "minimum": 1, "maximum": WIDTHS[-1], "default": page_pictures.DEFAULT_WIDTH},
                description="Pixels at least.",
            ),
            OpenApiParameter("If-None-Match", str, location="header", description="ETags that you have."),
            OpenApiParameter(
                "ETag", str, location="header", description="Another one as soon as it differs.", response=[200, 304]
            ),
        ],
    ),
    (block_places.OneBlock, "GET"): Operation("Find the place of a block"),
    (block_places.OneBlockPicture, "GET"): Operation(
        "Get the words of a block as a picture",
        query=[
            OpenApiParameter("strip", bool, description="With false the whole page."),
            OpenApiParameter("If-None-Match", str, location="header", description="ETags that you have."),
            OpenApiParameter(
                "ETag", str, location="header", description="Another one as soon as it differs.", response=[200, 304]
            ),
        ],
    ),
    (check_trials.ValueCheckTrial, "POST"): Operation("Try value checks on documents", examples=[_CHECKS]),
    (run_history.Extractions, "GET"): Operation(
        "List the runs on a document",
        query=[
            *_window(1000, 10),
            _text("prompt_id", "Of this prompt, or `default` for the summary."),
            OpenApiParameter("status", str, enum=Extraction.Status.values, description="In this state."),
        ],
    ),
    (run_history.OneExtraction, "GET"): Operation("Get a run with its values", query=[INCLUDE]),
    (run_fields.Fields, "GET"): Operation(
        "List the values of a run and what they rest on",
        query=[
            *_window(1000, 100),
            _text("path", "This value, or those inside: `items`, `items.0`, `items.0.amount`."),
            OpenApiParameter("state", str, enum=list(STATES), description="In this state."),
            OpenApiParameter("verified", bool, description="With a verification, or with false without one."),
        ],
    ),
    (run_fields.Fields, "PATCH"): Operation("Change one value", examples=[_CHANGE]),
    (run_fields.FieldVerification, "POST"): Operation("Verify one value", examples=[_NAME]),
    (run_fields.FieldVerificationRemoval, "POST"): Operation("Take a verification back", examples=[_NAME]),
}
ABOUT: Mapping[Route, str] = {
    (run_fields.Fields, "GET"): "In the order of the result. Each has its own `etag`.",
    (run_fields.Fields, "PATCH"): "It is kept as an edit of yours on top of what the run found, and ends the "
    "verifications of the value and of the whole. A position past the end of a list adds a row. `If-Match` takes the "
    "value's `etag`, or that of the whole result to be refused when anything in it has changed.",
}
_MISSING = ["Document not found", "Extraction not found", _NO_VALUE]
REFUSALS: Mapping[Route, Mapping[int, Sequence[str]]] = {
    (page_pictures.PagePicture, "GET"): {
        404: ["Document not found", "Page not found", "The stored file is missing. Upload the document again."]
    },
    (block_places.OneBlock, "GET"): {404: [_NO_BLOCK]},
    (block_places.OneBlockPicture, "GET"): {404: [_NO_BLOCK, "The stored file is missing. Upload the document again."]},
    (run_fields.Fields, "PATCH"): {
        400: ["total: 12,5 is not of type 'number'"],
        404: _MISSING,
        409: ["There is a newer run of this prompt. Load the page again and change the value there."],
    },
    (run_fields.FieldVerification, "POST"): {400: [_NOT_ONE], 404: _MISSING},
    (run_fields.FieldVerificationRemoval, "POST"): {400: [_NOT_ONE], 404: _MISSING},
}
