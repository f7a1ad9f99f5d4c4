"""Which words of a page are shown of a hit, however many of them it has."""

from __future__ import annotations

from time import process_time

import pytest

from documents.find.search.results import PageHit
from documents.find.search.snippets import MAX_BOXES, make_page_hit
from documents.index.words.typed_words import make_expression, parse_words
from reader.words import Word

pytestmark = pytest.mark.servers


def make_hit(text: str, query: str) -> PageHit:
    words = [Word(word, 0.1, at / 20_000, 0.2, (at + 1) / 20_000, at + 1) for at, word in enumerate(text.split())]
    return make_page_hit("65f1a2b3c4d5e6f708192a3b", 1, words, make_expression(parse_words(query)).groups)


def test_the_snippet_begins_a_little_before_the_place_with_the_most_of_them() -> None:
    hit = make_hit(f"paid {'x ' * 200} the amount paid was paid in full {'y ' * 200} paid", "paid")
    assert hit.snippet.begins_within and not make_hit("the amount paid", "paid").snippet.begins_within
    assert hit.snippet.text.count("paid") == 2 and "x the amount paid was paid in full y" in hit.snippet.text
    assert [hit.snippet.text[start:end] for start, end in hit.snippet.marks] == ["paid", "paid"]


def test_a_rare_word_counts_more_than_many_of_another() -> None:
    hit = make_hit(f"{'the hall ' * 60} {'x ' * 200} the deposit is due {'y ' * 200}", "hall deposit")
    assert "the deposit is due" in hit.snippet.text


@pytest.mark.parametrize("query", ["ab", f'"{"ab " * 150}"', f'"{"ab " * 150}cd"'])
def test_a_page_of_one_word_alone_takes_no_time_of_its_square(query: str) -> None:
    began = process_time()
    hit = make_hit("ab " * 6_000, query)
    assert process_time() - began < 1
    assert len(hit.boxes) == (0 if "cd" in query else MAX_BOXES)
