from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from accounts.actor import Actor
from agent.models import Thread, ToolCall
from documents import document_changes
from documents.definitions import fitting, prompts, tags
from documents.models import Document, Extraction, Tag, TypeDecision
from documents.retention import families
from documents.types.catalogue import find_type
from kit.errors import Conflict
from tests.agent.test_tools_schemas import carry_out
from tests.agent.tool_rows import another_document, undo
from tests.documents.reading_rows import add_reading

Do = Callable[..., ToolCall]


@pytest.fixture
def tag(actor: Actor) -> Tag:
    return tags.create(actor, name="Invoices")


def test_it_lists_documents_as_the_api_narrows_them(actor: Actor, document: Document, tag: Tag, do: Do) -> None:
    other = another_document(actor, "100% discount.pdf")
    document_changes.update(actor, document=other, tag_ids=[tag.pk], metadata={"case": "7, b"})

    def names(**filters: Any) -> list[str]:
        return [row["document_name"] for row in do("list_documents", **filters).result["documents"]]

    assert names() == ["100% discount.pdf", "invoice.pdf"]
    assert names(name_search="%") == ["100% discount.pdf"] and names(name_search="INV") == ["invoice.pdf"]
    assert names(tag_ids=[tag.pk]) == names(metadata_search="case=7%2C b") == ["100% discount.pdf"]
    assert names(metadata_search="case=8") == [] and names(skip=1, limit=1) == ["invoice.pdf"]
    (row,) = do("list_documents", name_search="invoice").result["documents"]
    assert row["is_this_document"] and row["state"] == "ocr_completed" and not {"tags", "metadata"} & set(row)
    (row,) = do("list_documents", name_search="invoice", detail="full").result["documents"]
    assert row["tags"] == [] and row["metadata"] == {} and "uploaded_by" in row
    assert do("list_documents", detail="all").status == "failed"


def test_it_sets_a_type_by_card_and_undo_leaves_it_to_the_rules(document: Document, do: Do) -> None:
    card = do("update_document", approve=False, document_type="Contract")
    assert card.preview["changes"] == [{"name": "Type", "old": "told by rules", "new": "contract"}]
    call = do("update_document", document_type="Contract")
    assert (call.result["changed"], call.result["document_type"]) == (["document_type"], "Contract")
    assert do("list_documents", document_type="contract").result["documents"][0]["document_type"] == "Contract"
    assert "There is no type" in do("update_document", document_type="poem").result["error"]
    assert "Nothing would change" in do("update_document", document_type="contract").result["error"]
    undo(call)
    document.refresh_from_db()
    assert document.document_type is None and not TypeDecision.objects.filter(document=document).exists()


def test_a_prompt_that_does_not_fit_is_a_result_in_words(actor: Actor, document: Document, tag: Tag, do: Do) -> None:
    revision = prompts.create(actor, name="Invoice fields", content="Find it.", tags=[tag])
    fitting.set_types(actor, prompt=revision.prompt, types=["invoice"])
    document_changes.set_type(actor, document=document, document_type=find_type(actor.organization, "contract"))
    add_reading(document, ["SERVICE AGREEMENT"])
    (words,) = do("update_document", add_tags=["Invoices"]).result["held"]
    assert words.startswith("Its type is Contract. “Invoice fields” is for Invoice. It did not run")
    card = do("run_extraction", approve=False, prompt_revid=revision.pk)
    assert "Its type is Contract. “Invoice fields” is for Invoice." in card.preview["warnings"]


def test_it_says_what_a_listed_document_came_in(actor: Actor, document: Document, do: Do) -> None:
    part = another_document(actor, "part.pdf")
    Document.objects.filter(pk=part.pk).update(parent=document, first_page=2, last_page=3)
    first, whole = do("list_documents").result["documents"]
    assert first["place"] == {"where": "pages 2\u20133 of invoice.pdf", "document_id": document.pk}
    assert "place" not in whole


