"""The page of the agent without a document: what was chosen in the list comes along, is sent, kept and shown."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse

from accounts.actor import Actor
from accounts.models import Role
from agent.conversation import threads
from agent.conversation.model_input import state
from agent.models import Thread, Turn
from agent.turns import turns
from documents.models import Document
from tests.agent.test_scopes import choose, store
from tests.page_client import PageClient

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("tools")]
Browse = Callable[[Actor], PageClient]


@pytest.fixture
def browse(signed_in: Callable[..., Any]) -> Browse:
    return lambda actor: signed_in(PageClient(), actor)


def open_page(client: Any, actor: Actor, **query: str) -> Any:
    return client.get(reverse("agent-thread", args=[actor.organization.pk]), query)


def read_scope(html: str) -> Any:
    """What the composer would send."""
    value = html.split('name="scope"', 1)[1].split('value="', 1)[1].split('"', 1)[0]
    return json.loads(value.replace("&quot;", '"'))


def test_what_the_list_has_selected_stands_above_the_composer(browse: Browse, actor: Actor) -> None:
    first, second = store(actor, "one <b>.pdf", "two.pdf")
    html = open_page(browse(actor), actor, ids=f"{first.pk} {second.pk}").content.decode()
    assert read_scope(html) == choose(first, second)
    assert "one &lt;b&gt;.pdf</a>" in html and f'data-scope-of="{second.pk}"' in html


def test_of_many_eight_are_named_and_all_are_sent(browse: Browse, actor: Actor) -> None:
    documents = store(actor, *(f"{number}.pdf" for number in range(11)))
    html = open_page(browse(actor), actor, ids=" ".join(document.pk for document in documents)).content.decode()
    assert html.count("data-scope-of=") == 8 and "and 3 more" in html and len(read_scope(html)["document_ids"]) == 11


def test_all_that_match_a_filter_come_as_the_filter(browse: Browse, actor: Actor) -> None:
    store(actor, "a.pdf")
    html = open_page(browse(actor), actor, all="1", query="q=a.pdf").content.decode()
    assert read_scope(html) == {"query": "q=a.pdf"} and "“a.pdf”" in html and "1 document</span>" in html


def test_too_many_are_refused_with_a_way_out(browse: Browse, actor: Actor) -> None:
    answer = open_page(browse(actor), actor, ids=" ".join(["a" * 24] * 201))
    assert answer.status_code == 400 and "Use a filter for more." in answer.content.decode()


def test_documents_of_others_are_not_named(browse: Browse, actor: Actor, stranger: Actor) -> None:
    (theirs,) = store(stranger, "secret.pdf")
    html = open_page(browse(actor), actor, ids=theirs.pk).content.decode()
    assert "secret" not in html and "1 not there any more" in html


def test_it_is_kept_with_the_message_and_goes_on_after_a_reload(browse: Browse, actor: Actor) -> None:
    client, documents = browse(actor), store(actor, "one.pdf", "two.pdf")
    sent = {"text": "Which is due?", "scope": json.dumps(choose(*documents))}
    client.post(reverse("agent-begin", args=[actor.organization.pk]), sent)
    turn = Turn.objects.get()
    assert turn.scope == choose(*documents)
    html = open_page(client, actor, thread=turn.thread_id).content.decode()
    assert "About 2 documents" in html and read_scope(html) == choose(*documents)
    Turn.objects.update(status="completed")
    say = reverse("thread-say", args=[actor.organization.pk, turn.thread_id])
    assert client.post(say, {"text": "All of them?", "scope": "{}"}).status_code == 204
    assert Turn.objects.latest("number").scope == {}
    assert read_scope(open_page(client, actor, thread=turn.thread_id).content.decode()) == {}
    for wrong in ("{", "[]"):
        assert client.post(say, {"text": "x", "scope": wrong}, HTTP_HX_REQUEST="true").status_code == 400


def test_a_viewer_asks_and_reads_along_but_a_private_thread_stays_closed(
    browse: Browse, actor: Actor, member: Callable[[Role], Actor]
) -> None:
    viewer = member(Role.VIEWER)
    client, thread = browse(viewer), threads.create(actor, title="Of the admin")
    assert 'id="composer"' in open_page(client, viewer).content.decode()
    html = open_page(client, viewer, thread=thread.pk).content.decode()
    assert "Of the admin" in html and 'id="composer"' not in html and "Start your own" in html
    begun = client.post(reverse("agent-begin", args=[viewer.organization.pk]), {"text": "What is due?"})
    own = Thread.objects.get(owner=viewer.user)
    assert begun.status_code == 200 and 'id="composer"' in open_page(client, viewer, thread=own.pk).content.decode()
    for action, status in (("thread-trash", 200), ("thread-restore", 302)):
        assert client.post(reverse(action, args=[viewer.organization.pk, own.pk])).status_code == status
    Thread.objects.filter(pk=thread.pk).update(private=True)
    assert open_page(client, viewer, thread=thread.pk).status_code == 404
    assert "only you" not in html and "only you" in open_page(browse(actor), actor, thread=thread.pk).content.decode()


def test_a_private_thread_is_begun_from_the_page(browse: Browse, actor: Actor, member: Callable[[Role], Actor]) -> None:
    client, begin = browse(actor), reverse("agent-begin", args=[actor.organization.pk])
    assert 'name="private"' in open_page(client, actor).content.decode()
    for sent, private in (({"private": "1"}, True), ({}, False)):
        client.post(begin, {"text": "What is due?", **sent})
        thread = Thread.objects.latest("created_at")
        assert thread.private == private
        seen = open_page(browse(member(Role.ADMIN)), actor, thread=thread.pk)
        assert seen.status_code == (404 if private else 200)


def test_the_list_of_documents_offers_it(browse: Browse, actor: Actor, member: Callable[[Role], Actor]) -> None:
    store(actor, "a.pdf")
    for person in (actor, member(Role.VIEWER)):
        html = browse(person).get(reverse("documents", args=[actor.organization.pk])).content.decode()
        assert f'action="{reverse("agent-thread", args=[actor.organization.pk])}"' in html


def test_a_deleted_document_of_the_scope_is_counted_on_the_page(browse: Browse, actor: Actor) -> None:
    first, second = store(actor, "one.pdf", "two.pdf")
    thread = threads.create(actor)
    turns.start(actor, thread=thread, text="Hi", scope=choose(first, second))
    Document.objects.filter(pk=second.pk).delete()
    html = open_page(browse(actor), actor, thread=thread.pk).content.decode()
    assert "one.pdf</a>" in html and "two.pdf" not in html and "1 not there any more" in html


def open_tab(client: Any, document: Document, **query: str) -> str:
    where = reverse("document-agent", args=[document.organization_id, document.pk])
    return " ".join(client.get(where, query).content.decode().split())


def test_beside_a_document_more_are_chosen_for_a_message_of_its_thread(browse: Browse, actor: Actor) -> None:
    client, (document, *others) = browse(actor), store(actor, "a.pdf", "b.pdf", "c.pdf")
    assert "data-picked>This document</span>" in open_tab(client, document)
    sent = {"text": "The same for these", "scope": json.dumps(choose(*others))}
    client.post(reverse("thread-begin", args=[actor.organization.pk, document.pk]), sent)
    turn = Turn.objects.get()
    html = open_tab(client, document, thread=turn.thread_id)
    assert turn.thread.document == document and read_scope(html) == choose(*others)
    assert "b.pdf</a>" in html and "Only this document" in html and "Ask about all" not in html
    assert all(f"{each.name} ({each.pk})" in str(state.build_state(turn, 24_000)[0]["content"]) for each in others)


def test_the_list_that_a_document_was_opened_from_is_a_choice_that_goes_on(browse: Browse, actor: Actor) -> None:
    client, (document,) = browse(actor), store(actor, "a.pdf")
    query = "q=a.pdf"
    html = open_tab(client, document, list=query)
    assert "<b>The list you came from</b><small>“a.pdf”</small>" in html and query in html
    begin = reverse("thread-begin", args=[actor.organization.pk, document.pk])
    page = f"http://testserver{reverse('document-agent', args=[actor.organization.pk, document.pk])}?list=q%3Da.pdf"
    headers = {"HX-Request": "true", "HX-Current-URL": page}
    begun = client.post(begin, {"text": "Sum", "scope": json.dumps({"query": query})}, headers=headers)
    assert "data-picked>The list you came from</span>" in " ".join(begun.content.decode().split())
    assert begun["HX-Push-Url"].endswith("&list=q%3Da.pdf") and Turn.objects.get().scope == {"query": query}


@pytest.mark.parametrize("query", ["", "sort=name", "colour=red", "tag=" + "0" * 24, "state=nowhere", "q=%00"])
def test_a_list_that_narrows_nothing_or_makes_no_sense_is_no_choice(browse: Browse, actor: Actor, query: str) -> None:
    (document,) = store(actor, "a.pdf")
    html = open_tab(browse(actor), document, list=query)
    assert "data-picked>This document</span>" in html and "you came from" not in html
