from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from accounts.actor import Actor
from agent.calls import execution
from agent.models import Thread, ToolCall
from documents import document_changes
from documents.definitions import prompts, tags
from documents.models import Document, Tag
from kit.errors import Conflict, Invalid
from tests.agent.decision_rows import say
from tests.agent.tool_rows import another_document, undo

Do = Callable[..., ToolCall]


@pytest.fixture
def tag(actor: Actor) -> Tag:
    return tags.create(actor, name="Invoices", color="#112233", description="From suppliers.")


def test_it_reads_a_tag_with_what_it_starts(actor: Actor, tag: Tag, document: Document, do: Do) -> None:
    document.tags.add(tag)
    prompt = prompts.create(actor, name="Invoice", content="Read.", tags=[tag])
    assert do("get_tag", tag_id=tag.pk).result == {
        "tag_id": tag.pk,
        "name": "Invoices",
        "color": "#112233",
        "description": "From suppliers.",
        "document_count": 1,
        "prompts": [{"prompt_id": prompt.prompt_id, "name": "Invoice"}],
    }


def test_it_lists_tags_by_name_and_filter(actor: Actor, tag: Tag, document: Document, do: Do) -> None:
    document.tags.add(tag)
    tags.create(actor, name="100% paid")
    rows = do("list_tags", name_search="%").result["tags"]
    assert [row["name"] for row in rows] == ["100% paid"]
    suppliers = {"items": [{"field": "description", "operator": "contains", "value": "suppliers"}]}
    (row,) = do("list_tags", filters=suppliers).result["tags"]
    assert (row["tag_id"], row["document_count"], row["prompt_count"]) == (tag.pk, 1, 0)


def test_it_creates_a_tag_and_takes_it_back(actor: Actor, do: Do) -> None:
    card = do("create_tag", name="Invoices", color="#ff0000", approve=False)
    assert (card.status, card.reach, Tag.objects.count()) == ("pending", "organization", 0)
    assert card.preview["rows"][1] == {"name": "Colour", "value": "#ff0000", "color": "#ff0000"}
    say(actor, card)
    execution.execute(card.pk, holder="test")
    card.refresh_from_db()
    created = Tag.objects.get()
    assert card.result == {"tag_id": created.pk, "name": "Invoices", "color": "#ff0000", "description": ""}
    undo(card)
    assert not Tag.objects.exists()


def test_it_refuses_a_taken_or_unusable_tag(tag: Tag, do: Do) -> None:
    taken = do("create_tag", name="Invoices", approve=False)
    assert (taken.status, taken.result["existing"]) == ("invalid", {"tag_id": tag.pk})
    assert do("create_tag", name="INVOICES", approve=False).preview["warnings"] == [
        "There is a tag “Invoices” already."
    ]
    assert "#3B82F6" in do("create_tag", name="Red", color="red", approve=False).result["error"]


def test_it_does_not_take_back_a_tag_that_is_in_use(actor: Actor, document: Document, do: Do) -> None:
    call = do("create_tag", name="Invoices")
    document.tags.set([call.result["tag_id"]])
    with pytest.raises(Invalid, match="assigned to one or more documents"):
        undo(call)


def test_it_changes_a_tag_and_shows_old_and_new(actor: Actor, tag: Tag, do: Do) -> None:
    card = do("update_tag", tag_id=tag.pk, name="Bills", color="#445566", approve=False)
    assert card.preview["changes"] == [
        {"name": "Name", "old": "Invoices", "new": "Bills"},
        {"name": "Colour", "old": "#112233", "new": "#445566", "old_color": "#112233", "new_color": "#445566"},
    ]
    say(actor, card)
    execution.execute(card.pk, holder="test")
    tag.refresh_from_db()
    assert (tag.name, tag.color, tag.description) == ("Bills", "#445566", "From suppliers.")
    card.refresh_from_db()
    undo(card)
    tag.refresh_from_db()
    assert (tag.name, tag.color) == ("Invoices", "#112233")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [({}, "Nothing would change"), ({"name": "Invoices"}, "Nothing would change"), ({"color": "blue"}, "#3B82F6")],
)
def test_it_refuses_a_change_that_is_none(tag: Tag, do: Do, arguments: dict[str, Any], sentence: str) -> None:
    call = do("update_tag", approve=False, tag_id=tag.pk, **arguments)
    assert call.status == "invalid" and sentence in call.result["error"]


def test_it_clears_a_description(tag: Tag, do: Do) -> None:
    call = do("update_tag", tag_id=tag.pk, description="")
    assert call.preview["changes"] == [{"name": "Description", "old": "From suppliers.", "new": "empty"}]
    assert Tag.objects.get().description == ""
    undo(call)
    assert Tag.objects.get().description == "From suppliers."


def test_it_asks_again_when_the_same_part_of_a_tag_has_changed(actor: Actor, tag: Tag, do: Do) -> None:
    card = do("update_tag", tag_id=tag.pk, name="Bills", approve=False)
    other = do("update_tag", tag_id=tag.pk, description="All of them.", approve=False)
    tags.update(actor, tag=tag, name="Accounts")
    for call in (card, other):
        say(actor, call)
        execution.execute(call.pk, holder="test")
        call.refresh_from_db()
    assert (card.status, other.status) == ("stale", "succeeded")
    assert card.replaced_by.get().preview["changes"][0]["old"] == "Accounts"


def test_it_does_not_take_back_what_was_changed_since(actor: Actor, tag: Tag, do: Do) -> None:
    call = do("update_tag", tag_id=tag.pk, name="Bills")
    tags.update(actor, tag=tag, description="Another part.")
    tags.update(actor, tag=tag, name="Accounts")
    with pytest.raises(Conflict, match="changed since"):
        undo(call)


def test_a_tag_is_the_organizations_also_one_that_nothing_carries(thread: Thread, tag: Tag, do: Do) -> None:
    Thread.objects.filter(pk=thread.pk).update(mode="auto")
    for name, arguments in (
        ("create_tag", {"name": "New"}),
        ("update_tag", {"tag_id": tag.pk, "name": "Owned"}),
        ("delete_tag", {"tag_id": tag.pk}),
    ):
        card = do(name, approve=False, **arguments)
        assert (card.status, card.reach) == ("pending", "organization")
        assert "always asks" in card.why_asks


def test_it_refuses_to_delete_a_tag_in_use_and_says_by_what(tag: Tag, document: Document, do: Do) -> None:
    document.tags.add(tag)
    call = do("delete_tag", tag_id=tag.pk, approve=False)
    assert call.status == "invalid"
    assert call.result["error"] == "Cannot delete tag 'Invoices' because it is assigned to one or more documents"


def test_it_deletes_a_tag_and_brings_it_back_with_its_id(actor: Actor, tag: Tag, do: Do) -> None:
    document = another_document(actor)
    document.tags.add(tag)
    document_changes.trash(actor, document=document)
    card = do("delete_tag", tag_id=tag.pk, approve=False)
    assert (card.status, card.reach) == ("pending", "organization")
    assert card.preview["warnings"] == ["1 document in the trash will come back without it."]
    say(actor, card)
    execution.execute(card.pk, holder="test")
    card.refresh_from_db()
    assert card.result == {"deleted": tag.pk, "name": "Invoices"} and not Tag.objects.exists()
    undo(card)
    assert (Tag.objects.get().pk, Tag.objects.get().color) == (tag.pk, "#112233")
