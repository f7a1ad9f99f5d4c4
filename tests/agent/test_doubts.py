"""How a page marks the sentences of an answer that are not proven."""

from __future__ import annotations

import re

import pytest

from agent.citations.checked_answers import mark_doubts
from agent.models import Message
from agent.templatetags.agent_text import markdown


def render(text: str, *unproven: str) -> str:
    spans = [[text.index(each), text.index(each) + len(each)] for each in unproven]
    blocks = [{"type": "text", "text": text}, {"type": "checked", "unsupported": spans, "added_up": []}]
    return markdown(mark_doubts(Message(blocks=blocks)))


def test_what_is_not_checked_is_drawn_in_another_way() -> None:
    text = "It rose [0123456789abcdef01234567.1.1]. No lease names it."
    spans = [[0, text.index(" No")], [text.index("No"), len(text)]]
    check = {"type": "checked", "unsupported": [], "not_checked": spans, "added_up": []}
    html = markdown(mark_doubts(Message(blocks=[{"type": "text", "text": text}, check])), "org")
    assert html.count('<span class="unchecked">') == 2 and "doubt" not in html
    first, second = html.split(" (cited, not checked)</span>")
    assert '<span class="unchecked">It rose <a class="place"' in first and " (not checked)</span>" in second


def list_marked(html: str) -> list[str]:
    return re.findall(r'<mark class="doubt">(.*?)</mark>', html)


@pytest.mark.parametrize(
    "text",
    ["- It rose.", "1. It rose.", "## It rose.", "> It rose.", "> - It rose.", "It fell.\n\n* It rose."],
)
def test_what_stands_before_the_words_stays_what_it_is(text: str) -> None:
    line = text.splitlines()[-1]
    html = render(text, line)
    assert list_marked(html) == ["It rose."]
    plain = re.sub(r"</?mark[^>]*>|<span.*?</span>", "", html)
    assert plain == markdown(text)


def test_a_row_of_a_table_is_marked_cell_by_cell() -> None:
    html = render("| Year | Rent |\n|---|---|\n| 2025 | 1,200 |\n| 2026 | 1,350 |", "| 2026 | 1,350 |")
    assert list_marked(html) == ["2026", "1,350"] and html.count("<td>") == 4


def test_emphasis_across_sentences_is_closed_where_it_was() -> None:
    html = render("It is **due. It rose** today.", "It rose** today.")
    assert html.startswith(
        '<p>It is <strong>due. <mark class="doubt">It rose</mark></strong><mark class="doubt"> today.</mark>'
    )


@pytest.mark.parametrize("said", ["**“Ten”** it is.", "_Ten_ it is.", "`Ten` it is."])
def test_emphasis_at_its_beginning_is_read_as_ever(said: str) -> None:
    assert re.sub(r"</?mark[^>]*>|<span.*?</span>", "", render(said, said)) == markdown(said)


def test_an_answer_bounds_no_doubt_itself() -> None:
    assert list_marked(render("⸨It fell.⸩ It rose.", "It rose.")) == ["It rose."]
