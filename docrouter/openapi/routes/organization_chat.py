"""The operations of the agent of an organization: as those of a document's agent, with summaries of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from drf_spectacular.utils import OpenApiExample

from agent.api import chat, organization_chat, threads, wishes
from docrouter.openapi.notes import REFUSALS as OF_DOCUMENTS
from docrouter.openapi.notes import Route
from docrouter.openapi.routes import agent
from docrouter.openapi.routes.operations import Operation

_ASK = OpenApiExample(
    "A question",
    request_only=True,
    value={"messages": [{"role": "user", "content": "Which of these are unpaid?"}], "stream": False},
)
_ROUTES: Mapping[Route, tuple[Route, str]] = {
    (organization_chat.AgentChat, "POST"): ((chat.Chat, "POST"), "Talk to the agent about many documents"),
    (organization_chat.AgentApprove, "POST"): ((chat.Approve, "POST"), "Decide calls of a turn without a document"),
    (organization_chat.AgentTurn, "GET"): ((chat.OneTurn, "GET"), "Get or follow a turn without a document"),
    (organization_chat.AgentTools, "GET"): ((chat.ChatTools, "GET"), "List the agent's tools for many documents"),
    (organization_chat.AgentThreads, "GET"): ((threads.Threads, "GET"), "List your threads without a document"),
    (organization_chat.AgentThreads, "POST"): ((threads.Threads, "POST"), "Begin a thread without a document"),
    (organization_chat.AgentThread, "GET"): ((threads.OneThread, "GET"), "Get a thread without a document"),
    (organization_chat.AgentThread, "DELETE"): ((threads.OneThread, "DELETE"), "Delete a thread without a document"),
    (organization_chat.AgentWishes, "GET"): ((wishes.Wishes, "GET"), "List wishes of a thread without a document"),
    (organization_chat.AgentWishes, "POST"): ((wishes.Wishes, "POST"), "Add a wish to a thread without a document"),
    (organization_chat.AgentWishes, "DELETE"): (
        (wishes.Wishes, "DELETE"),
        "Clear the wishes of a thread without a document",
    ),
    (organization_chat.AgentWish, "PUT"): ((wishes.OneWish, "PUT"), "Change a wish of a thread without a document"),
    (organization_chat.AgentWish, "DELETE"): (
        (wishes.OneWish, "DELETE"),
        "Remove a wish of a thread without a document",
    ),
}


def _of_organization(alike: Route, summary: str) -> Operation:
    of_document = agent.OPERATIONS[alike]
    examples = [_ASK if each.name == "A question" else each for each in of_document.examples]
    return replace(of_document, summary=summary, examples=examples)


def _refusals_of(alike: Route) -> Mapping[int, Sequence[str]]:
    sentences = {status: list(each) for status, each in OF_DOCUMENTS.get(alike, {}).items()}
    kept = {status: [each for each in listed if each != "Document not found"] for status, listed in sentences.items()}
    return {status: listed for status, listed in kept.items() if listed}


OPERATIONS: Mapping[Route, Operation] = {route: _of_organization(*alike) for route, alike in _ROUTES.items()}
REFUSALS: Mapping[Route, Mapping[int, Sequence[str]]] = {
    route: _refusals_of(alike) for route, (alike, _) in _ROUTES.items()
}
