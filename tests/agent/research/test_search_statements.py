"""How many statements the search of the agent takes: as many for many documents as for a few."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.actor import Actor
from tests.agent.tool_documents import Do, document  # noqa: F401 - a fixture
from tests.documents.find.searches import add_document

pytestmark = pytest.mark.servers

NAMES = [f"letter {at}.pdf" for at in range(12)]


def count_statements(do: Do, tool: str, arguments: dict[str, Any]) -> int:
    with CaptureQueriesContext(connection) as statements:
        assert "error" not in do(tool, **arguments).result
    return len(statements)


@pytest.mark.parametrize(
    ("tool", "arguments", "spare"),
    [
        # Further lines of a document that was read are noted.
        ("search_documents", {"query": "roof"}, 3),
        ("search_documents", {"query": "Who repaired the roof?", "queries": ["roof repair"]}, 3),
        # Each is looked up by its name.
        ("rerank_documents", {"query": "roof repair"}, 2 * len(NAMES)),
    ],
)
def test_a_search_takes_as_many_for_many_documents(
    actor: Actor, do: Do, tool: str, arguments: dict[str, Any], spare: int
) -> None:
    for name in NAMES:
        add_document(actor.organization, [f"The roof of {name}"], ["Its repair, and the roof"], name=name)
    named = {"document_ids": NAMES} if tool == "rerank_documents" else {}
    few = count_statements(do, tool, arguments | ({"document_ids": NAMES[:3]} if named else {"max_results": 3}))
    assert count_statements(do, tool, arguments | (named or {"max_results": 12})) <= few + spare


def test_what_is_asked_of_each_document_is_counted_once_a_word(actor: Actor, do: Do) -> None:
    add_document(actor.organization, ["The roof repair"], name="letter.pdf")
    with CaptureQueriesContext(connection) as statements:
        do("search_documents", query="Who repaired the roof of it?")
    counted = [each["sql"] for each in statements if "COUNT(*)" in each["sql"] and "indexedpage" in each["sql"]]
    assert len(counted) == len(set(counted))
