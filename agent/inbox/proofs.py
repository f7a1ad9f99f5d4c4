"""The values of a document with the strips of its pages that they rest on, for verifying them in the inbox."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agent.cards.crops import CropView, draw_crop
from documents.extractions.extraction_view import FieldView
from documents.extractions.extraction_view.shapes import UNCERTAIN
from documents.models import Extraction, Page

# With more than these a document is verified beside its pages.
MAX_PROOFS = 40


@dataclass(frozen=True)
class Proof:
    """`group` is the title of the table and the row that the value stands in."""

    field: FieldView
    crop: CropView | None


def draw_proofs(run: Extraction, leaves: Sequence[FieldView]) -> list[Proof]:
    """Of the values that are not empty, or uncertain though they are, these first, whether verified by now or not.

    None when there are too many for one look.
    """
    shown = (leaf for leaf in leaves if leaf.shown or _is_doubtful(leaf))
    filled = sorted(shown, key=lambda leaf: not _is_doubtful(leaf))
    if len(filled) > MAX_PROOFS:
        return []
    numbers = {leaf.page for leaf in filled if leaf.page and leaf.boxes}
    rows = Page.objects.filter(reading=run.reading_id, number__in=numbers).only("number", "width", "height", "reading")
    pages = {page.number: page for page in rows} if numbers else {}
    return [Proof(leaf, _draw_crop(pages.get(leaf.page or 0), leaf)) for leaf in filled]


def _is_doubtful(leaf: FieldView) -> bool:
    """Verified by now or not: a value does not move when it is."""
    return leaf.state in UNCERTAIN or bool(leaf.failed_checks)


def _draw_crop(page: Page | None, leaf: FieldView) -> CropView | None:
    return draw_crop(page, leaf.boxes) if page and leaf.boxes else None
