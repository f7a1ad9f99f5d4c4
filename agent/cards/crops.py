"""A strip of a page around what a card or a value is about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agent.toolkit.previews import Crop
from documents.models import Page, Reading
from kit.json_types import JsonObject

DRAWING_WIDTH = 1000


@dataclass(frozen=True)
class CropView:
    """A strip of the page in a drawing 1000 wide; `rects` are (x, y, width, height)."""

    page: int
    height: int
    view_box: str
    rects: list[tuple[float, float, float, float]]
    note: str
    reading_id: str


def draw_crop(page: Page, boxes: Sequence[Sequence[float]], note: str = "") -> CropView:
    """`boxes` are page fractions: left, top, right, bottom."""
    height = DRAWING_WIDTH * page.height / (page.width or 1)
    rects = [
        (x0 * DRAWING_WIDTH, y0 * height, (x1 - x0) * DRAWING_WIDTH, (y1 - y0) * height) for x0, y0, x1, y1 in boxes
    ]
    return CropView(
        page=page.number,
        height=round(height),
        view_box=_build_view_box(boxes, height),
        rects=[(round(x - 3, 1), round(y - 3, 1), round(w + 6, 1), round(h + 6, 1)) for x, y, w, h in rects],
        note=note,
        reading_id=page.reading_id,
    )


def draw_newest_crop(crop: Crop | None) -> CropView | None:
    """The strip that a card names, of the newest reading of its document."""
    if not crop or not crop["boxes"] or not crop["document_id"]:
        return None
    page = (
        Page.objects.filter(reading__document_id=crop["document_id"], number=crop["page"])
        .filter(reading__status=Reading.Status.COMPLETED)
        .only("number", "width", "height", "reading_id")
        .order_by("-reading__number")
        .first()
    )
    return draw_crop(page, crop["boxes"], crop["note"]) if page else None


def draw_viewed(result: JsonObject) -> CropView | None:
    """What the model saw by a call of view_page; None where the page is gone."""
    rows = Page.objects.filter(reading=result["reading_id"], number=result["page"])
    page = rows.only("number", "width", "height", "reading_id").first()
    if page is None:
        return None
    left, top, right, bottom = result["area"]
    height = DRAWING_WIDTH * page.height / (page.width or 1)
    edges = left * DRAWING_WIDTH, top * height, (right - left) * DRAWING_WIDTH, (bottom - top) * height
    return CropView(page.number, round(height), " ".join(f"{edge:.0f}" for edge in edges), [], "", page.reading_id)


def _build_view_box(boxes: Sequence[Sequence[float]], height: float) -> str:
    """A strip around the boxes, 460 wide, with the lines above and below."""
    left, right = min(box[0] for box in boxes) * DRAWING_WIDTH, max(box[2] for box in boxes) * DRAWING_WIDTH
    top, bottom = min(box[1] for box in boxes) * height, max(box[3] for box in boxes) * height
    width = min(DRAWING_WIDTH, max(460.0, right - left + 80))
    x = min(max(0.0, right + 40 - width), DRAWING_WIDTH - width)
    return f"{x:.0f} {max(0.0, top - 32):.0f} {width:.0f} {bottom - top + 64:.0f}"
