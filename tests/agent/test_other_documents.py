"""Tools that change another document than the thread's own: its card says so, and the thread's stays as it is."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

from collections.abc import Callable

import pytest

from accounts.actor import Actor
from agent.calls import execution
from agent.models import Rule, Thread, ToolCall
from agent.toolkit.named_documents import list_document_ids
from documents import document_changes
from documents.models import Document, Extraction, PromptRevision
from tests.agent.decision_rows import say
from tests.agent.other_documents import extract, other, revision  # noqa: F401 - they are fixtures
from tests.agent.tool_documents import Do, document  # noqa: F401 - document is a fixture
from tests.agent.tool_rows import another_document, undo
from tests.scripted_model import ScriptedModel, answers

Propose = Callable[..., list[ToolCall]]


@pytest.mark.django_db(transaction=True)
def test_it_runs_a_prompt_on_another_document_that_the_card_names(
    scripted_model: ScriptedModel, document: Document, other: Document, revision: PromptRevision, do: Do
) -> None:
    scripted_model.will(answers({"vendor": "Brno Steel", "due_date": None, "line_items": []}))
    call = do("run_extraction", prompt_revid="Invoice", document="other.pdf")
    assert call.status == "succeeded", call.result
    assert call.preview["title"] == "Run “Invoice” on other.pdf" and "another document" in call.preview["warnings"][0]
    assert (call.reach, call.effective) == ("organization", {"document": other.pk, "prompt_revid": revision.pk})
    assert (call.result["document_id"], call.result["document_name"]) == (other.pk, "other.pdf")
    assert Extraction.objects.get(call_id=call.pk).document == other and not document.extractions.exists()
    assert Thread.objects.get().working_state == {}


def test_it_corrects_a_value_of_another_document_and_takes_it_back(
    document: Document, other: Document, revision: PromptRevision, do: Do
) -> None:
    extract(document, revision, vendor="Ostrava", total=1, line_items=[])
    call = do("update_extraction_field", path="vendor", value="Brno", document="other.pdf")
    assert call.status == "succeeded", call.result
    assert call.preview["title"] == "Change Vendor on other.pdf" and call.reach == "organization"
    assert other.extractions.get().current["vendor"] == "Brno"  # type: ignore[index, call-overload]
    assert document.extractions.get().current["vendor"] == "Ostrava"  # type: ignore[index, call-overload]
    assert Thread.objects.get().working_state == {}
    undo(call)
    assert other.extractions.get().current["vendor"].startswith("Brno Steel")  # type: ignore[index, call-overload, union-attr]


@pytest.mark.parametrize("tool", ["run_extraction", "update_extraction_field"])
def test_its_own_name_means_the_threads_document(
    tool: str, document: Document, revision: PromptRevision, do: Do
) -> None:
    extract(document, revision, vendor="Ostrava", line_items=[])
    more = {"path": "vendor", "value": "x"} if tool == "update_extraction_field" else {"prompt_revid": "Invoice"}
    call = do(tool, approve=False, document=document.name, **more)
    assert "document" not in (call.effective or {}) and call.reach == "document"


def test_a_card_about_another_document_comes_back_when_that_has_changed(
    actor: Actor, document: Document, other: Document, do: Do
) -> None:
    call = do("update_document", approve=False, document_id="other.pdf", document_name="paid.pdf")
    document_changes.rename(actor, document=other, name="meanwhile.pdf")
    say(actor, call)
    execution.execute(call.pk, holder="test")
    call.refresh_from_db()
    assert call.status == "stale"


def test_in_mode_auto_another_document_waits_for_a_person(
    other: Document, document: Document, propose: Propose
) -> None:
    requests = (
        ("update_extraction_field", {"path": "vendor", "value": "x", "document": "other.pdf"}),
        (
            "run_extraction",
            {"prompt_revid": "Invoice", "document": "other.pdf"},
        ),
    )
    cards = propose(*requests, mode="auto")
    assert [card.status for card in cards] == ["pending", "pending"]
    assert all("other.pdf" in card.preview["title"] for card in cards)


def test_what_another_document_says_changes_this_one_by_a_card_alone(
    thread: Thread, document: Document, other: Document, propose: Propose, actor: Actor
) -> None:
    """Mode auto and rules for the thread speak of what this document says."""

    def ask(tool: str, **arguments: object) -> ToolCall:
        thread.turns.update(status="completed")
        thread.refresh_from_db()
        (call,) = propose((tool, arguments), mode="auto")
        return call

    def read(name: str) -> None:
        execution.execute(ask("get_extraction_result", document=name).pk, holder="test")

    read(document.name)
    assert ask("update_document", metadata={"iban": "EVIL"}).status == "approved"
    read("other.pdf")
    about = {"organization": actor.organization, "verdict": "allow", "tool": "update_document"}
    Rule.objects.create(scope="thread", thread=thread, **about)
    card = ask("update_document", metadata={"iban": "EVEN"})
    assert card.status == "pending" and "also read “other.pdf”" in card.why_asks
    Rule.objects.create(scope="organization", **about)
    assert ask("update_document", metadata={"iban": "EVER"}).status == "approved"


def test_after_a_list_of_documents_it_asks_too_and_makes_new_things_without(
    thread: Thread, document: Document, other: Document, propose: Propose
) -> None:
    (listing,) = propose(("list_documents", {}), mode="auto")
    execution.execute(listing.pk, holder="test")
    thread.turns.update(status="completed")
    card, made = propose(
        ("update_document", {"metadata": {"a": "b"}}), ("create_prompt", {"name": "N", "content": "x"})
    )
    assert (card.status, made.status) == ("pending", "approved")
    assert "a list of documents" in card.why_asks


def test_documents_are_locked_in_one_order_whoever_names_them(thread: Thread) -> None:
    ids = ["b" * 24, "a" * 24]
    own = [thread.document_id]
    assert list_document_ids(thread, "document", {"documents": ids}) == sorted(ids)
    assert list_document_ids(thread, "extraction", {"document": ids[0]}) == [ids[0]]
    assert list_document_ids(thread, "document", {}) == list_document_ids(thread, "schemas", {"document": "x"}) == own


def test_a_document_in_the_trash_bars_its_own_changes_alone(actor: Actor, document: Document, propose: Propose) -> None:
    another_document(actor, "there.pdf")
    document_changes.trash(actor, document=Document.objects.get(pk=document.pk))
    document.refresh_from_db()
    other_name = ("update_document", {"document_id": "there.pdf", "document_name": "new.pdf"})
    assert [call.status for call in propose(other_name, ("create_tag", {"name": "x"}))] == ["pending", "denied"]
