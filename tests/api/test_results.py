"""Results over /v0: pages by cursor, streams, what they are narrowed by, and whose they are."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable

import pytest
from openpyxl import load_workbook
from rest_framework.test import APIClient

from accounts.actor import Actor
from accounts.models import AuditEntry
from documents.find import saved_views
from documents.index.values.indexing import index_old_runs
from documents.models import Document
from documents.types.catalogue import find_type
from documents.types.telling import set_type
from tests.results_rows import make_extracted, make_invoice_prompt

pytestmark = [pytest.mark.django_db, pytest.mark.servers]
Client = Callable[[Actor], APIClient]


@pytest.fixture
def client(actor: Actor, api_as: Client) -> APIClient:
    return api_as(actor)


@pytest.fixture
def documents(actor: Actor) -> list[Document]:
    return make_extracted(actor, make_invoice_prompt(actor, 4), range(5), 4)


def address(actor: Actor, query: str = "") -> str:
    return f"/v0/orgs/{actor.organization.pk}/results?{query}"


def test_pages_follow_each_other_by_cursor(client: APIClient, actor: Actor, documents: list[Document]) -> None:
    seen, cursor = [], ""
    while cursor is not None:
        page = client.get(address(actor, f"limit=2&cursor={cursor}")).json()
        seen += [result["document_name"] for result in page["results"]]
        cursor = page["next_cursor"]
    assert sorted(seen) == sorted(document.name for document in documents) and len(seen) == 5
    assert AuditEntry.objects.filter(action="exported results of").count() == 1


def test_a_cursor_goes_on_for_whom_it_was_given(
    client: APIClient, stranger: Actor, api_as: Client, actor: Actor, documents: list[Document]
) -> None:
    """Whoever takes results stands in the audit, which their first page writes."""
    make_extracted(stranger, make_invoice_prompt(stranger, 6), range(2), 6)
    foreign = api_as(stranger).get(address(stranger, "limit=1")).json()["next_cursor"]
    assert client.get(address(actor, f"cursor={foreign}")).status_code == 400


def test_a_stream_is_whole_in_each_form(client: APIClient, actor: Actor, documents: list[Document]) -> None:
    set_type(actor, document=documents[0], document_type=find_type(actor.organization, "order"))
    lines = client.get(address(actor, "format=jsonl")).getvalue().decode().splitlines()
    assert sorted(str(json.loads(line)["document_type"]) for line in lines[:-1]) == ["None"] * 4 + ["order"]
    assert len(lines) == 6 and json.loads(lines[-1])["trailer"]["documents"] == 5
    text = client.get(address(actor, "format=csv&columns=field_0,@name&headers=path")).getvalue().decode("utf-8-sig")
    head, *rows = csv.reader(io.StringIO(text))
    assert head == ["field_0", "document_name"] and sum(float(row[0]) for row in rows) == 12.5
    book = load_workbook(io.BytesIO(client.get(address(actor, "format=xlsx&lists=sheets")).getvalue()))
    assert book.sheetnames == ["Documents", "items", "Left out"]


def test_it_is_narrowed_by_what_narrows_the_list(client: APIClient, actor: Actor, documents: list[Document]) -> None:
    index_old_runs()
    view = saved_views.create(actor, name="One", query="value=field_0+%3E+4")
    ids = ",".join(document.pk for document in documents[1:3])
    for query, number in (
        (f"document_ids={ids}", 2),
        (f"view={view.pk}", 1),
        ("value=field_0+%3E+2", 3),
        ("schema=Invoice", 5),
    ):
        assert len(client.get(address(actor, query)).json()["results"]) == number, query


@pytest.mark.parametrize(
    ("query", "code", "words"),
    [
        ("columns=totl", 400, "There is no column"),
        ("columns=@secret", 400, "There is no column"),
        ("cursor=%21", 400, "none of yours"),
        ("cursor=eA", 400, "none of yours"),
        # A moment and an id that nobody has signed.
        ("cursor=WyIyMDk5LTAxLTAxVDAwOjAwOjAwKzAwOjAwIiwieCJd:1wEAAA:c2lnbmVk", 400, "none of yours"),
        ("schema=Nope", 400, "Nope"),
        ("view=65f1a2b3c4d5e6f708192a3b", 404, "View not found"),
        ("format=pdf", 422, "xlsx"),
        ("limit=1001", 422, "1000"),
    ],
)
def test_what_makes_no_sense_is_refused(client: APIClient, actor: Actor, query: str, code: int, words: str) -> None:
    answer = client.get(address(actor, query))
    assert (answer.status_code, words in json.dumps(answer.json())) == (code, True), answer.json()


def test_nothing_of_another_organization_is_there(
    client: APIClient, actor: Actor, stranger: Actor, api_as: Client, documents: list[Document]
) -> None:
    foreign = make_extracted(stranger, make_invoice_prompt(stranger, 6), range(2), 6)
    assert client.get(address(actor, f"document_ids={foreign[0].pk}")).json()["results"] == []
    for form in ("jsonl", "csv"):
        text = client.get(address(actor, f"format={form}")).getvalue().decode()
        assert not any(document.pk in text for document in foreign) and "field_5" not in text
    assert client.get(address(actor, "columns=field_5")).status_code == 400
    schema = foreign[0].extractions.get().schema_revision
    assert schema and client.get(address(actor, f"schema={schema.schema_id}")).status_code == 400
    view = saved_views.create(stranger, name="Theirs", query="q=x")
    assert client.get(address(actor, f"view={view.pk}")).status_code == 404
    assert api_as(stranger).get(address(actor)).status_code == 401
