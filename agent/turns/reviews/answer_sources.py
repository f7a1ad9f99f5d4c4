"""Where the facts of an answer may stand that names no line for them: what its turn was given, the nearest first."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce
from itertools import chain
from operator import or_

from django.db.models import Model, Q, QuerySet

from accounts.models import Member
from agent.citations.statements.checking import Proof
from agent.citations.statements.mixed_money import adds_up_currencies
from agent.citations.statements.uncited import Fact, Source
from agent.conversation import mentions
from agent.conversation.mentions import Mention
from agent.conversation.model_input import state
from agent.models import Message, Thread, ToolCall, Turn
from agent.policy import agent_settings
from agent.toolkit import pages_read
from agent.toolkit.registry import READS
from agent.wishes import list_wishes
from documents.models import Document, Page, Prompt, Schema, SchemaRevision, Tag
from documents.reading.reading import get_newest
from documents.values import strip_row_ids
from kit.json_types import Json
from kit.rows.models import fold_case
from reader.words import join_text, unpack

READING = (*pages_read.PAGE_TOOLS, pages_read.SURVEY, "search_documents")
# Of a result or a message, and how many of them. What is older the model has in short.
MAX_LETTERS, MAX_RESULTS, MAX_MESSAGES = 100_000, 100, 200
MAX_NAMES, MAX_MATCHES, MAX_SCHEMAS, MAX_MEMBERS = 20, 50, 100, 500
STATE_TOKENS = 4_000
MAX_PAGES, PAGES_AT_ONCE = 5_000, 50
# Which show their arguments to a person: what was refused before that, only the model has said.
_UNSEEN = (ToolCall.Status.INVALID, ToolCall.Status.DENIED)
_KEY = re.compile(r'"([^"]{2,80})"\s*:')


def list_sources(turn: Turn, notes: Iterable[str] = ()) -> list[Source]:
    """`notes` is what the product itself has the answer say. In a thread about no single document what the turn has
    read of documents has to be named."""
    thread, has_document = turn.thread, turn.thread.document_id is not None
    results = _Results(turn)
    return [
        Source(_keep(lambda: _read_messages(turn, notes))),
        Source(_keep(lambda: results.list_computed(lambda: _read_pages(thread)))),
        Source(_keep(lambda: _read_state(turn))),
        Source(_keep(lambda: _read_mentions(turn)), is_document=True),
        Source(lambda facts: _find_definitions(thread, facts), is_definitions=True),
        Source(lambda facts: _find_document_names(thread, facts), is_definitions=True, is_document=True),
        Source(_keep(results.list_read_before), is_document=True),
        Source(_keep(results.list_read), is_document=True, must_be_named=not has_document),
        Source(lambda facts: _read_pages(thread), is_document=True),
    ]


def _keep(load: Callable[[], Iterable[Proof]]) -> Callable[[Sequence[Fact]], Iterable[Proof]]:
    """Loads once, and only where something is looked for."""
    kept: list[Proof] = []

    def load_once(facts: Sequence[Fact]) -> Iterable[Proof]:
        if not kept:
            kept.extend(load())
        return kept

    return load_once


def _read_messages(turn: Turn, notes: Iterable[str]) -> Iterator[Proof]:
    """The person's own words, what the admins ask for, and what the product says."""
    thread = turn.thread
    asked = thread.messages.filter(role=Message.Role.USER, dropped_at=None, turn__number__lte=turn.number)
    texts = [message.join_text() for message in asked.order_by("-number")[:MAX_MESSAGES]]
    house = agent_settings.get_joined_settings(thread.organization).organization_instructions
    for text in [*texts, *(wish.text for wish in list_wishes(thread)), house, *notes]:
        yield Proof(text[:MAX_LETTERS])


def _read_state(turn: Turn) -> Iterator[Proof]:
    """With all current values, also those that the model is shown no longer for want of room."""
    yield Proof(str(state.build_state(turn, STATE_TOKENS)["content"])[:MAX_LETTERS])
    if extraction := state.current_extraction(turn.thread):
        yield _join(strip_row_ids(extraction.current))


