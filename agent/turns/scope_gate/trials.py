"""Both checks of scope profiles on a message or a past turn. No model is called and nothing is kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from accounts.actor import Actor
from agent.conversation import thread_lists
from agent.models import Message, ToolCall, Turn
from agent.scope_profiles.context import FocusObject
from agent.scope_profiles.document_items import read_document_item
from agent.scope_profiles.profile import Profile
from agent.scope_profiles.profile_rows import judge_item, judge_request
from agent.scope_profiles.requests import Request
from agent.scope_profiles.verdicts import Verdict
from agent.turns.scope_gate.asked import find_message, read_request
from documents.models import Document
from kit.errors import Invalid
from kit.ids import is_id
from kit.rows.models import fold_case

MAX_TRIED = 20
_ID_NAMES = ("document_id", "document_ids", "document", "documents", "with_document")


@dataclass(frozen=True)
class Trial:
    """The request, the verdict of the check before a turn, and that of the check after a tool for each document."""

    verdict: Verdict
    asked: Request
    documents: tuple[tuple[Document, Verdict], ...]
    document_count: int
    """The number of all; the first MAX_TRIED are judged."""

    @property
    def foreign(self) -> list[Document]:
        return [document for document, verdict in self.documents if verdict.outcome != "in"]


def try_profiles(profiles: Sequence[Profile], request: Request, documents: Sequence[Document]) -> Trial:
    judged = [(each, judge_item(profiles, read_document_item(each))) for each in documents[:MAX_TRIED]]
    return Trial(judge_request(profiles, request), request, tuple(judged), len(documents))


def try_turn(profiles: Sequence[Profile], actor: Actor, turn: Turn) -> Trial:
    """As if the turn were asked again: with the messages and the focus before it, and what its calls brought."""
    return try_profiles(profiles, read_request(turn, find_message(turn)), list_brought_documents(actor, turn))


def list_turns(actor: Actor) -> QuerySet[Turn]:
    """List what the actor may read and a person's message began, the newest first."""
    rows = Turn.objects.filter(thread__in=thread_lists.list_readable(actor).order_by().values("pk"))
    origins = (Turn.Origin.CHAT, Turn.Origin.API)
    return rows.filter(origin__in=origins).select_related("thread__organization").order_by("-created_at", "-pk")


def list_questions(actor: Actor, limit: int) -> list[tuple[Turn, str]]:
    """The newest turns with the messages that began them."""
    turns = list(list_turns(actor)[:limit])
    rows = Message.objects.filter(turn__in=turns, role=Message.Role.USER, dropped_at=None).order_by("-number")
    texts = {row.turn_id: row.join_text() for row in rows}
    return [(turn, texts[turn.pk]) for turn in turns if texts.get(turn.pk)]


def read_focus(document: Document) -> FocusObject:
    return FocusObject(document.pk, read_document_item(document).type or "", document.name)


def list_brought_documents(actor: Actor, turn: Turn) -> list[Document]:
    """Documents that answers of the turn's calls name, and what its own checks left out of them."""
    calls = ToolCall.objects.filter(turn=turn, status=ToolCall.Status.SUCCEEDED).order_by("round", "position")
    ids = dict.fromkeys(each for call in calls for each in _find_document_ids(call.result))
    ids |= dict.fromkeys(each for check in turn.scope_checks.all() for each in check.document_ids)
    rows = _list_documents(actor).in_bulk(list(ids))
    return [rows[each] for each in ids if each in rows]


def find_documents(actor: Actor, names: Iterable[str]) -> list[Document]:
    """By id or by name, exactly. Raises Invalid for one that is not there."""
    return [_find_document(actor, name) for name in names]


def _find_document(actor: Actor, name: str) -> Document:
    named = {"pk": name} if is_id(name) else {"name_folded": fold_case(name)}
    row = _list_documents(actor).filter(**named).order_by("-created_at", "-pk").first()
    if row is None:
        raise Invalid(f"No document is named “{name[:100]}”. Write its name or id.")
    return row


def _list_documents(actor: Actor) -> QuerySet[Document]:
    return Document.objects.for_org(actor.organization).filter(trashed_at=None).select_related("document_type")


def _find_document_ids(value: object, name: str = "") -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _find_document_ids(inner, key)
    elif isinstance(value, list):
        for inner in value:
            yield from _find_document_ids(inner, name)
    elif name in _ID_NAMES and is_id(value):
        yield str(value)
