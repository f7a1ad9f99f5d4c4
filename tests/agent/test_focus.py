"""The last objects of a thread: what puts them there, who sees them, and what takes them away."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from accounts.actor import Actor
from agent import focus
from agent.conversation import threads
from agent.conversation.model_input.context import build_messages
from agent.conversation.model_input.state import PREAMBLE
from agent.models import FocusItem, Thread, ToolCall, Turn
from agent.turns import turns
from documents import document_changes
from documents.definitions import prompts, tags
from documents.models import Document
from kit.errors import Denied, NotFound
from tests.agent.context_rows import BUDGET
from tests.agent.tool_rows import another_document

Do = Callable[..., ToolCall]


def list_names(thread: Thread, before: Turn | None = None) -> list[str]:
    return [str(item.object) for item in focus.list_items(thread, before=before)]


def test_calls_put_what_they_named_opened_or_changed_before_the_rest(
    actor: Actor, document: Document, thread: Thread, do: Do
) -> None:
    one, other = another_document(actor, "one.pdf"), another_document(actor, "two.pdf")
    tag = tags.create(actor, name="Paid")
    do("get_ocr_text")
    assert list_names(thread) == [], "the thread's own document needs no mention"
    do("list_tags")
    assert list_names(thread) == [], "definitions are looked up, not talked about"
    do("update_document", document_id=one.pk, add_tags=["Paid"])
    do("list_documents", name_search=".pdf")
    assert list_names(thread) == ["two.pdf", "one.pdf", document.name, "Paid"]
    do("get_tag", tag_id="Paid")
    assert focus.list_items(thread)[0].how == "named"
    assert list_names(thread)[:2] == ["Paid", "two.pdf"]
    one.tags.clear()
    tags.delete(actor, tag=tag)
    document_changes.trash(actor, document=other)
    assert list_names(thread) == ["one.pdf", document.name]
    Document.objects.filter(pk=one.pk).delete()
    assert list_names(thread) == [document.name]


def test_it_keeps_five_of_a_turn_and_five_of_those_before(actor: Actor, thread: Thread, do: Do) -> None:
    names = [another_document(actor, f"{number}.pdf").name for number in range(8)]
    for name in names:
        do("update_document", document_id=name, metadata={"seen": "yes"})
    assert list_names(thread) == ["7.pdf", "6.pdf", "5.pdf", "4.pdf", "3.pdf"]
    assert FocusItem.objects.filter(thread=thread).count() == 6


def test_a_failed_call_and_another_organizations_object_leave_no_trace(thread: Thread, stranger: Actor, do: Do) -> None:
    theirs = another_document(stranger, "theirs.pdf")
    do("update_document", document_id=theirs.pk, document_name="x.pdf")
    turn = Turn.objects.latest("created_at")
    focus.note(turn, [focus.NamedObject("document", theirs.pk), focus.NamedObject("tag", "0" * 24)])
    assert not FocusItem.objects.exists()


def test_the_model_reads_what_earlier_turns_were_about_until_a_person_takes_it_out(
    actor: Actor, thread: Thread, stranger: Actor
) -> None:
    other = another_document(actor, "other.pdf")
    prompt = prompts.create(actor, name="Totals", content="Read.")
    mentions = [{"type": "document", "id": other.pk}, {"type": "prompt", "id": prompt.pk}]
    first = turns.start(actor, thread=thread, text="Look", mentions=mentions)  # type: ignore[arg-type]
    assert "focus" not in read_state(first), "it stands in the message itself"
    Turn.objects.update(status="completed")
    second = turns.start(actor, thread=thread, text="And that one?")
    assert "focus, newest first: document other.pdf; prompt Totals" in read_state(second)
    with pytest.raises(Denied):
        threads.take_out_of_focus(stranger, thread=thread, object_id=other.pk)
    threads.take_out_of_focus(actor, thread=thread, object_id=other.pk)
    assert "focus, newest first: prompt Totals\n" in read_state(second)
    with pytest.raises(NotFound):
        threads.take_out_of_focus(actor, thread=thread, object_id=other.pk)


def test_going_back_takes_what_the_dropped_messages_named(actor: Actor, thread: Thread) -> None:
    mention = [{"type": "document", "id": another_document(actor, "other.pdf").pk}]
    turns.start(actor, thread=thread, text="Look", mentions=mention)  # type: ignore[arg-type]
    assert list_names(thread) == ["other.pdf"]
    threads.go_back(actor, thread=thread, message_number=1)
    assert list_names(thread) == []


def read_state(turn: Turn) -> str:
    turn = Turn.objects.select_related("thread__document", "thread__organization", "thread__owner").get(pk=turn.pk)
    (message,) = (m for m in build_messages(turn, budget=BUDGET) if str(m.get("content")).startswith(PREAMBLE))
    return str(message["content"])
