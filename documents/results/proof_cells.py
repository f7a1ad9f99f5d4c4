"""The proof of a value as cells beside it: page, words, state, who verified it and when, failed checks, the place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import cached_property
from typing import NamedTuple
from urllib.parse import urlencode

from django.conf import settings
from django.urls import reverse

from accounts.models import Organization
from documents.extractions.field_proofs import FieldProofs, Leaf
from documents.reading.blocks import BlockId, parse_place
from documents.results.rows import PlacedValue
from documents.values import Where
from kit.errors import AppError
from kit.timestamps import format_timestamp

PARTS = ("page", "words", "state", "verified by", "verified at", "failed checks", "place")
KINDS = {"page": "number", "verified at": "moment"}
# The address of a document names a place by its block.
AT = "at"


class ValueProof(NamedTuple):
    """In the order of PARTS. `page` is a text where the entries of a list are on several."""

    page: int | str | None
    words: str
    state: str
    verified_by: str
    verified_at: datetime | None
    failed_checks: str
    place: str


NO_PROOF = ValueProof(None, "", "", "", None, "", "")


class Links:
    """Addresses of documents and places, for whoever opens the file elsewhere."""

    def __init__(self, organization: Organization) -> None:
        self.organization = organization

    @cached_property
    def _start(self) -> str:
        return f"{settings.PUBLIC_URL}{reverse('documents', args=[self.organization.pk])}/"

    def link_document(self, document_id: str) -> str:
        return f"{self._start}{document_id}"

    def link_place(self, document_id: str, reading_id: str | None, blocks: Sequence[str]) -> str:
        """The document itself where nothing was placed on a page."""
        address = self.link_document(document_id)
        if not blocks or not reading_id:
            return address
        try:
            block = BlockId(reading_id, parse_place(blocks[0]))
        except AppError:
            return address
        return f"{address}?{urlencode({AT: str(block)})}"


def prove_value(proofs: FieldProofs, placed: PlacedValue, links: Links) -> ValueProof:
    """For a list of single values join what is said of its entries, each thing once."""
    if isinstance(placed.value, list):
        entries = [(f"{placed.where}[{row['row_id']}]", row["value"]) for row in placed.value]
        if entries:
            return _join([_prove_single(proofs, where, value, links) for where, value in entries])
    return _prove_single(proofs, placed.where, placed.value, links)


def _prove_single(proofs: FieldProofs, where: Where, value: object, links: Links) -> ValueProof:
    leaf, extraction = Leaf(where, where, value), proofs.extraction
    place, mark = proofs.find_place(leaf), proofs.find_verification(where)
    return ValueProof(
        page=place.get("page"),
        words=place.get("words", ""),
        state=proofs.find_state(leaf),
        verified_by=mark.user.shown_name if mark and mark.user else "",
        verified_at=mark.created_at if mark else None,
        failed_checks="; ".join(dict.fromkeys(failure["message"] for failure in proofs.list_failures(where))),
        place=links.link_place(extraction.document_id, extraction.reading_id, place.get("blocks", ())),
    )


def _join(proofs: Sequence[ValueProof]) -> ValueProof:
    first = proofs[0]
    pages = list(dict.fromkeys(proof.page for proof in proofs if proof.page))
    days = [proof.verified_at for proof in proofs]
    return ValueProof(
        page=", ".join(map(str, pages)) if len(pages) > 1 else first.page,
        words=_join_texts(proof.words for proof in proofs),
        state=_join_texts(proof.state for proof in proofs),
        verified_by=_join_texts(proof.verified_by for proof in proofs),
        verified_at=max((day for day in days if day), default=None) if all(days) else None,
        failed_checks=_join_texts(proof.failed_checks for proof in proofs),
        place=first.place,
    )


def _join_texts(texts: Iterable[str]) -> str:
    return "; ".join(dict.fromkeys(filter(None, texts)))


def describe_for_programs(proof: ValueProof) -> dict[str, object]:
    """Name the parts as JSON does."""
    values = dict(zip(PARTS, proof, strict=True))
    values["verified at"] = format_timestamp(proof.verified_at) if proof.verified_at else None
    return {name.replace(" ", "_"): value for name, value in values.items()}
