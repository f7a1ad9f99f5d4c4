"""Metadata of documents: what may stand in it, and its pairs kept so that documents are found by them."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import unquote

from django.db.models import QuerySet

from accounts.models import Organization
from documents.models import Document, MetadataPair
from documents.models.metadata import digest
from kit.errors import Invalid
from kit.rows.grid import check_number

MAX_PAIRS = 200
MAX_KEY = 200
MAX_VALUE = 10_000
MAX_TOTAL = 100_000


def validate_metadata(metadata: Mapping[str, object]) -> dict[str, str]:
    if not all(isinstance(key, str) and isinstance(value, str) for key, value in metadata.items()):
        raise Invalid("metadata must be a JSON object with string values")
    if len(metadata) > MAX_PAIRS:
        raise Invalid(f"metadata holds {len(metadata)} pairs; {MAX_PAIRS} are the most.")
    if any(len(key) > MAX_KEY for key in metadata):
        raise Invalid(f"A key of metadata is longer than {MAX_KEY} characters.")
    if any(len(str(value)) > MAX_VALUE for value in metadata.values()):
        raise Invalid(f"A value of metadata is longer than {MAX_VALUE:,} characters.")
    if sum(len(key) + len(str(value)) for key, value in metadata.items()) > MAX_TOTAL:
        raise Invalid(f"The metadata is longer than {MAX_TOTAL:,} characters altogether.")
    return {_remove_nul(str(key)): _remove_nul(str(value)) for key, value in metadata.items()}


def save_pairs(document: Document) -> None:
    """Makes the pairs say what the metadata says. Inside the transaction that saves the document."""
    pairs = {pair.digest: pair for pair in MetadataPair.all_of(document)}
    stored_digests = set(document.pairs.values_list("digest", flat=True))
    document.pairs.exclude(digest__in=pairs).delete()
    MetadataPair.objects.bulk_create([pair for digest, pair in pairs.items() if digest not in stored_digests])


def filter_by_metadata(rows: QuerySet[Document], organization: Organization, pairs: str) -> QuerySet[Document]:
    """Documents whose metadata has every pair of `key=value,key=value`, each side URL-quoted where it has to be.

    Raises Invalid for too many.
    """
    pair_texts = [pair for pair in pairs.split(",") if pair]
    check_number(len(pair_texts), "pairs of metadata")
    for pair in pair_texts:
        key, _, value = pair.partition("=")
        pair_digest = digest(organization.pk, unquote(key).strip(), unquote(value).strip())
        rows = rows.filter(pk__in=MetadataPair.objects.filter(digest=pair_digest).values("document_id"))
    return rows


def _remove_nul(text: str) -> str:
    """PostgreSQL keeps no NUL."""
    return text.replace("\0", "")
