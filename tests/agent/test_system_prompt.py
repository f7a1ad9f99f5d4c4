"""The system part says what holds where it is read, and nothing else."""

from __future__ import annotations

from agent.conversation.model_input.system_prompt import system_part

MAX_TOKENS = 700
DECIDED = ("card", "reject", "find_tools", "D1:")


def test_automatic_setup_is_told_of_no_person_who_decides() -> None:
    alone = system_part(mode="ask", is_headless=True)
    assert not [word for word in DECIDED if word in alone] and "Nobody watches" in alone
    beside = system_part(mode="ask")
    assert all(word in beside for word in DECIDED)


def test_a_thread_about_no_single_document_is_promised_no_text() -> None:
    assert "You are given the text" in system_part(mode="ask")
    assert "You are given the text" not in system_part(mode="ask", has_document=False)


def test_it_stays_short_with_and_without_a_document() -> None:
    for has_document in (True, False):
        assert len(system_part(mode="ask", has_document=has_document)) / 4 <= MAX_TOKENS


def test_wishes_that_nothing_fulfils_are_answered_with_what_is_there() -> None:
    text = system_part(mode="ask")
    assert "Nothing sends, reminds or assigns" in text and "export_results" in text
