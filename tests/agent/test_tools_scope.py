"""The tools in a thread whose message is about chosen documents: `in_scope`, and `scope` among several."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from accounts.actor import Actor
from accounts.models import Organization
from agent.models import Thread, ToolCall, Turn
from agent.toolkit.registry import ToolContext
from agent.tools.documents import catalog, field_queries, search, selection
from documents.definitions import tags
from documents.models import Document
from kit.errors import Invalid, NotFound
from tests.agent.test_scopes import choose, store
from tests.documents.find.searches import add_document

pytestmark = [pytest.mark.django_db, pytest.mark.servers]
Enter = Callable[..., ToolContext]


@pytest.fixture
def enter(actor: Actor, organization: Organization) -> Enter:
    """A call in a turn of a thread without a document, with this scope."""

    def make(**scope: Any) -> ToolContext:
        thread = Thread.objects.create(organization=organization, owner=actor.user)
        turn = Turn.objects.create(
            thread=thread, number=1, model="m", max_rounds=1, limit_micros=1, code_version="0", scope=scope
        )
        return ToolContext(actor, thread, turn, None)

    return make


def list_names(context: ToolContext, **more: Any) -> set[str]:
    return {row["document_name"] for row in catalog.list_documents(context, **more)["documents"]}


def test_the_list_shows_only_what_was_chosen(actor: Actor, enter: Enter) -> None:
    first, _ = store(actor, "a.pdf", "b.pdf")
    context = enter(**choose(first))
    assert list_names(context) == list_names(context, in_scope=True) == {"a.pdf"}
    assert list_names(context, in_scope=False) == list_names(enter()) == {"a.pdf", "b.pdf"}
    with pytest.raises(Invalid, match="chosen no documents"):
        catalog.list_documents(enter(), in_scope=True)


def test_a_filter_narrows_the_list_and_lets_nothing_in_once_its_tag_is_gone(actor: Actor, enter: Enter) -> None:
    first, _ = store(actor, "a.pdf", "b.pdf")
    tag = tags.create(actor, name="paid")
    first.tags.add(tag)
    context = enter(query=f"tag={tag.pk}")
    assert list_names(context, in_scope=True) == {"a.pdf"}
    tag.delete()
    with pytest.raises(Invalid):
        catalog.list_documents(context, in_scope=True)


def test_several_may_be_all_that_were_chosen(actor: Actor, stranger: Actor, enter: Enter) -> None:
    (first, second), (theirs,) = store(actor, "a.pdf", "b.pdf"), store(stranger, "secret.pdf")
    context = enter(**choose(first, theirs))
    assert selection.find_ids(context, ["scope"]) == [first.pk]
    assert set(selection.find_ids(context, ["scope", "b.pdf"])) == {first.pk, second.pk}
    with pytest.raises(NotFound):
        selection.find_ids(enter(), ["scope"])


def test_a_card_for_all_of_them_names_them(actor: Actor, enter: Enter) -> None:
    documents = store(actor, "a.pdf", "b.pdf")
    context = enter(**choose(*documents))
    pinned = selection.pin_documents(context, {"documents": ["scope"]})
    assert set(pinned["documents"]) == {document.pk for document in Document.objects.all()}
    assert ToolCall.objects.count() == 0


@pytest.mark.parametrize("query", ["roof", "What did the roof cost?"])
def test_a_search_looks_among_what_was_chosen_alone_and_says_so(actor: Actor, enter: Enter, query: str) -> None:
    first, second = (add_document(actor.organization, ["the roof cost 5.00"], name=name) for name in ("a.pdf", "b.pdf"))
    found = [row["document_id"] for row in search.search_documents(enter(**choose(second)), query)["results"]]
    assert found == [second.pk]
    both = search.search_documents(enter(**choose(second)), query, document_ids=[first.pk, second.pk])
    assert [row["document_id"] for row in both["results"]] == [second.pk]
    unread = store(actor, "new.pdf")
    nothing = search.search_documents(enter(**choose(*unread)), query)
    assert nothing["results"] == []
    assert nothing["searched"]["filters"] == ["only the documents that the person chose for this message"]


def test_values_are_asked_of_what_was_chosen(actor: Actor, enter: Enter) -> None:
    first, _ = store(actor, "a.pdf", "b.pdf")
    context = enter(**choose(first))
    narrow = field_queries.query_fields(context)
    assert (narrow["total_documents"], narrow["searched"]) == (
        1,
        "only the documents that the person chose for this message",
    )
    assert field_queries.query_fields(context, in_scope=False)["total_documents"] == 2
