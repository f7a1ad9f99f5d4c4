"""The line below a name in the list that says where the words stand which it is narrowed by."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from urllib.parse import urlencode

from django.urls import reverse

from accounts.actor import Actor
from documents.find.search.list_hits import find_page_hits, find_value_hits
from documents.find.search.results import PageHit
from documents.models import Document
from documents.views.find.citations import AT
from documents.views.find.search_rows import HitLine, Piece, split_marks
from documents.views.review.neighbours import LIST

# Letters before the first word that was looked for, and in all: the line is cut where the column ends.
BEFORE, MAX_LETTERS = 24, 160


def load_hits(actor: Actor, words: str, query: str, documents: Sequence[Document]) -> dict[str, HitLine]:
    """By document, for those that have the words on a page or in a value; `query` is the address of the list."""
    if not words.strip('"* -'):
        return {}
    keys = [document.pk for document in documents]
    pages = find_page_hits(actor, words, keys)
    values = find_value_hits(actor, words, [key for key in keys if key not in pages])
    addresses = {key: reverse("document", args=[actor.organization.pk, key]) for key in keys}
    lines = {key: _make_page_line(hit, addresses[key], query) for key, hit in pages.items() if hit.blocks}
    for key, hit in values.items():
        pieces = [Piece(f"{hit.path} "), Piece(hit.text[:MAX_LETTERS], is_match=True)]
        lines[key] = HitLine("braces", pieces, "", f"{addresses[key]}?{urlencode({LIST: query})}")
    return lines


def _make_page_line(hit: PageHit, address: str, query: str) -> HitLine:
    at = {AT: f"{hit.reading_id}.{','.join(hit.blocks)}", LIST: query}
    pieces = _shorten(list(split_marks(hit.snippet)))
    return HitLine("scan-text", pieces, f"Page {hit.number}", f"{address}?{urlencode(at)}")


def _shorten(pieces: Sequence[Piece]) -> list[Piece]:
    """Begins a few words before those that were looked for, so that they are seen in a narrow column."""
    first, *others = pieces
    if not first.is_match and len(first.text) > BEFORE:
        first = Piece(f"…{first.text[-BEFORE:].partition(' ')[2]}")
    lengths = accumulate(len(piece.text) for piece in (first, *others))
    return [piece for piece, end in zip((first, *others), lengths, strict=True) if end - len(piece.text) < MAX_LETTERS]
