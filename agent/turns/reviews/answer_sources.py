"""Where the facts of an answer may stand that names no line for them: what its turn was given, the nearest first."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import ROUND_HALF_UP, Decimal
from functools import reduce
from operator import or_

from django.db.models import Model, Q, QuerySet

from accounts.models import Member
from agent.citations.statements.mixed_money import adds_up_currencies
from agent.citations.statements.proofs import Proof
from agent.citations.statements.uncited import Fact, Source, list_inputs, look_for
from agent.conversation import mentions
from agent.conversation.mentions import Mention
from agent.conversation.model_input import state
from agent.models import Message, Thread, ToolCall, Turn
from agent.policy import agent_settings
from agent.steps import describe_steps
from agent.toolkit import pages_read
from agent.toolkit.tool_kinds import READS
from agent.wishes import list_wishes
from documents.models import Document, Page, Prompt, Schema, SchemaRevision, Tag
from documents.reading.reading import get_newest
from documents.values import strip_row_ids
from kit.json_types import Json, JsonObject
from kit.rows.models import fold_case
from reader.words import join_text, unpack

READING = (*pages_read.PAGE_TOOLS, pages_read.SURVEY, "search_documents")
CALCULATE = "calculate_expression"
# Of a result or a message, and how many of them. What is older the model has in short.
MAX_LETTERS, MAX_RESULTS, MAX_MESSAGES = 100_000, 100, 200
MAX_NAMES, MAX_MATCHES, MAX_SCHEMAS, MAX_MEMBERS = 20, 50, 100, 500
STATE_TOKENS = 4_000
MAX_PAGES, PAGES_AT_ONCE = 5_000, 50
# Which show their arguments to a person: what was refused before that, only the model has said.
_UNSEEN = (ToolCall.Status.INVALID, ToolCall.Status.DENIED)
# By these a search and a survey repeat what they were asked.
_ASKED = ("words", "filters", "question")
MIN_REPEATED, MAX_PLACES = 3, 5
_DECIMAL = re.compile(r"-?\d{1,20}\.\d{1,40}")
_KEY = re.compile(r'"([^"]{2,80})"\s*:')


def list_sources(
    turn: Turn, notes: Iterable[str] = (), *, asked_for: Sequence[JsonObject] = (), is_answer: bool = True
) -> list[Source]:
    """`notes` is what the product itself has the answer say, `asked_for` the arguments of the calls beside it. In a
    thread about no single document an answer has to name what its turn has read of documents."""
    thread = turn.thread
    results = _Results(turn)
    messages = Source(_keep(lambda: _read_messages(turn, notes)), is_asked=True)
    others = [
        Source(_keep(results.list_other_results)),
        Source(_keep(lambda: results.list_proposed(asked_for)), is_words_only=True),
        Source(_keep(lambda: _read_values(turn)), is_own=True),
        Source(_keep(lambda: _read_state(turn))),
        Source(_keep(lambda: _read_mentions(turn)), is_document=True),
        Source(lambda facts: _find_definitions(thread, facts), is_definitions=True),
        Source(lambda facts: _find_document_names(thread, facts), is_definitions=True, is_document=True),
        Source(_keep(results.list_read_before), is_document=True),
        Source(_keep(results.list_read), is_document=True, must_be_named=is_answer and thread.document_id is None),
        Source(lambda facts: _read_pages(thread), is_document=True),
    ]
    computed = Source(_keep(lambda: results.list_computed([messages, *others])), is_own=True)
    return [messages, computed, *others]


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
    asked = thread.messages.filter(
        role=Message.Role.USER, dropped_at=None, turn__number__lte=turn.number, turn__refused=""
    )
    texts = [message.join_text() for message in asked.order_by("-number")[:MAX_MESSAGES]]
    house = agent_settings.get_joined_settings(thread.organization).organization_instructions
    for text in [*texts, *(wish.text for wish in list_wishes(thread)), house, *notes]:
        yield Proof(text[:MAX_LETTERS])


def _list_spoken(turn: Turn) -> QuerySet[Message]:
    """The person's messages up to the turn that no scope refused."""
    spoken: QuerySet[Message] = turn.thread.messages.filter(role=Message.Role.USER, turn__number__lte=turn.number)
    return spoken.filter(dropped_at=None, turn__refused="")


