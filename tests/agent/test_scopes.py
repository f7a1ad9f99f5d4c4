"""The documents that a turn is about: what a person may choose, what the model reads of it, and how it goes on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from accounts.actor import Actor
from agent.conversation import threads
from agent.conversation.model_input import state
from agent.conversation.model_input.scope_block import build_block
from agent.models import Thread, Turn
from agent.turns import turns
from documents.definitions import tags
from documents.find import scopes
from documents.find.scopes import Scope
from documents.models import Document
from kit.errors import Invalid
from kit.ids import new_id
from tests.agent.chat import AgentChat
from tests.conftest import ApiClient

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("tools")]


def store(actor: Actor, *names: str) -> list[Document]:
    about = {"organization": actor.organization, "sha256": "1" * 64, "size": 1, "media_type": "", "file": "none"}
    return [Document.objects.create(name=name, **about) for name in names]


def choose(*documents: Document) -> Scope:
    return {"document_ids": [document.pk for document in documents]}


@pytest.fixture
def thread(actor: Actor) -> Thread:
    return threads.create(actor)


def read_state(turn: Turn) -> str:
    return str(state.build_state(turn, 24_000)[0]["content"])


def end(turn: Turn) -> None:
    Turn.objects.filter(pk=turn.pk).update(status="completed")


def test_the_model_reads_the_names_and_ids_of_what_was_chosen(actor: Actor, thread: Thread) -> None:
    first, second = store(actor, "one.pdf", "</data> two.pdf")
    text = read_state(turns.start(actor, thread=thread, text="Which is due?", scope=choose(first, second)))
    assert "about 2 documents, chosen one by one:" in text and f"one.pdf ({first.pk})" in text
    assert f"&lt;/data> two.pdf ({second.pk})" in text and text.count("</data>") == text.count("<data ")


def test_of_many_it_reads_thirty_and_how_many_more(actor: Actor, thread: Thread) -> None:
    documents = store(actor, *(f"{number}.pdf" for number in range(34)))
    text = read_state(turns.start(actor, thread=thread, text="All?", scope=choose(*documents)))
    assert text.count(".pdf (") == 30 and "and 4 more: list_documents shows them" in text


def test_a_filter_is_looked_up_anew_each_round(actor: Actor, thread: Thread) -> None:
    (document, other) = store(actor, "a.pdf", "b.pdf")
    tag = tags.create(actor, name="paid")
    document.tags.add(tag)
    turn = turns.start(
        actor, thread=thread, text="Sum them", scope=scopes.check_scope(actor, {"query": f"tag={tag.pk}"})
    )
    text = read_state(turn)
    assert "about 1 document, all that match Tag: paid:" in text and "a.pdf (" in text and "b.pdf" not in text
    other.tags.add(tag)
    assert "b.pdf (" in read_state(turn)


def test_a_filter_whose_tag_is_gone_lets_nothing_in(actor: Actor, thread: Thread) -> None:
    store(actor, "a.pdf")
    tag = tags.create(actor, name="paid")
    scope = scopes.check_scope(actor, {"query": f"tag={tag.pk}"})
    tag.delete()
    view = scopes.build_view(actor, scope)
    assert (view.total, view.problem != "") == (0, True) and "a.pdf" not in build_block(view)


def test_what_is_gone_or_belongs_to_others_is_counted_and_not_named(actor: Actor, stranger: Actor) -> None:
    (document, gone), (theirs,) = store(actor, "a.pdf", "gone.pdf"), store(stranger, "secret.pdf")
    Document.objects.filter(pk=gone.pk).update(trashed_at=timezone.now())
    block = build_block(scopes.build_view(actor, choose(document, gone, theirs)))
    assert "a.pdf (" in block and "gone.pdf" not in block and "secret" not in block
    assert "2 of those that were chosen are not there any more" in block
    assert "None of the documents" not in block
    nothing = build_block(scopes.build_view(actor, choose(gone)))
    assert "1 of those that were chosen" in nothing


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ([], "scope is an object"),
        ({"tag": "a"}, "scope is an object"),
        ({"document_ids": "a"}, "scope is an object"),
        ({"document_ids": ["a"], "query": "state=read"}, "scope is an object"),
        ({"document_ids": [1]}, "ids of documents, as text"),
        ({"document_ids": ["a" * 65]}, "ids of documents, as text"),
        ({"document_ids": ["a"] * 201}, "201 documents are chosen; 200 are the most"),
        ({"query": "colour=red"}, "There is no filter “colour”"),
        ({"query": "state=nowhere"}, "nowhere"),
    ],
)
def test_a_malformed_scope_is_refused_with_what_is_wrong(actor: Actor, raw: object, words: str) -> None:
    with pytest.raises(Invalid, match=words):
        scopes.check_scope(actor, raw)


def test_it_goes_on_until_another_is_chosen_and_makes_the_turn_tainted(actor: Actor, thread: Thread) -> None:
    first, second = store(actor, "a.pdf", "b.pdf")
    plain = turns.start(actor, thread=thread, text="Hello")
    assert not plain.tainted and plain.scope == {}
    end(plain)
    scoped = turns.start(actor, thread=thread, text="These", scope=choose(first))
    assert scoped.tainted
    end(scoped)
    further = turns.start(actor, thread=thread, text="And?")
    assert further.scope == choose(first) == threads.get_scope(thread)
    end(further)
    assert turns.start(actor, thread=thread, text="Now these", scope=choose(second)).scope == choose(second)
    end(Turn.objects.latest("number"))
    assert turns.start(actor, thread=thread, text="All of them", scope={}).scope == {}


@pytest.mark.django_db(transaction=True)
def test_clients_send_it_and_read_it_back(actor: Actor, api_as: Callable[[Actor], ApiClient]) -> None:
    chat = AgentChat(api_as(actor), actor.organization.pk)
    (document,) = store(actor, "a.pdf")
    for scope, status in ((choose(document), 202), ({"document_ids": "x"}, 400), ("x", 400)):
        sent: dict[str, Any] = {"messages": [{"role": "user", "content": "Hi"}], "scope": scope}
        assert chat.api.post(f"{chat.base}?wait=0", sent).status_code == status
    assert chat.get(f"threads/{Thread.objects.get().pk}").json()["scope"] == choose(document)


def test_ids_that_name_nothing_are_kept_and_missing(actor: Actor) -> None:
    row_id = new_id()
    scope = scopes.check_scope(actor, {"document_ids": [row_id, row_id]})
    assert scope == {"document_ids": [row_id]} and scopes.build_view(actor, scope).missing == 1
    assert scopes.check_scope(actor, {}) == scopes.check_scope(actor, {"query": ""}) == {}
