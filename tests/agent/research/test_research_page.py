"""The page on which questions over many documents are asked, and found again."""

from __future__ import annotations

import json
from collections.abc import Callable
from io import BytesIO
from typing import Any
from xml.etree import ElementTree
from zipfile import ZipFile

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import Role
from agent.cards.answer_docx import keep_printable
from agent.cards.answer_files import _disarm
from agent.conversation import threads
from agent.conversation.sources import find_sources
from agent.models import Message, Thread, ToolCall, Turn
from agent.turns import turns
from agent.views.thread.scope_picker import MAX_TAGS
from documents.models import Document, SavedView, Tag
from tests.documents.reading_rows import document_with

pytestmark = pytest.mark.django_db


@pytest.fixture
def visit(signed_in: Callable[..., Any], actor: Actor) -> Callable[..., str]:
    client = signed_in(Client(), actor)

    def open_page(actor: Actor = actor, headers: dict[str, str] | None = None, **query: str) -> str:
        where = reverse("agent", args=[actor.organization.pk])
        answer = signed_in(client, actor).get(where, query, headers=headers or {})
        assert answer.status_code == 200
        return " ".join(answer.content.decode().split())

    return open_page


def ask(actor: Actor, title: str, **more: Any) -> Thread:
    return threads.create(actor, title=title, **more)


def test_the_former_address_leads_here(signed_in: Callable[..., Any], actor: Actor, document: Document) -> None:
    answer = signed_in(Client(), actor).get(f"/orgs/{actor.organization.pk}/research", {"ids": document.pk})
    assert answer["Location"] == f"/orgs/{actor.organization.pk}/agent?ids={document.pk}"


def test_it_lists_ones_own_threads_and_everybodys_questions_and_no_private_one(
    visit: Callable[..., str], actor: Actor, member: Callable[[Role], Actor], stranger: Actor
) -> None:
    colleague = member(Role.REVIEWER)
    for person, title, more in (
        (actor, "Rates of Acme", {}),
        (colleague, "Open invoices", {}),
        (colleague, "Between me and me", {"private": True}),
        (stranger, "Elsewhere", {}),
        (actor, "On one document", {"document": document_with(actor.organization, ["Invoice"])}),
        (colleague, "On another", {"document": document_with(actor.organization, ["Invoice"])}),
    ):
        ask(person, title, **more)
    page = visit()
    assert all(title in page for title in ("Rates of Acme", "Open invoices", "On one document"))
    assert not any(title in page for title in ("Between me and me", "Elsewhere", "On another"))
    assert "Between me and me" in visit(colleague)


def test_a_search_narrows_the_questions_alone(visit: Callable[..., str], actor: Actor) -> None:
    ask(actor, "Rates of Acme")
    ask(actor, "Open invoices")
    rows = visit(headers={"HX-Request": "true"}, q="rates")
    assert "Rates of Acme" in rows and "Open invoices" not in rows and "<html" not in rows


def test_tags_and_saved_filters_are_offered_as_scopes_that_the_server_takes(
    visit: Callable[..., str], signed_in: Callable[..., Any], actor: Actor
) -> None:
    tag = Tag.objects.create(organization=actor.organization, name="Contracts")
    SavedView.objects.create(organization=actor.organization, name="Unpaid", query="state=extracted")
    page = visit()
    assert "<b>Contracts</b><small>Tag</small>" in page and "<b>Unpaid</b><small>Saved filter</small>" in page
    assert page.index("<b>Unpaid") < page.index("<b>Contracts")
    offered = {"query": f"tag={tag.pk}"}
    assert json.dumps(offered).replace('"', "&quot;") in page
    sent = {"text": "What is due?", "scope": json.dumps(offered), "about": json.dumps(offered)}
    client = signed_in(Client(), actor)
    assert client.post(reverse("agent-begin", args=[actor.organization.pk]), sent).status_code == 200
    turn = Turn.objects.get()
    assert turn.scope == offered
    again = client.get(reverse("agent-thread", args=[actor.organization.pk]), {"thread": turn.thread_id})
    assert "data-picked>Contracts</span>" in " ".join(again.content.decode().split())


def test_of_many_tags_one_is_found_by_its_name(visit: Callable[..., str], actor: Actor) -> None:
    assert "hidden> <svg" in visit().split('class="menu-list pop scope-choices"')[1].split("data-find-scope")[0]
    Tag.objects.bulk_create(Tag(organization=actor.organization, name=f"Area {at:03}") for at in range(MAX_TAGS + 1))
    picker = visit().split('class="menu-list pop scope-choices"')[1].split("</fieldset>")[0]
    assert "hidden> <svg" not in picker and picker.count("<small>Tag</small>") == MAX_TAGS
    assert "Documents of more tags" in picker


def test_the_list_says_what_each_question_was_about(
    visit: Callable[..., str], actor: Actor, document: Document
) -> None:
    for scope in ({}, {"query": "state=extracted"}, {"document_ids": [document.pk]}):
        turns.start(actor, thread=ask(actor, "Rates"), text="What?", scope=scope)
    rows = visit(headers={"HX-Request": "true"})
    for words in ("All documents", "Documents of a filter", "Chosen documents"):
        assert rows.count(words) == 1