def _read_state(turn: Turn) -> Iterator[Proof]:
    """Without the steps, which the model writes itself."""
    text = str(state.build_state(turn, STATE_TOKENS)[0]["content"])
    yield Proof(text.replace(describe_steps(turn.thread), "")[:MAX_LETTERS])


def _read_values(turn: Turn) -> Iterator[Proof]:
    """All current ones, also those that the model is shown no longer for want of room."""
    if extraction := state.current_extraction(turn.thread):
        yield _join(strip_row_ids(extraction.current))


class _Results:
    """The calls of a thread up to a turn, newest first, loaded once."""

    def __init__(self, turn: Turn) -> None:
        self.turn = turn
        rows = turn.thread.calls.filter(turn__number__lte=turn.number, turn__refused="", message__dropped_at=None)
        self._rows = rows.order_by("-turn__number", "-round", "-position", "-version")[:MAX_RESULTS]

    def list_other_results(self) -> Iterator[Proof]:
        """Yield what tools answered that read no documents, without what the model gave them itself."""
        for call in self._rows:
            if call.tool not in (*READING, CALCULATE):
                yield _join_result(call)

    def list_proposed(self, asked_for: Sequence[JsonObject]) -> Iterator[Proof]:
        """Yield what calls propose to a person. A number or a day in it may be invented, and the card asks for it."""
        yield from map(_join, asked_for)
        for call in self._rows:
            if call.access not in ("", *READS) and call.status not in _UNSEEN:
                yield _join(call.effective or call.proposed)

    def list_computed(self, sources: Sequence[Source]) -> Iterator[Proof]:
        """The results of `calculate_expression` whose numbers all stand in one of the sources or are such a result.

        A sum of numbers that pages or results say in different currencies is none.
        """
        computed: list[Proof] = []
        for call in reversed(self._rows):
            expression = str((call.effective or {}).get("expression", ""))
            if call.tool != CALCULATE or call.status != ToolCall.Status.SUCCEEDED or _mixes(expression, sources):
                continue
            if not look_for(list_inputs(expression), computed, sources).nowhere:
                computed.append(Proof(" ".join(_round((call.result or {}).get("value")))))
        return iter(computed)

    def list_read(self) -> Iterator[Proof]:
        return (_join_result(call) for call in self._rows if call.tool in READING and call.turn_id == self.turn.pk)

    def list_read_before(self) -> Iterator[Proof]:
        return (_join_result(call) for call in self._rows if call.tool in READING and call.turn_id != self.turn.pk)


def _round(value: Json) -> Iterator[str]:
    """A result as it is, and as an answer may write it."""
    yield str(value)
    if _DECIMAL.fullmatch(str(value)):
        exact = Decimal(str(value))
        yield from (str(exact.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)) for places in range(MAX_PLACES))


def _mixes(expression: str, sources: Iterable[Source]) -> bool:
    read = (proof for source in sources if source.is_document for proof in source.load(()))
    return adds_up_currencies(expression, read)


def _join_result(call: ToolCall) -> Proof:
    """Without the words and numbers that only the model has said: a change repeats its arguments, an error and a search
    in vain name them."""
    given = {text for _, text in _list_leaves(call.proposed)}
    if call.status != ToolCall.Status.SUCCEEDED:
        text = _join(call.result).text
        for each in sorted((each for each in given if len(each) >= MIN_REPEATED), key=len, reverse=True):
            text = text.replace(each, " ")
        return Proof(text)
    repeats = call.access not in ("", *READS)
    skipped = _ASKED if call.tool in READING else ()
    leaves = ((name, text) for name, text in _list_leaves(call.result) if name not in skipped)
    return Proof("\n".join(f"{name} {text}" for name, text in leaves if not (repeats and text in given))[:MAX_LETTERS])


def _join(value: Json) -> Proof:
    return Proof("\n".join(f"{name} {text}" for name, text in _list_leaves(value))[:MAX_LETTERS])


def _list_leaves(value: Json, name: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _list_leaves(inner, key)
    elif isinstance(value, list):
        for inner in value:
            yield from _list_leaves(inner, name)
    elif value is not None:
        yield name, str(value)


def _read_mentions(turn: Turn) -> Iterator[Proof]:
    rows = turn.thread.messages.filter(
        role=Message.Role.USER, dropped_at=None, turn__number__lte=turn.number, turn__refused=""
    )
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
