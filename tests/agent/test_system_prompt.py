"""The system part says what holds where it is read, and nothing else."""

from __future__ import annotations

from agent.conversation.model_input.system_prompt import system_part

DECIDED = ("card", "reject", "find_tools", "D1:")


def test_automatic_setup_is_told_of_no_person_who_decides() -> None:
    alone = system_part(mode="ask", is_headless=True)
    assert not [word for word in DECIDED if word in alone] and "Nobody watches" in alone
    beside = system_part(mode="ask")
    assert all(word in beside for word in DECIDED)


def test_a_thread_about_no_single_document_is_promised_no_text() -> None:
    assert "You are given the text" in system_part(mode="ask")
    assert "You are given the text" not in system_part(mode="ask", has_document=False)
