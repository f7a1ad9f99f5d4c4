"""The agent of an organization: the routes of `chat` and `threads` for threads that are about no document."""

from __future__ import annotations

from accounts.api.wire.fields import TrueOrFalse
from accounts.models import Role
from agent.api import chat, threads, wishes


class AgentChat(chat.Chat):
    """Say something to the agent about any documents of the organization, and wait for its answer or what it asks.

    Body, answers and events are those of a document's chat. `scope` and `mentions` say which documents are meant; a
    card for a document names it. Who may only read here can ask, and nothing is changed for them.
    """

    summaries = {"POST": "Talk to the agent about many documents"}
    roles = {"POST": Role.VIEWER}


class AgentApprove(chat.Approve):
    """As `chat/approve` of a document."""

    summaries = {"POST": "Decide calls of a turn without a document"}


class AgentTurn(chat.OneTurn):
    """As `chat/turns/{turn_id}` of a document."""

    summaries = {"GET": "Get or follow a turn without a document"}


class AgentTools(chat.ChatTools):
    """The agent's tools, as `chat/tools` of a document gives them."""

    summaries = {"GET": "List the agent's tools for many documents"}


class NewAgentThread(threads.NewThread):
    private = TrueOrFalse(required=False, default=False, help_text="Nobody but you reads it or decides its cards.")


class AgentThreads(threads.Threads):
    """Your own threads that are about no document, the newest first; or an empty new one, which every member may read
    unless it is `private`."""

    summaries = {"GET": "List your threads without a document", "POST": "Begin a thread without a document"}
    roles = {"GET": Role.VIEWER, "POST": Role.VIEWER}
    bodies = {"POST": NewAgentThread}


class AgentThread(threads.OneThread):
    """A thread with its newest messages. Every member may read one that is not private; its owner may delete it."""

    summaries = {"GET": "Get a thread without a document", "DELETE": "Delete a thread without a document"}
    roles = {"GET": Role.VIEWER, "DELETE": Role.VIEWER}


class AgentSteps(threads.Steps):
    """As `steps` of a thread about a document."""

    summaries = {
        "GET": "List the steps of a thread without a document",
        "PUT": "Write the steps of a thread without a document",
    }
    roles = {"GET": Role.VIEWER, "PUT": Role.VIEWER}


class AgentWishes(wishes.Wishes):
    """As `wishes` of a thread about a document."""

    summaries = {
        "GET": "List wishes of a thread without a document",
        "POST": "Add a wish to a thread without a document",
        "DELETE": "Clear the wishes of a thread without a document",
    }
    roles = {"GET": Role.VIEWER, "POST": Role.VIEWER, "DELETE": Role.VIEWER}


class AgentWish(wishes.OneWish):
    """As `wishes/{wish_id}` of a thread about a document."""

    summaries = {
        "PUT": "Change a wish of a thread without a document",
        "DELETE": "Remove a wish of a thread without a document",
    }
    roles = {"PUT": Role.VIEWER, "DELETE": Role.VIEWER}