class _Results:
    """The calls of a thread up to a turn, newest first, loaded once."""

    def __init__(self, turn: Turn) -> None:
        self.turn = turn
        rows = turn.thread.calls.filter(turn__number__lte=turn.number, message__dropped_at=None)
        self._rows = rows.order_by("-turn__number", "-round", "-position", "-version")[:MAX_RESULTS]

    def list_computed(self, load_pages: Callable[[], Iterable[Proof]]) -> Iterator[Proof]:
        """What tools answered that read no documents, and what calls of others propose to a person. A sum of numbers
        that pages or results say in different currencies is none."""
        for call in self._rows:
            if call.tool not in READING and not (call.tool == "calculate" and self._mixes_currencies(call, load_pages)):
                yield _join(call.result)
            if call.access not in ("", *READS) and call.status not in _UNSEEN:
                yield _join(call.effective or call.proposed)

    def _mixes_currencies(self, call: ToolCall, load_pages: Callable[[], Iterable[Proof]]) -> bool:
        expression = (call.effective or {}).get("expression", "")
        read = chain(self.list_read(), self.list_read_before(), load_pages())
        return adds_up_currencies(expression, read)

    def list_read(self) -> Iterator[Proof]:
        return (_join(call.result) for call in self._rows if call.tool in READING and call.turn_id == self.turn.pk)

    def list_read_before(self) -> Iterator[Proof]:
        return (_join(call.result) for call in self._rows if call.tool in READING and call.turn_id != self.turn.pk)


def _join(value: Json) -> Proof:
    return Proof("\n".join(_list_texts(value))[:MAX_LETTERS])


def _list_texts(value: Json, name: str = "") -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _list_texts(inner, key)
    elif isinstance(value, list):
        for inner in value:
            yield from _list_texts(inner, name)
    elif value is not None:
        yield f"{name} {value}"


def _read_mentions(turn: Turn) -> Iterator[Proof]:
    rows = turn.thread.messages.filter(role=Message.Role.USER, dropped_at=None, turn__number__lte=turn.number)
    named = [mention for row in rows.exclude(mentions=[]).order_by("-number")[:MAX_MATCHES] for mention in row.mentions]
    entries: list[Mention] = [{"type": each["type"], "id": each["id"]} for each in named[:MAX_NAMES]]
    for block in mentions.build_blocks(turn.thread, entries) if entries else ():
        yield Proof(block[:MAX_LETTERS])


def _find_definitions(thread: Thread, facts: Sequence[Fact]) -> Iterator[Proof]:
    organization = thread.organization
    members = Member.objects.filter(organization=organization).select_related("user")[:MAX_MEMBERS]
    yield Proof("\n".join([organization.name, *(f"{each.user.shown_name}\n{each.user.email}" for each in members)]))
    for rows in (Schema.objects, Prompt.objects, Tag.objects):
        yield from _find_named(rows.filter(organization=organization), facts)
    revisions = SchemaRevision.objects.for_org(organization).order_by("-created_at")[:MAX_SCHEMAS]
    yield Proof("\n".join(key for each in revisions for key in _KEY.findall(json.dumps(each.response_format))))


def _find_document_names(thread: Thread, facts: Sequence[Fact]) -> Iterator[Proof]:
    return _find_named(Document.objects.for_org(thread.organization), facts)


def _find_named(rows: QuerySet[Model], facts: Sequence[Fact]) -> Iterator[Proof]:
    """Rows whose name holds the words of one of them."""
    words = [fold_case(fact.written) for fact in facts if fact.is_words][:MAX_NAMES]
    if words:
        holds = reduce(or_, (Q(name_folded__contains=each) for each in words))
        yield Proof("\n".join(rows.filter(holds).values_list("name", flat=True)[:MAX_MATCHES]))


def _read_pages(thread: Thread) -> Iterator[Proof]:
    """The whole text of the thread's document, of which a model is given an excerpt alone."""
    reading = get_newest(thread.document) if thread.document else None
    if reading:
        pages = Page.objects.filter(reading=reading, number__lte=MAX_PAGES).order_by("number")
        for words in pages.values_list("words", flat=True).iterator(chunk_size=PAGES_AT_ONCE):
            yield Proof(join_text(unpack(bytes(words)))[:MAX_LETTERS])
