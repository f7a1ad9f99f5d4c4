"""Answers with block ids: what they may name, what is checked, and what a person sees of it."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

import asyncio
import json
import re
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.test import Client
from django.urls import reverse

from accounts.actor import Actor
from agent.api.results import build_result
from agent.api.turn_events import Cursor, list_due
from agent.citations.aliases import ThreadAliases, note_read
from agent.citations.checked_answers import CitedThread
from agent.citations.citing import list_citations
from agent.conversation.cited_messages import read_message
from agent.models import Citation, Message, ReadingAlias, Thread
from agent.turns import turns
from agent.turns.turn_views import read_turn
from documents import document_changes
from documents.models import Document, Reading
from kit import events
from kit.errors import Invalid, NotFound
from tests.agent.purging_rows import delete_for_good, purge
from tests.agent.research.cited_answers import FORGED, answer_with, invoice, read, research, show  # noqa: F401 - fixtures
from tests.agent.tool_documents import Do, document  # noqa: F401 - document is a fixture
from tests.agent.turn_rows import now
from tests.documents.reading_rows import document_with
from tests.scripted_model import ScriptedModel, calls, says

pytestmark = pytest.mark.django_db(transaction=True)


def test_lines_are_read_under_names_that_stay_when_the_document_is_read_anew(document: Document, do: Do) -> None:
    assert "[D1:1.1] Ostrava Tools" in do("read_document").result["text"]
    newer = Reading.objects.create(document=document, number=2, status="completed", page_count=2, pages_read=2)
    for page in document.readings.get(number=1).pages.all():
        page.pk, page.reading, page._state.adding = None, newer, True
        page.id = f"{page.number}" * 24
        page.save()
    call = do("read_document")
    assert "[D2:1.1] Ostrava Tools" in call.result["text"]
    aliases = ThreadAliases(call.thread)
    assert aliases.resolve("D1:1.1").reading_id != aliases.resolve("D2:1.1").reading_id == newer.pk


def test_only_lines_that_the_thread_has_read_have_a_name(research: Thread, invoice: Document, stranger: Actor) -> None:
    note_read(research, invoice.readings.get(), {1: [2]})
    aliases = ThreadAliases(research)
    assert str(aliases.resolve("D1:1.2.1")) == f"{invoice.readings.get().pk}.1.2.1"
    assert aliases.resolve(f"{invoice.readings.get().pk}.1.2") == aliases.resolve("D1:1.2")
    theirs = document_with(stranger.organization, ["Secret"]).readings.get().pk
    for name in ("D1:1.1", "D2:1.1", f"{theirs}.1.1", f"{'a' * 24}.1.1", f"{invoice.readings.get().pk}.1.1"):
        with pytest.raises(NotFound, match="read"):
            aliases.resolve(name)
    with pytest.raises(Invalid, match="names no block"):
        aliases.resolve("[1]")


def test_an_answer_that_its_lines_prove_is_shown_with_numbers(
    answer_with: Any, invoice: Document, signed_in: Any, actor: Actor, research: Thread
) -> None:
    assert len(answer_with(read(invoice), says("It is 39.80 [D1:1.2]."))) == 2
    page = show(signed_in, actor, research)
    assert 'aria-label="Source 1, page 1">1</a>' in page and "Total due 39.80</q>" in page
    assert "doubt" not in page and "39.80 [" not in page
    assert "1 cited, 1 read of 1 document<" in " ".join(page.split()).replace(" <", "<")


def test_what_is_not_proven_is_asked_for_once_and_then_marked(
    answer_with: Any, invoice: Document, signed_in: Any, actor: Actor, research: Thread, scripted_model: ScriptedModel
) -> None:
    asked = answer_with(read(invoice), says("It is 41.00 [D1:1.2]."), says("It is 42.00 [D1:1.2]. Really."))
    assert len(asked) == 3 and "Not found: 41.00" in asked[2]
    drafted, repaired = (each["messages"] for each in scripted_model.requests[1:])
    # All that the draft was answered to stays as it was, also the present state: providers have it in their cache.
    assert repaired[:-2] == drafted and [each["role"] for each in repaired[-2:]] == ["assistant", "user"]
    page = show(signed_in, actor, research)
    assert "41.00" not in page and page.count("(unsupported)") == 1
    assert "One sentence is unsupported." in page and "Not found in what it names: 42.00." in page
    assert re.search(r'<mark class="doubt">It is 42.00 <a .*</a>.</mark><span .*\(unsupported\)</span> Really.', page)
    number = Message.objects.filter(thread=research).latest("number").number
    where = [reverse("answer-file", args=[actor.organization.pk, research.pk, number, form]) for form in ("json", "md")]
    body = json.loads(signed_in(Client(), actor).get(where[0]).content)
    assert body["unsupported"] == ["It is 42.00 [1]."] and body["answer"] == "It is 42.00 [1]. [unsupported] Really."
    assert "[unsupported]" in signed_in(Client(), actor).get(where[1]).content.decode()


def test_a_repaired_answer_stands_alone(
    answer_with: Any, invoice: Document, signed_in: Any, actor: Actor, research: Thread
) -> None:
    answer_with(read(invoice), says("It is 41.00 [D1:1.2]."), says("It is 39.80 [D1:1.2]."))
    page = show(signed_in, actor, research)
    assert "39.80" in page and "41.00" not in page and "unsupported" not in page
    result = turns.Turn.objects.get()
    assert (now(result).status, now(result).round) == ("completed", 3)


def test_a_repaired_answer_has_its_own_numbers_and_those_that_the_model_bound(
    answer_with: Any, invoice: Document, research: Thread
) -> None:
    cites = ("cite_source", {"cited_text": "Quote", "block_id": "D1:1.3", "citation_number": 1})
    draft, repaired = says("It is 41.00 [D1:1.2]."), says("Invoice 7 [D1:1.1] is on 39.80 [D1:1.2]. A quote [1].")
    answer_with(read(invoice), calls(cites), draft, repaired)
    assert [(row.number, row.line) for row in Citation.objects.order_by("number")] == [(1, 3), (2, 1), (3, 2)]


def test_a_later_turn_reads_the_repaired_answer_and_not_its_draft(
    answer_with: Any, invoice: Document, scripted_model: ScriptedModel
) -> None:
    answer_with(read(invoice), says("It is 41.00 [D1:1.2]."), says("It is 39.80 [D1:1.2]."))
    answer_with(says("Yes."))
    told = json.dumps(scripted_model.requests[-1]["messages"])
    assert "39.80 [D1" in told and "41.00" not in told and "A check without" not in told


@pytest.mark.parametrize("forged", ["D9:1.1", "THEIRS.1.1", "UNREAD.1.1", "D1:1.9"])
def test_what_was_never_read_is_cited_by_nothing(
    answer_with: Any, invoice: Document, signed_in: Any, actor: Actor, stranger: Actor, research: Thread, forged: str
) -> None:
    theirs = document_with(stranger.organization, ["Secret 5"]).readings.get().pk
    unread = document_with(actor.organization, ["Unread 5"], name="bank.pdf").readings.get().pk
    name = forged.replace("THEIRS", theirs).replace("UNREAD", unread)
    said = says(f"It is 5 [{name}] [1].")
    answer_with(read(invoice), said, said)
    page = show(signed_in, actor, research)
    assert "(unsupported)</span>" in page and "data-source" not in page and 'class="place" href' not in page
    assert not Citation.objects.exists() and "Secret" not in page and "Unread 5" not in page


def test_an_answer_without_a_source_says_how_much_was_read_and_lists_its_sentences_in_plain_words(
    answer_with: Any, invoice: Document, signed_in: Any, actor: Actor, research: Thread
) -> None:
    said = says("- **Rent** is 5 [D9:1.1], [D9:1.2].\n- It is 6 [D9:1.1].")
    answer_with(read(invoice), said, said)
    page = show(signed_in, actor, research)
    assert "0 cited, 1 read of 1 document" in page and "<q>Rent is 5.</q>" in page and "<b>Sources</b>" not in page


def test_the_model_binds_a_number_to_words(
    answer_with: Any, invoice: Document, signed_in: Any, actor: Actor, research: Thread
) -> None:
    cited = ("cite_source", {"cited_text": "total  due 39.80", "block_id": "D1:1.2", "citation_number": 7})
    answer_with(read(invoice), calls(cited), says("It is 39.80 [7]."))
    row = list_citations(research)[7]
    assert (row.cited_text, row.page, row.line, len(row.box)) == ("Total due 39.80", 1, 2, 4)
    assert 'aria-label="Source 7, page 1">7</a>' in show(signed_in, actor, research)


def test_each_of_many_lines_gets_a_number_after_those_that_are_bound(
    answer_with: Any, signed_in: Any, actor: Actor, research: Thread
) -> None:
    many = document_with(actor.organization, [f"Item {at}" for at in range(1, 71)], line_height=0.013)
    cited = ("cite_source", {"cited_text": "Item 1", "block_id": "D1:1.1", "citation_number": 1})
    said = says("\n".join(f"Item {at} [D1:1.{at}]." for at in range(1, 71)))
    answer_with(read(many), calls(cited), said)
    assert sorted(list_citations(research)) == list(range(1, 71))
    page = show(signed_in, actor, research)
    assert ">70</a>" in page and ">unsupported<" not in page and "line 70" not in page
    message = Message.objects.order_by("number").last()
    assert message and read_message(message).numbered.endswith("Item 70 [70].")


@pytest.mark.parametrize("words", ["Cleaning of the roof and gutters", "1 | Cleaning of the roof and gutters | 2"])
def test_a_row_of_a_table_is_cited_as_it_is_printed(
    actor: Actor, answer_with: Any, research: Thread, words: str
) -> None:
    rows = ["Pos|Text|Count|Price", "1|Cleaning of the roof|2|100.00", "|and gutters||", "2|Paint|1|50.00"]
    table = document_with(actor.organization, [*rows, "3|Wall|1|70.00"])
    cited = ("cite_source", {"cited_text": words, "block_id": "D1:1.2", "citation_number": 1})
    answer_with(read(table), calls(cited), says("They clean [1]."))
    row = list_citations(research)[1]
    assert (row.cited_text, row.line) == (words.replace("| ", ""), 2) and row.box[3] > row.box[1] + 0.03


def test_words_that_do_not_stand_there_are_refused_with_those_that_do(document: Document, do: Do) -> None:
    do("read_document")
    wrong = {"cited_text": "Prague Tools", "block_id": "D1:1.1", "citation_number": 1}
    assert "It says: “Ostrava Tools”" in do("cite_source", **wrong).result["error"]
    assert "1 to 99" in do("cite_source", **{**wrong, "citation_number": 0}).result["error"]
    assert "names nothing that was read" in do("cite_source", **{**wrong, "block_id": "D7:1.1"}).result["error"]
    assert not Citation.objects.exists()


def test_citations_go_with_their_document_and_its_number_is_not_used_again(
    answer_with: Any, actor: Actor, invoice: Document, signed_in: Any, research: Thread
) -> None:
    answer_with(read(invoice), says("It is 39.80 [D1:1.2]."))
    assert Citation.objects.count() == 1
    delete_for_good(actor, invoice)
    purge()
    assert not Citation.objects.exists() and ReadingAlias.objects.get().reading is None
    other = document_with(actor.organization, ["Other"])
    assert note_read(research, other.readings.get(), {1: [1]}).name == "D2"
    assert "data-source" not in show(signed_in, actor, research)


def test_the_result_of_the_api_carries_the_citations(
    answer_with: Any, actor: Actor, invoice: Document, research: Thread
) -> None:
    said = says("It is 39.80 [D1:1.2]. It was 5 [D1:1.1].")
    answer_with(read(invoice), said, said)
    result = build_result(read_turn(research.turns.get().pk))
    assert result["text"] == "It is 39.80 [1]. It was 5 [2]. [unsupported]"
    assert result["unsupported"] == ["It was 5 [2]."]
    first, second = result["citations"]
    assert (first["document_id"], first["page"], first["supported"]) == (invoice.pk, 1, True)
    assert first["block_ids"] == [f"{invoice.readings.get().pk}.1.2"] and len(first["box"]) == 4
    assert (second["cited_text"], second["supported"]) == ("Invoice 7", False)


def test_the_stream_tells_each_citation_once_wherever_it_is_taken_up(
    answer_with: Any, invoice: Document, research: Thread
) -> None:
    said = says("It is 39.80 [D1:1.2]. It was 5 [D1:1.1].")
    answer_with(read(invoice), said, said)
    view = read_turn(research.turns.get().pk)
    steps = list_due(view, Cursor(view.turn.pk))
    told = [event for _, event in steps if event["type"] == "citation"]
    assert [{**each, "type": "citation"} for each in build_result(view)["citations"]] == told and len(told) == 2
    assert [event["type"] for _, event in steps][-3:] == ["citation", "citation", "done"]
    [whole] = [event["full_text"] for _, event in steps if event["type"] == "assistant_text_done"]
    assert whole == "It is 39.80 [1]. It was 5 [2]. [unsupported]"
    for at, (cursor, _) in enumerate(steps):
        again = Cursor.parse(cursor.id)
        assert again and list_due(view, again) == steps[at + 1 :]


def test_the_citations_of_a_thread_are_loaded_once_for_all_answers(
    answer_with: Any, invoice: Document, research: Thread, django_assert_max_num_queries: Any
) -> None:
    answer_with(read(invoice), says("It is 39.80 [D1:1.2]."))
    answer_with(says("It was 7 [D1:1.1] and 39.80 [1]."))
    with django_assert_max_num_queries(2):
        cited = CitedThread(research)
        assert sorted(cited.expand(1, "It is 39.80 [D1:1.2], not [2].").citations) == [1]
        assert sorted(cited.expand(2, "It was 7 [D1:1.1] and 39.80 [1].").citations) == [1, 2]


def test_what_was_read_of_a_document_is_told_no_more_once_it_is_deleted_and_again_when_it_is_back(
    answer_with: Any, actor: Actor, invoice: Document, research: Thread, scripted_model: ScriptedModel
) -> None:
    other = document_with(actor.organization, ["The lease costs 12.00"], name="lease.pdf")
    several = calls(("read_document", {"document": invoice.pk}), ("read_document", {"document": other.pk}))
    cite = ("cite_source", {"cited_text": "Total due 39.80", "block_id": "D1:1.2", "citation_number": 1})
    answer_with(several, calls(cite), says("It is 39.80 [1]. It is 39.80 [D1:1.2]. The lease costs 12.00 [D2:1.1]."))
    document_changes.trash(actor, document=invoice)
    answer_with(says("I cannot say."))
    told = json.dumps(scripted_model.requests[-1]["messages"])
    assert "39.80" not in told and "acme.pdf" not in told and "The lease costs 12.00 [D2:1.1]." in told
    assert told.count("A sentence about a document that was deleted since") == 2 and invoice.pk in told
    document_changes.restore(actor, document=Document.objects.get(pk=invoice.pk))
    answer_with(says("I can."))
    assert "It is 39.80 [1]. It is 39.80 [D1:1.2]." in json.dumps(scripted_model.requests[-1]["messages"])


async def receive(layer: Any, channel: str) -> Any:
    return await asyncio.wait_for(layer.receive(channel), 60)


def test_a_cited_place_is_opened_for_the_person_who_asks_alone(
    answer_with: Any, actor: Actor, invoice: Document, research: Thread
) -> None:
    layer = get_channel_layer()
    channel = async_to_sync(layer.new_channel)()
    async_to_sync(layer.group_add)(events.member_group(actor.organization.pk, actor.user.pk), channel)
    opens = ("open_document", {"citation_number": 1, "reason": "to compare"})
    answer_with(read(invoice), says("It is 39.80 [D1:1.2]."))
    answer_with(calls(opens, ("open_document", {"citation_number": 9, "reason": "x"})), says("Here."))
    done, refused = (call.result for call in research.calls.filter(tool="open_document").order_by("position"))
    assert (done["document_id"], done["page"]) == (invoice.pk, 1) and "There are: 1." in refused["error"]
    block_id = f"{invoice.readings.get().pk}.1.2"
    opened = {"kind": "place.opened", "thread_id": research.pk, "block_id": block_id}
    heard: list[Any] = []
    while opened not in heard:
        heard.append(async_to_sync(receive)(layer, channel)["event"])