def test_it_changes_name_tags_and_metadata_from_one_card(actor: Actor, document: Document, tag: Tag, do: Do) -> None:
    document_changes.update(actor, document=document, metadata={"case": "7", "old": "x"})
    new = {"document_name": "ostrava.pdf", "tag_ids": [tag.pk, tag.pk], "metadata": {"case": "8"}}
    card = do("update_document", approve=False, **new)
    assert (card.status, card.reach) == ("pending", "document")
    assert card.effective == {**new, "document_id": document.pk, "tag_ids": [tag.pk]}
    assert card.preview["changes"] == [
        {"name": "Name", "old": "invoice.pdf", "new": "ostrava.pdf"},
        {"name": "Tags", "old": "none", "new": "Invoices"},
        {"name": "case", "old": "7", "new": "8"},
        {"name": "old", "old": "x", "new": "empty"},
    ]
    done = carry_out(actor, card)
    assert done.result["tags"] == [{"tag_id": tag.pk, "name": "Invoices"}]
    document.refresh_from_db()
    assert (document.name, document.metadata) == ("ostrava.pdf", {"case": "8"})
    undo(card)
    document.refresh_from_db()
    assert (document.name, document.metadata) == ("invoice.pdf", {"case": "7", "old": "x"})
    assert not document.tags.exists()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({}, "Nothing would change"),
        ({"document_name": "invoice.pdf"}, "Nothing would change"),
        ({"document_name": "/"}, "File name is required"),
        ({"metadata": {"pages": 3}}, "string values"),
        ({"tag_ids": ["Invoices"]}, "Tag not found"),
        ({"tag_ids": "all"}, "Tag not found: 'all'"),
        ({"tag_ids": 7}, "do not fit"),
    ],
)
def test_it_refuses_a_change_that_is_none_or_wrong(do: Do, arguments: dict[str, Any], sentence: str) -> None:
    call = do("update_document", approve=False, **arguments)
    assert call.status == "invalid" and sentence in call.result["error"]


def test_it_reaches_further_with_another_document_and_with_a_tag_that_starts_a_prompt(
    actor: Actor, document: Document, tag: Tag, do: Do
) -> None:
    starting = tags.create(actor, name="Bills")
    prompts.create(actor, name="Reader", content="Read.", tags=[starting])
    other = another_document(actor)

    assert do("update_document", tag_ids=[tag.pk], approve=False).reach == "document"
    card = do("update_document", tag_ids=[starting.pk], approve=False)
    assert card.reach == "organization"
    assert card.preview["effect"] == "“Bills”: 1 document not read yet: runs when read."
    elsewhere = do("update_document", document_id=other.pk, document_name="new.pdf", approve=False)
    assert elsewhere.reach == "organization"
    assert elsewhere.preview["warnings"] == ["This is another document than the one of this thread."]
    document.tags.add(starting)
    assert do("update_document", tag_ids=[starting.pk, tag.pk], approve=False).reach == "document"
    assert do("update_document", tag_ids=[], approve=False).reach == "document"


def test_it_asks_again_when_a_tag_has_come_to_start_a_prompt(actor: Actor, tag: Tag, do: Do) -> None:
    card = do("update_document", tag_ids=[tag.pk], approve=False)
    prompts.create(actor, name="Reader", content="Read.", tags=[tag])
    assert carry_out(actor, card).status == "stale"
    assert card.replaced_by.get().reach == "organization"


def test_it_lets_changes_of_other_parts_pass(actor: Actor, document: Document, tag: Tag, do: Do) -> None:
    name = do("update_document", document_name="new.pdf", approve=False)
    tagging = do("update_document", tag_ids=[tag.pk], approve=False)
    document_changes.update(
        actor, document=document, metadata={"case": "7"}, tag_ids=[tags.create(actor, name="Other").pk]
    )
    assert carry_out(actor, name).status == "succeeded"
    assert carry_out(actor, tagging).status == "stale"
    assert tagging.replaced_by.get().preview["changes"] == [{"name": "Tags", "old": "Other", "new": "Invoices"}]


def test_it_takes_back_its_own_part_alone(actor: Actor, document: Document, do: Do) -> None:
    call = do("update_document", document_name="new.pdf")
    document_changes.update(actor, document=document, metadata={"case": "7"})
    undo(call)
    document.refresh_from_db()
    assert (document.name, document.metadata) == ("invoice.pdf", {"case": "7"})
    again = do("update_document", document_name="new.pdf")
    document_changes.rename(actor, document=document, name="mine.pdf")
    with pytest.raises(Conflict, match="changed since"):
        undo(again)


