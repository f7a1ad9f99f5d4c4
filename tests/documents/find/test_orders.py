"""Each order of the documents list has an index that is read in its order, on both databases."""

from __future__ import annotations

import pytest
from django.db import connection
from django.db.models import QuerySet

from accounts.actor import Actor
from documents.find import lists
from documents.find.filters import parse_filter
from documents.find.filters.orders import COLUMNS
from documents.models import Document
from kit.rows.grid import arrange
from tests.documents.checked_invoice import make_prompt, store_invoice

pytestmark = [pytest.mark.django_db, pytest.mark.servers]
# What a planner says that has to sort: PostgreSQL, SQLite.
SORTS = ("Sort", "TEMP B-TREE")


@pytest.fixture(autouse=True)
def _prefers_indexes(db: None) -> None:
    """PostgreSQL reads and sorts so few rows sooner than it reads an index."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            for way in ("seqscan", "bitmapscan", "sort", "incremental_sort"):
                cursor.execute(f"SET LOCAL enable_{way} = off")


@pytest.mark.parametrize("sign", ["", "-"])
@pytest.mark.parametrize("column", COLUMNS)
def test_an_index_gives_the_rows_in_order(actor: Actor, column: str, sign: str) -> None:
    narrowing = parse_filter(actor, {"order_by": [f"{sign}{column}"]})
    rows = narrowing.sort(narrowing.apply(Document.objects.for_org(actor.organization)))
    assert not find_sorts(rows)


def test_an_index_gives_the_newest_documents_to_programs(actor: Actor) -> None:
    assert not find_sorts(arrange(lists.list_documents(actor), lists.DOCUMENTS))


def find_sorts(rows: QuerySet[Document]) -> list[str]:
    plan = rows.values_list("pk")[:50].explain()
    return [word for word in SORTS if word in plan]


@pytest.mark.parametrize("order", ["value:tax", "-value:tax", "value:due_date", "-value:iban"])
def test_an_index_gives_the_documents_in_the_order_of_a_field(actor: Actor, order: str) -> None:
    store_invoice(actor, make_prompt(actor, []), "a.pdf", iban="Bolt", due_date="2027-03-01")
    narrowing = parse_filter(actor, {"order_by": [order]})
    parts = narrowing.list_parts(narrowing.apply(Document.objects.for_org(actor.organization)))
    assert [find_sorts(part) for part in parts] == [[], []]
