"""Threads: going back in one, finding, renaming, the trash, and where each opens."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.models import AuditEntry, Role
from agent.conversation import thread_lists, threads
from agent.models import Event, Thread, ToolCall, Turn
from agent.turns import turns
from agent.views.thread.thread_list import name_day
from documents.models import Document
from kit.errors import Conflict, Denied, NotFound
from tests.page_client import PageClient

pytestmark = pytest.mark.django_db


def list_messages(thread):
    return [(message.number, message.dropped_at is not None) for message in thread.messages.order_by("number")]


@pytest.fixture
def spoken(actor, thread, propose):
    """A person's message (1), the agent's answer with a card that waits (2)."""
    turn = turns.start(actor, thread=thread, text="Set up extraction")
    Turn.objects.filter(pk=turn.pk).update(status="completed")
    propose(("note", {"text": "x"}))
    Thread.objects.update(last_message=2)
    thread.refresh_from_db()
    return thread


def test_going_back_drops_what_follows_and_withdraws_what_waits(spoken, actor):
    assert threads.go_back(actor, thread=spoken, message_number=1) == 2
    assert list_messages(spoken) == [(1, True), (2, True)]
    assert set(ToolCall.objects.values_list("status", flat=True)) == {"superseded"}
    assert not spoken.turns.filter(status__in=Turn.LIVE).exists()
    assert AuditEntry.objects.filter(action="went back", detail__dropped=2).exists()
    assert Event.objects.filter(kind="messages.dropped").count() == 1


def test_going_back_to_the_first_message_leaves_the_title_to_the_next_one(spoken, actor):
    assert spoken.title == "Set up extraction"
    threads.go_back(actor, thread=spoken, message_number=1)
    turns.start(actor, thread=spoken, text="Only the totals")
    spoken.refresh_from_db()
    assert spoken.title == "Only the totals"


@pytest.mark.parametrize("number", [0, 2, 9])
def test_one_goes_back_to_a_message_of_ones_own_only(spoken, actor, number):
    with pytest.raises(NotFound, match=f"no message {number} of yours"):
        threads.go_back(actor, thread=spoken, message_number=number)
    assert list_messages(spoken) == [(1, False), (2, False)]


def test_nobody_goes_back_while_the_agent_writes(spoken, actor):
    Turn.objects.filter(status="awaiting_approval").update(status="running")
    with pytest.raises(Conflict, match="still writing"):
        threads.go_back(actor, thread=spoken, message_number=1)
    assert list_messages(spoken) == [(1, False), (2, False)]


def test_only_the_owner_goes_back(spoken, member):
    with pytest.raises(Denied):
        threads.go_back(member(Role.ADMIN), thread=spoken, message_number=1)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Is it   due?\nSoon", "Is it due? Soon"),
        ("@gen 105.txt, @Bills compare these two", "Compare these two"),
        ("@gen 105.txt", "gen 105.txt"),
        ("@nobody said it", "nobody said it"),
        ("@general terms of sale", "general terms of sale"),
        (f"Sum up all of these invoices, {'x' * 40}", "Sum up all of these invoices"),
        ("x" * 60, "x" * 50),
        ("a" * 49 + " b", "a" * 49),
    ],
)
def test_a_title_is_whole_words_and_no_name_that_comes_first(text, title):
    assert threads.title_from(text, ["Bills", "gen 105.txt", "gen"]) == title


def test_a_message_that_begins_with_a_name_gives_a_title_without_it(actor, thread, document):
    document_named = [{"type": "document", "id": document.pk}]
    turns.start(actor, thread=thread, text="@invoice.pdf is it due?", mentions=document_named)
    thread.refresh_from_db()
    assert thread.title == "Is it due?"
    Turn.objects.update(status="completed")
    threads.go_back(actor, thread=thread, message_number=1)
    assert thread.title == threads.UNTITLED


@pytest.fixture
def browser(actor):
    client = PageClient()
    client.force_login(actor.user)
    return client


def page(browser, name, actor, *ids, **query):
    address = reverse(name, args=(actor.organization.pk, *ids))
    return browser.get(address, query).content.decode()


def titles(rows):
    return [thread.title for thread in rows]


def finding(actor, words):
    return titles(thread_lists.search_threads(thread_lists.list_readable(actor), words))


def test_lists_name_the_newest_first_and_whose_they_are(actor, member, document, tools, browser):
    other = member(Role.REVIEWER)
    first = threads.create(actor, document=document, title="First")
    threads.create(other, document=document, title="Theirs on the document")
    threads.create(other, title="Theirs about nothing")
    threads.create(actor, title="Mine about nothing")
    assert titles(thread_lists.list_of_document(actor, document)) == ["Theirs on the document", "First"]
    assert titles(thread_lists.list_of_document(actor, None)) == ["Mine about nothing"]
    turns.start(actor, thread=first, text="Go on")
    assert titles(thread_lists.list_own(actor)) == ["First", "Mine about nothing"]
    menu = page(browser, "thread-menu", actor, document=document.pk, open=first.pk)
    assert menu.index("First") < menu.index("Theirs on the document") < menu.index(other.user.shown_name)
    assert 'aria-current="true"' in menu and "working</span>" in menu and "Theirs about nothing" not in menu
    listed = page(browser, "agent", actor)
    assert all(text in listed for text in ("Mine about nothing", "invoice.pdf", "Theirs about nothing", ">Today<"))
    assert "Theirs on the document" not in listed


def test_a_search_takes_words_as_they_are_in_any_case(actor, document, tools):
    one = threads.create(actor, document=document, title="Rechnung ÜBERSICHT")
    two = threads.create(actor, title="Other")
    turns.start(actor, thread=two, text="Is 100% of it_em due?")
    assert finding(actor, "übersicht") == [one.title] and finding(actor, " 100% OF ") == [two.title]
    assert finding(actor, "100_") == finding(actor, "it%em") == finding(actor, "nowhere") == []


def test_a_search_stays_inside_what_a_person_may_read(actor, member, stranger, document, tools):
    other = member(Role.REVIEWER)
    on_document = threads.create(other, document=document, title="needle on the document")
    private = threads.create(other, title="needle of my own", private=True)
    assert finding(actor, "needle") == [on_document.title]
    assert set(finding(other, "needle")) == {on_document.title, private.title}
    assert finding(stranger, "needle") == []
    document.trashed_at = timezone.now()
    document.save()
    assert finding(actor, "needle") == []


def test_what_was_dropped_is_not_found(spoken, actor):
    turns.start(actor, thread=spoken, text="a needle")
    number = spoken.messages.latest("number").number
    assert finding(actor, "needle") == [spoken.title]
    threads.go_back(actor, thread=spoken, message_number=number)
    assert finding(actor, "needle") == []


def test_the_page_shows_where_the_words_stand(actor, spoken, browser):
    turns.start(actor, thread=spoken, text=f"{'before ' * 20}the <b>Straße</b> {'after ' * 20}")
    html = page(browser, "agent", actor, q="STRASSE")
    assert "<mark>strasse</mark>" in html and "…" in html and "<b>Straße" not in html
    assert "<mark>Set UP</mark>" not in page(browser, "agent", actor, q="Set UP")
    assert "<mark>Set up</mark> extraction" in page(browser, "agent", actor, q="set up")
    assert "No thread contains “&lt;i&gt;”" in page(browser, "agent", actor, q="<i>")


def test_renaming_is_the_owners_and_keeps_to_one_line(spoken, actor, member, browser):
    address = reverse("thread-rename", args=(actor.organization.pk, spoken.pk))
    assert browser.post(address, {"title": " Supplier\n invoices "}).status_code == 204
    spoken.refresh_from_db()
    assert spoken.title == "Supplier invoices" and finding(actor, "SUPPLIER inv") == [spoken.title]
    for title, why in (("  ", "empty"), ("x" * 201, "200 is the most")):
        answer = browser.post(address, {"title": title}, HTTP_HX_REQUEST="true")
        assert answer.status_code == 400 and why in answer.content.decode()
    with pytest.raises(Denied):
        threads.rename(member(Role.ADMIN), thread=spoken, title="Mine now")


def test_the_trash_takes_a_thread_out_of_sight_and_gives_it_back(spoken, actor, browser):
    (call,) = ToolCall.objects.all()
    address = reverse("thread-trash", args=(actor.organization.pk, spoken.pk))
    panel = browser.post(address, HTTP_HX_REQUEST="true", HTTP_HX_TARGET="agent")
    assert panel["HX-Push-Url"].endswith("?thread=new") and "is in the trash" in panel.content.decode()
    call.refresh_from_db()
    assert call.status == "cancelled" and not spoken.turns.filter(status__in=Turn.LIVE).exists()
    assert finding(actor, "extraction") == []
    assert browser.get(reverse("thread-items", args=(actor.organization.pk, spoken.pk))).status_code == 404
    restore = reverse("thread-restore", args=(actor.organization.pk, spoken.pk))
    back = browser.post(restore, HTTP_HX_REQUEST="true")
    assert back["HX-Redirect"].endswith(f"/agent?thread={spoken.pk}")
    assert finding(actor, "extraction") == [spoken.title]


def test_a_turn_that_runs_is_stopped_by_the_trash(spoken, actor):
    Turn.objects.filter(status="awaiting_approval").update(status="running")
    threads.trash(actor, thread=spoken)
    assert spoken.turns.get(status="running").cancel_requested_at


def test_only_ones_own_threads_go_to_the_trash_and_back(spoken, actor, member):
    other = member(Role.ADMIN)
    with pytest.raises(Denied):
        threads.trash(other, thread=spoken)
    threads.trash(actor, thread=spoken)
    with pytest.raises(Denied):
        threads.restore(other, thread_id=spoken.pk)


def test_a_thread_opens_where_it_belongs(actor, document, spoken, browser):
    other = Document.objects.create(
        organization=actor.organization,
        name="b.pdf",
        sha256="1" * 64,
        size=1,
        media_type="application/pdf",
        file="none",
        state=Document.State.OCR_COMPLETED,
    )
    right = reverse("document-agent", args=(actor.organization.pk, document.pk)) + f"?thread={spoken.pk}"
    for name, ids in (("document-agent", (other.pk,)), ("agent-thread", ())):
        answer = browser.get(reverse(name, args=(actor.organization.pk, *ids)), {"thread": spoken.pk})
        assert (answer.status_code, answer["Location"]) == (302, right)


def test_a_thread_about_no_document_begins_and_goes_on(actor, tools, browser):
    assert "data-scope-name>All documents</h1>" in page(browser, "agent-thread", actor)
    answer = browser.post(reverse("agent-begin", args=(actor.organization.pk,)), {"text": "Which schemas are there?"})
    thread = Thread.objects.get()
    assert (thread.document, thread.title) == (None, "Which schemas are there?")
    assert answer["HX-Push-Url"].endswith(f"/agent/thread?thread={thread.pk}")
    html = page(browser, "agent-thread", actor, thread=thread.pk)
    assert "All documents" in html and "Which schemas are there?" in html


@pytest.mark.parametrize(
    ("days", "name"),
    [(0, "Today"), (1, "Yesterday"), (2, "Last 7 days"), (7, "Last 7 days"), (8, "Last 30 days"), (31, "March 2026")],
)
def test_a_thread_stands_below_its_day(days: int, name: str) -> None:
    noon = datetime(2026, 5, 1, 12, tzinfo=timezone.get_current_timezone())
    moment = noon - timedelta(days=days)
    assert name_day(moment, noon.date()) == name