def test_it_takes_back_a_change_by_the_name_that_stored_calls_have(document: Document, do: Do) -> None:
    call = do("update_document", document_name="new.pdf")
    call.inverse = {**call.inverse, "service": "uploads.update"}
    assert undo(call) == {"took_back": "uploads.update", "document_id": document.pk}
    document.refresh_from_db()
    assert document.name == "invoice.pdf"


def test_it_brings_tags_back_but_those_that_are_gone(actor: Actor, document: Document, tag: Tag, do: Do) -> None:
    gone = tags.create(actor, name="Gone")
    document.tags.set([tag, gone])
    call = do("update_document", tag_ids=[])
    tags.delete(actor, tag=gone)
    undo(call)
    assert list(document.tags.all()) == [tag]


def test_it_needs_a_document_in_a_thread_without_one(actor: Actor, document: Document, thread: Thread, do: Do) -> None:
    Thread.objects.update(document=None)
    assert "Say which document" in do("update_document", document_name="new.pdf", approve=False).result["error"]
    named = do("update_document", document_id=document.pk, document_name="new.pdf", approve=False)
    assert (named.status, named.reach) == ("pending", "organization")


def test_it_moves_a_document_to_the_trash_and_brings_it_back(actor: Actor, document: Document, do: Do) -> None:
    Thread.objects.update(mode="auto")
    run = Extraction.objects.create(document=document, number=1, status="completed", model="none")
    run.verifications.create(where="", user=actor.user)
    card = do("delete_document", approve=False)
    assert (card.status, card.access, card.effective) == ("pending", "destructive", {"document_id": document.pk})
    assert {"name": "Extractions", "value": "1"} in card.preview["rows"]
    assert card.preview["warnings"] == ["A person has verified values of it."]
    carry_out(actor, card)
    document.refresh_from_db()
    assert document.trashed_at
    undo(card)
    document.refresh_from_db()
    assert document.trashed_at is None


def test_it_asks_again_before_it_deletes_what_has_changed(actor: Actor, document: Document, do: Do) -> None:
    card = do("delete_document", approve=False)
    document_changes.rename(actor, document=document, name="kept.pdf")
    assert carry_out(actor, card).status == "stale"
    assert card.replaced_by.get().preview["title"] == "Delete kept.pdf"


def test_it_says_what_is_in_a_document_and_moves_it_along(actor: Actor, document: Document, do: Do) -> None:
    Thread.objects.update(mode="auto")
    part = Document.objects.create(organization=actor.organization, name="part.pdf", size=1, parent=document)
    run = Extraction.objects.create(document=part, number=1, status="completed", model="none")
    run.verifications.create(where="", user=actor.user)
    card = do("delete_document", approve=False)
    assert (card.reach, card.preview["warnings"]) == (
        "organization",
        ["A person has verified values of what is in it."],
    )
    assert "with 1 document in it" in card.preview["effect"]
    assert carry_out(actor, card).result["documents_in_it"] == 1
    assert not Document.objects.for_org(actor.organization).exists()
    undo(card)
    assert Document.objects.for_org(actor.organization).count() == 2


def test_it_asks_again_when_a_document_has_come_in_it_meanwhile(actor: Actor, document: Document, do: Do) -> None:
    card = do("delete_document", approve=False)
    Document.objects.create(organization=actor.organization, name="late.pdf", size=1, parent=document)
    assert carry_out(actor, card).status == "stale"


def test_it_brings_a_document_back_with_what_went_along(actor: Actor, document: Document, do: Do) -> None:
    Document.objects.create(organization=actor.organization, name="part.pdf", size=1, parent=document)
    families.trash(actor, document=document)
    card = do("restore_documents", document=document.pk)
    assert card.result["documents_in_it"] == 1
    undo(card)
    assert not Document.objects.for_org(actor.organization).exists()


def test_taking_a_restoration_back_leaves_what_was_restored_on_its_own(
    actor: Actor, document: Document, do: Do
) -> None:
    part = Document.objects.create(organization=actor.organization, name="part.pdf", size=1, parent=document)
    families.trash(actor, document=document)
    families.restore(actor, document=part)
    undo(do("restore_documents", document=document.pk))
    assert list(Document.objects.for_org(actor.organization)) == [part]
