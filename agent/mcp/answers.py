"""What a client reads of a question that the agent answers: the answer, the places that it rests on, what it cost."""

from __future__ import annotations

import json

from django.conf import settings
from django.urls import reverse

from agent.citations.checked_answers import NOTHING_READ
from agent.citations.statements.checking import State
from agent.conversation.addresses import address_of
from agent.conversation.cited_messages import CitedMessage, read_message
from agent.conversation.sources import Source
from agent.models import Turn
from agent.toolkit.turn_changes import read_turn_changes
from agent.turns import client_questions
from kit.json_types import JsonObject

RUNS_NOTE = (
    "The answer is being written. Ask get_decision with the call_id for it; the same question, sent now, is not asked "
    "a second time."
)
PAUSED_NOTE = "It waits for a person, who may let it go on at the link."


def describe_question(turn: Turn) -> JsonObject:
    """`cost_micros` is in millionths of a dollar. Markers in the answer are the block ids of `citations`."""
    state: JsonObject = {
        "call_id": turn.pk,
        "status": turn.status,
        "link": f"{settings.PUBLIC_URL}{address_of(turn.thread)}",
        "cost_micros": turn.spent_micros,
    }
    if turn.status == Turn.Status.PAUSED:
        return {**state, "note": f"{turn.reason} {PAUSED_NOTE}".strip()}
    if turn.status in Turn.LIVE:
        return {**state, "step": client_questions.describe_step(turn), "note": RUNS_NOTE}
    message = client_questions.find_answer(turn)
    answer = read_message(message) if message else CitedMessage("")
    citations = [_describe_source(turn, source, answer) for source in answer.sources]
    ended: JsonObject = {"note": turn.reason} if turn.reason else {}
    if answer.unsupported:
        ended |= {"unsupported": list(answer.unsupported), "unsupported_because": list(answer.reasons)}
    if answer.not_checked:
        ended |= {"not_checked": list(answer.not_checked), "not_checked_because": list(answer.open_reasons)}
    if answer.nothing_read:
        ended |= {"nothing_read": True, "nothing_read_because": NOTHING_READ}
    if answer.coverage:
        ended["coverage"] = dict(answer.coverage)
    if changes := read_turn_changes(turn):
        ended["changes"] = changes.sentence
    return {**state, "answer": answer.text, "citations": citations, **ended}


def _describe_source(turn: Turn, source: Source, answer: CitedMessage) -> JsonObject:
    """`proven` as `supported` of /v0: the answer was checked, and each sentence that names it holds."""
    citation = answer.citations.get(source.number)
    state = answer.get_state(source.number)
    if source.document is None:
        gone = {"number": source.number, "block_id": source.block_id, "proven": False}
        return {**gone, "state": State.UNSUPPORTED.value}
    place = reverse("place", args=(turn.thread.organization_id, source.block_id))
    return {
        "number": source.number,
        "block_id": source.block_id,
        "proven": state is State.PROVEN,
        "state": state.value,
        "document_id": source.document.pk,
        "document_name": source.document.name,
        "page": source.page,
        "box": citation.box if citation else None,
        "text": citation.cited_text if citation else source.quote,
        "link": f"{settings.PUBLIC_URL}{place}",
    }


def texts_of(turn: Turn) -> tuple[str, JsonObject, bool]:
    """As `call_results.texts_of`."""
    state = describe_question(turn)
    return json.dumps(state, ensure_ascii=False), state, turn.status in (Turn.Status.FAILED, Turn.Status.CANCELLED)