def test_its_head_names_what_is_asked_about(visit: Callable[..., str], actor: Actor, document: Document) -> None:
    heads = [visit(), visit(ids=document.pk)]
    assert "data-scope-name>All documents</h1>" in heads[0]
    assert "data-scope-name>Chosen documents</h1>" in heads[1] and "this document run" not in heads[1]


def test_a_document_leads_to_questions_across_documents(
    signed_in: Callable[..., Any], actor: Actor, document: Document
) -> None:
    tab = signed_in(Client(), actor).get(reverse("document-agent", args=[actor.organization.pk, document.pk]))
    assert "Changes to this document run at once" in tab.content.decode()
    assert reverse("agent", args=[actor.organization.pk]) in tab.content.decode()
    assert "Ask across documents" in " ".join(tab.content.decode().split())


def answer(actor: Actor, text: str, document: Document | None = None) -> Thread:
    """A thread whose question the agent has answered so."""
    thread = threads.create(actor, document=document, title="Rates")
    turn = turns.start(actor, thread=thread, text="What are the rates?")
    Turn.objects.update(status="completed")
    said = [{"type": "text", "text": text}]
    Message.objects.create(thread=thread, turn=turn, number=2, round=1, role="assistant", blocks=said)
    return thread


def show(signed_in: Callable[..., Any], actor: Actor, thread: Thread) -> str:
    where = reverse("thread-items", args=[actor.organization.pk, thread.pk])
    return " ".join(signed_in(Client(), actor).get(where).content.decode().split())


def test_an_answer_numbers_its_sources_and_quotes_them_once(signed_in: Callable[..., Any], actor: Actor) -> None:
    document = document_with(actor.organization, ["Invoice 7", "Total due 39.80"], name="acme <b>.pdf")
    reading = document.readings.get().pk
    page = show(
        signed_in,
        actor,
        answer(actor, f"It is 39.80 [{reading}.1.2], in words [{reading}.1.2.2], of 7 [{reading}.1.1]."),
    )
    first, second, third = (f'data-source="{reading}.{place}"' for place in ("1.2", "1.2.2", "1.1"))
    assert f'{first} aria-label="Source 1, page 1">1</a>' in page
    assert f'{second} aria-label="Source 2, page 1">2</a>' in page and f'{third} aria-label="Source 3' in page
    assert page.count("<q ") == 3 and page.count("Total due 39.80</q>") == 2
    assert "acme &lt;b&gt;.pdf" in page and "line 2" not in page


def test_ids_that_are_invented_foreign_or_in_the_trash_prove_nothing(
    signed_in: Callable[..., Any], actor: Actor, stranger: Actor
) -> None:
    theirs = document_with(stranger.organization, ["Secret"]).readings.get().pk
    own = document_with(actor.organization, ["Invoice"])
    trashed = document_with(actor.organization, ["Gone"])
    Document.objects.filter(pk=trashed.pk).update(trashed_at="2026-01-01T00:00Z")
    named = (
        f"{own.readings.get().pk}.1.1.9",
        f"{theirs}.1.1",
        f"{own.readings.get().pk}.1.9",
        f"{trashed.readings.get().pk}.1.1",
        f"{'a' * 24}.1.1",
    )
    page = show(signed_in, actor, answer(actor, " ".join(named)))
    assert page.count("it proves") == 5 and "<q " not in page and "Secret" not in page and "Gone" not in page


def test_beside_a_document_the_text_says_page_and_line_as_ever(signed_in: Callable[..., Any], actor: Actor) -> None:
    document = document_with(actor.organization, ["Invoice 7"])
    page = show(signed_in, actor, answer(actor, f"See {document.readings.get().pk}.1.1", document))
    assert "page 1, line 1</a>" in page and "data-source" not in page


def test_the_sources_of_many_answers_take_three_queries(
    signed_in: Callable[..., Any], actor: Actor, django_assert_max_num_queries: Any
) -> None:
    readings = [document_with(actor.organization, [f"Invoice {n}"]).readings.get().pk for n in range(3)]
    thread = answer(actor, " ".join(f"{each}.1.1" for each in readings))
    texts = {str(n): thread.messages.get(number=2).join_text() for n in range(20)}
    with django_assert_max_num_queries(3):
        assert len(find_sources(actor.organization, texts)) == 20


def test_a_source_opens_its_page_with_the_words_boxed(
    signed_in: Callable[..., Any], actor: Actor, stranger: Actor
) -> None:
    document = document_with(actor.organization, ["Invoice 7"], name="acme.pdf")
    block_id = f"{document.readings.get().pk}.1.1"
    where = reverse("research-place", args=[actor.organization.pk, block_id])
    page = signed_in(Client(), actor).get(where).content.decode()
    assert "acme.pdf" in page and page.count("<rect") == 1 and "Invoice 7" in page and "page 1 of 1" in page
    strip = signed_in(Client(), actor).get(where, {"strip": "1"}).content.decode()
    assert 'class="crop"' in strip and "Open document" not in strip
    elsewhere = reverse("research-place", args=[stranger.organization.pk, block_id])
    assert signed_in(Client(), stranger).get(elsewhere).status_code == 404
    Document.objects.update(trashed_at="2026-01-01T00:00Z")
    assert signed_in(Client(), actor).get(where).status_code == 404
    for query in ({}, {"strip": "1"}):
        beside = signed_in(Client(), actor).get(where, query, headers={"HX-Request": "true"})
        assert beside.status_code == 200 and "not here any more" in beside.content.decode()
        assert "acme.pdf" not in beside.content.decode()


