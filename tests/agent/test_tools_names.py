"""Names in the place of ids, and a prompt that is renamed or follows its schema."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from accounts.actor import Actor
from agent.models import Thread, ToolCall
from documents.definitions import prompts, schemas, tags
from documents.models import Document, Prompt, PromptRevision
from tests.agent.test_tools_schemas import carry_out
from tests.agent.tool_rows import FORMAT, another_document, change_format, undo

Do = Callable[..., ToolCall]


@pytest.fixture
def prompt(actor: Actor) -> PromptRevision:
    schema = schemas.create(actor, name="Supplier invoice", response_format=FORMAT)
    return prompts.create(actor, name="Supplier invoice", content="Read it.", schema_revision=schema)


def test_it_takes_the_name_of_a_schema_a_prompt_and_a_tag(actor: Actor, prompt: PromptRevision, do: Do) -> None:
    tag = tags.create(actor, name="Paid")
    assert do("get_schema", schema_revid=" supplier  INVOICE").result["schema_revid"] == prompt.schema_revision_id
    assert do("get_prompt", prompt_revid="Supplier invoice").result["prompt_revid"] == prompt.pk
    assert do("get_tag", tag_id="paid").result["tag_id"] == tag.pk


def test_a_card_keeps_the_id_that_the_name_had(actor: Actor, document: Document, do: Do) -> None:
    tag = tags.create(actor, name="Paid")
    card = do("update_document", document_id=document.name, tag_ids=["Paid", tag.pk], approve=False)
    assert (card.effective["document_id"], card.effective["tag_ids"]) == (document.pk, [tag.pk])
    new = do("create_prompt", name="New", content="Read.", tag_ids=["Paid"], approve=False)
    tags.update(actor, tag=tag, name="Unpaid")
    tags.create(actor, name="Paid")
    assert carry_out(actor, new).result["prompt_id"]
    assert [each.pk for each in Prompt.objects.get().latest.tags.all()] == [tag.pk]  # type: ignore[union-attr]


def test_it_gives_the_ids_of_documents_that_share_a_name(actor: Actor, do: Do) -> None:
    older, newer = another_document(actor, "same.pdf"), another_document(actor, "same.pdf")
    refused = do("update_document", document_id="same.pdf", document_name="x.pdf", approve=False)
    assert refused.status == "invalid"
    assert refused.result["error"].endswith(f"the newest first: {newer.pk}, {older.pk}.")


def test_a_search_takes_the_names_of_documents(actor: Actor, document: Document, do: Do) -> None:
    assert "error" not in do("search_documents", query="total", document_ids=[document.name]).result
    assert "not found" in do("search_documents", query="total", document_ids=["no such"]).result["error"]


def test_it_renames_a_prompt_without_a_new_version_and_takes_it_back(prompt: PromptRevision, do: Do) -> None:
    call = do("update_prompt", prompt_id="Supplier invoice", name="Invoice")
    assert call.preview["title"] == "Rename prompt “Supplier invoice”"
    assert call.preview["changes"] == [{"name": "Name", "old": "Supplier invoice", "new": "Invoice"}]
    renamed = Prompt.objects.get()
    assert (renamed.name, renamed.latest_id) == ("Invoice", prompt.pk)
    undo(call)
    assert (Prompt.objects.get().name, Prompt.objects.get().latest_id) == ("Supplier invoice", prompt.pk)


def test_a_prompt_follows_the_version_and_the_name_of_its_schema(actor: Actor, prompt: PromptRevision, do: Do) -> None:
    assert prompt.schema_revision
    newer = schemas.save_version(
        actor, schema=prompt.schema_revision.schema, name="Invoice", response_format=change_format(due_date=None)
    )
    card = do("update_prompt", prompt_id=prompt.prompt_id, follow_schema=True, approve=False)
    assert (card.effective["schema_id"], card.effective["name"]) == (newer.pk, "Invoice")
    carry_out(actor, card)
    latest = Prompt.objects.get().latest
    assert latest and (latest.prompt.name, latest.schema_revision_id) == ("Invoice", newer.pk)
    undo(ToolCall.objects.get(pk=card.pk))
    back = Prompt.objects.get().latest
    assert back and (back.prompt.name, back.schema_revision_id) == ("Supplier invoice", prompt.schema_revision_id)


def test_a_prompt_without_a_schema_has_none_to_follow(actor: Actor, do: Do) -> None:
    prompts.create(actor, name="Plain", content="Read.")
    refused = do("update_prompt", prompt_id="Plain", follow_schema=True, approve=False)
    assert refused.status == "invalid" and "has no schema to follow" in refused.result["error"]


def test_a_name_that_is_taken_meanwhile_makes_the_card_anew(actor: Actor, prompt: PromptRevision, do: Do) -> None:
    first = do("update_prompt", prompt_id=prompt.prompt_id, name="Invoice", approve=False)
    second = do("create_prompt", name="Invoice", content="Read.", approve=False)
    carry_out(actor, second)
    assert carry_out(actor, first).status != "succeeded"
    assert Prompt.objects.filter(name="Invoice").count() == 1 and Thread.objects.count() == 1
