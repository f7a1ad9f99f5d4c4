"""Questions of MCP clients: turns of the agent that read and answer, each in a thread of its own.

The thread is the user's, like one that was begun on a page: it can be read and stopped there. The turn has the rights
of a viewer, so that it asks for no change; the same question, sent again while it is answered, finds its turn.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import IntegrityError

from accounts.actor import Actor
from agent import feed
from agent.calls.call_drafts import RequestedCall
from agent.conversation import threads
from agent.models import McpClient, McpRequest, Message, Rule, Thread, Turn
from agent.policy.active_rules import EVERY_TOOL
from agent.policy.policy_context import Policy
from agent.toolkit.registry import registry
from agent.turns import chats, turns
from agent.turns.client_turns import MAX_KEY, ClientRequest, find_same, record_request
from documents.find.scopes import check_scope
from documents.models import Document
from kit.errors import Denied, Invalid, NotFound, TooMany

RESEARCH = "research"
MAX_ASKED_AT_ONCE = 5


@dataclass(frozen=True)
class Question:
    """`document_ids`: only about these; without any about all documents. Without `model` the organization's own
    answers, and without `depth` it reads as it needs.
    """

    text: str
    document_ids: Sequence[str] = ()
    model: str = ""
    depth: str = ""
    key: str = ""

    @property
    def request(self) -> ClientRequest:
        text = json.dumps([self.text.strip(), list(self.document_ids), self.model, *filter(None, [self.depth])])
        return ClientRequest(RESEARCH, [RequestedCall(RESEARCH, text)], self.key)


def ask(actor: Actor, *, client: McpClient, question: Question) -> Turn:
    """Queues the turn, or finds the one of the same question. Raises as `turns.start`, NotFound for a document that is
    not there, Denied where a rule keeps what it would read from MCP clients, and TooMany.
    """
    if len(question.key) > MAX_KEY:
        raise Invalid(f"The idempotency key has {len(question.key)} characters; {MAX_KEY} is the most.")
    _require_free_reading(client.thread)
    chats.check_writes(question.model)
    scope = check_scope(actor, {"document_ids": list(question.document_ids)})
    _require_documents(actor, question.document_ids)
    try:
        with feed.one_transaction():
            Thread.objects.select_for_update().get(pk=client.thread_id)  # one question of the client after the other
            if earlier := find_same(actor, question.request):
                return earlier
            _require_room(actor)
            thread = threads.create(actor, title=threads.title_from(question.text))
            turn = turns.start(
                actor,
                thread=thread,
                text=question.text,
                model=question.model,
                scope=scope,
                depth=question.depth,
                origin=Turn.Origin.API,
                only_reads=True,
                client=client,
            )
            record_request(actor, client, turn, question.request)
            return turn
    except IntegrityError:  # Another client of the token sent the same key at once.
        if earlier := find_same(actor, question.request):
            return earlier
        raise


def _require_documents(actor: Actor, document_ids: Sequence[str]) -> None:
    """An answer from some of those that were named would look like one from all."""
    known = Document.objects.for_org(actor.organization).filter(pk__in=document_ids).values_list("pk", flat=True)
    if missing := [each for each in document_ids if each not in set(known)]:
        more = f" and {len(missing) - 1:,} more" if len(missing) > 1 else ""
        raise NotFound(f"Document not found: “{missing[0][:60]}”{more}. list_documents gives the ids.")


def _require_free_reading(thread: Thread) -> None:
    """The agent reads with tools of its own: what a rule keeps from MCP clients they must not get through it."""
    reading = {EVERY_TOOL, *(tool.name for tool in registry if tool.is_read)}
    for rule in Policy(thread).rules:
        if rule.scope == Rule.Scope.MCP and rule.verdict != Rule.Verdict.ALLOW and rule.tool in reading:
            raise Denied(f"{rule.sentence_start} does not let MCP clients read freely, which research would.")


def _require_room(actor: Actor) -> None:
    live = McpRequest.objects.filter(token=actor.token, tool=RESEARCH, turn__status__in=Turn.LIVE).count()
    if live >= MAX_ASKED_AT_ONCE:
        raise TooMany(f"{live} questions of this token are being answered; {MAX_ASKED_AT_ONCE} is the most at once.")


def is_question(turn: Turn) -> bool:
    """Of the turns of MCP clients those that the agent answers."""
    return turn.origin != Turn.Origin.MCP


def find_answer(turn: Turn) -> Message | None:
    """The last message; None until there is one."""
    rows = turn.messages.filter(role=Message.Role.ASSISTANT, dropped_at=None, complete=True)
    return rows.select_related("turn", "thread__organization").order_by("-number").first()


def describe_step(turn: Turn) -> str:
    """What it does at present, such as "Searching documents (round 2)"."""
    tool = turn.calls.order_by("-round", "-position").values_list("tool", flat=True).first()
    doing = registry.find(tool).title if tool else "Waits for the agent" if turn.status == "queued" else "Thinks"
    return f"{doing} (round {turn.round + 1})"