def add_calls(thread: Thread, *calls: tuple[str, str, dict[str, object]]) -> None:
    turn, message = thread.turns.get(), thread.messages.get(number=2)
    for position, (tool, status, effective) in enumerate(calls):
        ToolCall.objects.create(
            thread=thread,
            turn=turn,
            message=message,
            round=1,
            position=position,
            tool=tool,
            access="read",
            status=status,
            proposed=effective,
            effective=effective,
            result={"error": "Not there."} if status == "failed" else {"total_found": 3},
            finished_at=timezone.now() if status != "executing" else None,
        )


def test_steps_fold_to_a_sentence_and_open_to_what_was_asked_and_answered(
    signed_in: Callable[..., Any], actor: Actor
) -> None:
    thread = answer(actor, "It is 39.80.")
    add_calls(
        thread,
        ("search_documents", "succeeded", {"query": "roof"}),
        ("read_document", "succeeded", {"document": "a"}),
        ("read_document", "failed", {"document": "b"}),
    )
    page = show(signed_in, actor, thread)
    assert ">Searched › read 1 of 2</span>" in page and '<details class="trail"' in page
    assert "&quot;roof&quot;" in page and "&quot;total_found&quot;" in page


def test_a_step_that_runs_says_what_it_looks_for(signed_in: Callable[..., Any], actor: Actor) -> None:
    thread = answer(actor, "I look.")
    add_calls(
        thread, ("search_documents", "executing", {"query": "roof"}), ("list_documents", "succeeded", {"skip": 0})
    )
    page = show(signed_in, actor, thread)
    assert '<b>Searching for: roof</b><span class="cut"></span>' in page and 'class="steps"' not in page


def test_an_answer_is_taken_along_with_its_sources_in_three_forms(signed_in: Callable[..., Any], actor: Actor) -> None:
    document = document_with(actor.organization, ["Invoice 7", "Total due <39.80> & more"], name="acme.pdf")
    block_id, unknown = f"{document.readings.get().pk}.1.2", f"{'a' * 24}.1.1"
    thread = answer(actor, f"# Totals\n\n- It is **39.80** [{block_id}], or not [{unknown}].\x0b")
    client = signed_in(Client(), actor)

    def fetch(form: str, number: int = 2) -> Any:
        return client.get(reverse("answer-file", args=[actor.organization.pk, thread.pk, number, form]))

    text = fetch("md").content.decode()
    assert text.startswith("> What are the rates?\n\n# Totals") and "**39.80** [1], or not [2]." in text
    assert "1. acme.pdf, page 1: “Total due &lt;39.80> & more” http" in text and "2. names no words" in text
    body = fetch("json").json()
    assert [source["document_id"] for source in body["sources"]] == [document.pk, None]
    assert body["sources"][0]["url"].endswith(f"/places/{block_id}") and body["sources"][1]["url"] is None
    answered = fetch("docx")
    assert answered["Content-Disposition"].endswith('.docx"')
    with ZipFile(BytesIO(answered.content)) as archive:
        document_xml = archive.read("word/document.xml").decode()
    paragraphs = ["".join(part.itertext()) for part in ElementTree.fromstring(document_xml)[0]]
    assert paragraphs[:3] == ["What are the rates?", "Totals", ""] and "• It is 39.80 [1], or not [2]." in paragraphs
    assert any("Total due <39.80> & more" in each for each in paragraphs)
    assert [fetch(*wrong).status_code for wrong in (("exe",), ("md", 1), ("md", 9))] == [404] * 3


def test_a_private_answer_is_nobody_elses_to_take(
    signed_in: Callable[..., Any], actor: Actor, member: Callable[[Role], Actor]
) -> None:
    thread = answer(actor, "It is 39.80.")
    Thread.objects.update(private=True)
    where = reverse("answer-file", args=[actor.organization.pk, thread.pk, 2, "md"])
    assert signed_in(Client(), member(Role.ADMIN)).get(where).status_code == 404
    assert signed_in(Client(), actor).get(where).status_code == 200


def test_a_space_of_any_kind_stays_a_space_in_a_document_to_take_along() -> None:
    assert keep_printable("10\u00a0000\u202fEUR\u3000x\x00\x1b") == "10 000 EUR x"


def test_markdown_to_take_along_loads_and_leads_nowhere() -> None:
    text = _disarm("[1] ![x](https://evil.example/?q=1) <img src=x> [a](https://evil.example)")
    assert "![" not in text and "](" not in text and "<" not in text and text.startswith("[1] ")
