"""Two versions of a long text, compared by a tool: in parts that fit, each with the lines of both."""

from __future__ import annotations

import re

import pytest

from accounts.models import Organization
from documents.models import Document
from documents.reading.page_text import estimate_tokens
from tests.agent.tool_documents import Do
from tests.documents.compared_texts import change_contract, make_contract, number_clauses, set_pages, store_pages

pytestmark = pytest.mark.django_db
MAX_ANSWER = 3_000


@pytest.fixture
def document(organization: Organization) -> Document:
    """The older version; the newer one is `new.pdf`."""
    clauses = make_contract()
    changed, _ = change_contract(clauses)
    for at in range(72, 128):
        changed[at][3:5] = [text.replace(" 1", " 7", 1) for text in changed[at][3:5]]
    store_pages(organization, "new.pdf", set_pages(number_clauses(changed), width=61))
    return store_pages(organization, "old.pdf", set_pages(number_clauses(clauses)))


def test_two_versions_of_sixty_pages_are_compared_in_parts_that_fit(document: Document, do: Do) -> None:
    first = do("compare_documents", with_document="new.pdf").result
    assert estimate_tokens(str(first)) <= MAX_ANSWER
    assert first["compared"][0].startswith("D1: old.pdf, 6") and first["by_kind"]["moved"] == 1
    lines = first["changes"].splitlines()[2:-1]
    assert "number or date [D1:" in lines[0] and "wording" not in lines[0]
    following = int(re.findall(r"from_change=(\d+)", first["more"])[0])
    assert following == len(lines) + 1
    rest = do("compare_documents", with_document="new.pdf", from_change=following).result
    assert len(rest["changes"].splitlines()[2:-1]) + len(lines) == rest["total_changes"] == first["total_changes"]
    assert "punctuation" in rest["changes"] and "more" not in rest


def test_each_place_can_be_cited_and_says_what_changed(document: Document, do: Do) -> None:
    changes = do("compare_documents", with_document="new.pdf").result["changes"]
    (line,) = [line for line in changes.splitlines() if "[-10-]{+21+}" in line]
    one, other = re.findall(r"\[(D\d+:[\d.]+)\]", line)
    for block_id, words in ((one, "10 days"), (other, "21 days")):
        cited = do("cite_source", cited_text=words, block_id=block_id, citation_number=1).result
        assert cited["cited_text"] and "error" not in cited
    assert "under “10. Duty 10”" in line


def test_pages_narrow_it_and_what_cannot_be_compared_is_refused(document: Document, do: Do) -> None:
    few = do("compare_documents", with_document="new.pdf", pages="1-9").result
    assert 0 < few["total_changes"] < 5
    none = do("compare_documents", with_document="new.pdf", pages="1").result
    assert (none["total_changes"], "changes" in none) == (0, False) and "no change on these pages" in none["result"]
    for arguments, words in (
        ({"pages": "90"}, "There are no pages 90"),
        ({"pages": "all"}, "Write pages as 9-20"),
        ({"from_change": 900}, "from_change is the place of one of them"),
        ({"with_document": "old.pdf"}, "Both are the same document"),
        ({"with_document": ["new.pdf"]}, "with_document"),
        ({"from_change": "first"}, "from_change"),
        ({"pages": "1-999999999"}, "Write pages as 9-20"),
    ):
        assert words in do("compare_documents", **{"with_document": "new.pdf", **arguments}).result["error"]
