"""Words divided at a line end or by a soft hyphen: found as the whole, shown as printed, proved by both parts."""

from __future__ import annotations

import pytest

from accounts.actor import Actor
from documents.find.search import find_pages
from documents.find.search.snippets import make_page_hit
from documents.index.words.typed_words import make_expression, parse_words
from reader.divided_words import list_divided_words
from tests.documents.find.searches import add_document
from tests.documents.locate_pages import find
from tests.documents.words_builder import page

pytestmark = pytest.mark.servers
LETTER = "der ausgewiesene Rechnungs-\nbetrag ist fällig. Die Umsatz\u00adsteuer"


@pytest.mark.parametrize(
    ("text", "joined"),
    [
        (LETTER, ["Umsatzsteuer", "Rechnungsbetrag"]),
        ("the (ship-\nment), paid", ["shipment"]),
        ("a long con-      another col-\ntract is here     umn of text", ["contract", "column"]),
        ("the divi-\n\n\n\n\ndend", []),
        ("Rechnungs-\nNummer 4711", []),
        ("Lot A-\nb and 12-\nmonth", []),
        ("Soll-Ist 2025-2026 co-op- x", []),
        ("left column -\ngoes on", []),
    ],
)
def test_parts_that_belong_together_are_one_word(text: str, joined: list[str]) -> None:
    assert [word.text for word in list_divided_words(page(text))] == joined


def test_the_foot_of_a_column_goes_on_at_the_head_of_the_next() -> None:
    words = page("x con-\ntract")
    foot, head = words[1]._replace(y0=0.9, y1=0.91), words[2]._replace(y0=0.1, y1=0.11)
    assert [word.text for word in list_divided_words([words[0]._replace(y0=0.9, y1=0.91), foot, head])] == ["contract"]


def test_what_nobody_sees_is_no_part() -> None:
    assert list_divided_words(page("Rechnungs-\nbetrag", hidden=frozenset({2}))) == []


def test_a_page_of_hyphens_is_joined_in_time() -> None:
    row = "ab-    " * 5_000
    assert len(list_divided_words(page(f"{row}\n{row}\n" * 4))) == 0


@pytest.mark.django_db
def test_a_search_finds_the_whole_and_the_parts(actor: Actor) -> None:
    add_document(actor.organization, ["Rechnungs-", "betrag der Umsatz-steuer"])
    for query in ("Rechnungsbetrag", "Umsatzsteuer", "umsatzsteu*", "Betrag", '"Umsatz steuer"', "rechnungsbetrga"):
        assert find_pages(actor, query).total_pages == 1, query


def test_a_hit_marks_both_parts_as_they_are_printed() -> None:
    groups = make_expression(parse_words("Rechnungsbetrag")).groups
    hit = make_page_hit("65f1a2b3c4d5e6f708192a3b", 1, page(LETTER), groups)
    assert [hit.snippet.text[start:end] for start, end in hit.snippet.marks] == ["Rechnungs- betrag"]
    assert len(hit.boxes) == 2


def test_a_value_is_located_with_a_box_for_each_part() -> None:
    location = find({"term": "Rechnungsbetrag"}, LETTER)["term"]
    assert (location.words, len(location.boxes)) == ("Rechnungs- betrag", 2)
