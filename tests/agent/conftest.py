"""Small tools that stand for the real ones, and a worker that does all there is to do, in this process."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import connection

from accounts.actor import Actor
from accounts.models import AuditEntry, Organization
from accounts.services import audit
from agent.calls import execution, proposed_calls
from agent.calls.call_drafts import RequestedCall
from agent.calls.decisions import decide
from agent.calls.jobs import job_ends
from agent.conversation import threads
from agent.models import Message, Thread, ToolCall, Turn
from agent.toolkit.registry import Reach, Registry, Result, ToolContext, registry, tool
from agent.toolkit.tool_kinds import Access, Effect
from agent.turns import loop, turns
from documents.models import Document
from kit.errors import Conflict, Invalid
from kit.processes import heartbeats
from llm.client.litellm_loader import litellm
from tests.agent.chat import Chat
from tests.agent.outside_servers import outside  # noqa: F401
from tests.agent.tongues import InText, Native, Tongue
from tests.agent.turn_rows import Ask
from tests.conftest import ApiClient
from tests.scripted_model import MODEL, Reply, ScriptedModel


def look(context: ToolContext, word: str = "") -> Result:
    """Looks something up.

    word: what to look for
    """
    if word == "nothing":
        raise Invalid("There is nothing to look up. Name a word.")
    return {"found": word}


def note(context: ToolContext, text: str, key: str = "a") -> Result:
    """Writes a note on the document.

    text: what to write
    key: which note
    """
    if text == "taken":
        raise Conflict("A note with this text exists.")
    audit.record(context.actor, "noted", context.thread, text=text, key=key, call_id=context.call_id)
    if text == "half done":
        raise Invalid("This note cannot be finished.")
    context.remember(schema_revid=key)
    return {"noted": text, **({"unsure": {"text": "smudged"}} if text == "smudged" else {})}


def _versions(context: ToolContext, arguments: dict[str, Any]) -> dict[str, int]:
    return {f"note:{arguments.get('key', 'a')}": notes(key=arguments.get("key", "a")).count()}


def _reach(context: ToolContext, arguments: dict[str, Any]) -> Reach:
    return Reach.ORGANIZATION if arguments.get("key") == "shared" else Reach.DOCUMENT


def draft(context: ToolContext, text: str) -> Result:
    """Prepares a note, slowly, then writes it."""
    return {"text": text}


def _store(context: ToolContext, result: Result) -> Result:
    return note(context, result["text"])


def send(context: ToolContext, to: str) -> Result:
    """Sends something out."""
    audit.record(context.actor, "sent", context.thread, to=to)
    return {"sent": to}


def notes(**detail: str) -> Any:
    return AuditEntry.objects.filter(action="noted", **{f"detail__{name}": value for name, value in detail.items()})


@pytest.fixture(autouse=True)
def agent_is_there() -> None:
    heartbeats.record_heartbeat("agent", "test")


@pytest.fixture
def tools() -> Iterator[Registry]:
    functions = {
        look: tool(category="document", access=Access.READ, title="Look something up"),
        note: tool(
            category="document", access=Access.WRITE, title="Write a note", preconditions=_versions, reach=_reach
        ),
        draft: tool(
            category="extraction",
            access=Access.COSTLY,
            effect=Effect.PREPARED,
            title="Draft a note",
            cost="a model call",
            apply=_store,
        ),
        send: tool(category="definition", access=Access.EXTERNAL, effect=Effect.EXTERNAL, title="Send"),
    }
    for function, register in functions.items():
        register(function)
    yield registry
    for function in functions:
        registry.remove(function.__name__)


@pytest.fixture
def document(organization: Organization) -> Document:
    return Document.objects.create(
        organization=organization,
        name="invoice.pdf",
        sha256="0" * 64,
        size=1,
        media_type="application/pdf",
        file="none",
        state=Document.State.OCR_COMPLETED,
    )


@pytest.fixture
def thread(actor: Actor, document: Document, tools: Registry) -> Thread:
    return threads.create(actor, document=document)


def propose_all(thread: Thread, *calls: tuple[str, dict[str, Any]], **more: Any) -> list[ToolCall]:
    """The calls of a round that the model has asked for, in a turn that waits for them and has what `more` says."""
    turn = Turn.objects.create(
        thread=thread,
        number=thread.turns.count() + 1,
        model="none",
        max_rounds=10,
        limit_micros=1_000_000,
        round=1,
        status=Turn.Status.AWAITING_APPROVAL,
        code_version="test",
        **more,
    )
    message = Message.objects.create(
        thread=thread, turn=turn, number=Message.objects.count() + 1, round=1, role="assistant"
    )
    requested = [RequestedCall(name, json.dumps(arguments)) for name, arguments in calls]
    evidence = [proposed_calls.search_requested(turn, each) for each in requested]
    return proposed_calls.propose_round(turn, message=message, requested=requested, evidence=evidence)


@pytest.fixture
def propose(thread: Thread) -> Callable[..., list[ToolCall]]:
    """`propose(("note", {"text": "x"}), mode="auto")`: what the model asked for, as rows."""

    def make(*calls: tuple[str, dict[str, Any]], mode: str = "") -> list[ToolCall]:
        if mode:
            thread.mode = mode
            thread.save()
        return propose_all(thread, *calls)

    return make


def work_until_idle() -> None:
    """Runs every approved call and every queued turn until nothing is left to do."""
    while True:
        ready = list(ToolCall.objects.filter(status="approved").values_list("pk", flat=True))
        queued = list(Turn.objects.filter(status="queued").values_list("pk", flat=True))
        ended = list(job_ends.list_ended().values_list("pk", flat=True))
        if not ready and not queued and not ended:
            return
        for call_id in ended:
            job_ends.record_end(call_id)
        for call_id in ready:
            execution.execute(call_id, holder="test")
        for turn_id in queued:
            loop.run_round(turn_id, holder="test")


@pytest.fixture(scope="session")
def loaded_litellm() -> None:
    """As in a worker of the product: no turn counts the seconds of the import as its own."""
    litellm()


@pytest.fixture
def work(loaded_litellm: None) -> Callable[[], None]:
    return work_until_idle


@pytest.fixture
def do(actor: Actor, thread: Thread) -> Callable[..., ToolCall]:
    """`do("get_ocr_text", page_num=1)`: the call, approved where it asks, after it ran."""

    def run(name: str, /, *, approve: bool = True, **arguments: Any) -> ToolCall:
        (call,) = propose_all(Thread.objects.get(pk=thread.pk), (name, arguments))
        if call.status == "pending" and approve:
            seen_card = {"version": call.version, "shown_hash": call.shown_hash}
            decide(actor, call=call, kind="approved", idempotency_key="k1", **seen_card)
        if approve:
            execution.execute(call.pk, holder="test")
        call.refresh_from_db()
        Turn.objects.filter(pk=call.turn_id).update(status="completed")
        return call

    return run


@pytest.fixture
def worker(work: Callable[[], None], settings: Any) -> Iterator[None]:
    """Runs whatever there is to do, in a thread of its own, until the test ends. It may take its time."""
    settings.RUN_WAIT_SECONDS = 120
    ended = threading.Event()

    def until_the_end() -> None:
        while not ended.wait(0.02):
            work()
        connection.close()

    thread = threading.Thread(target=until_the_end)
    thread.start()
    yield
    ended.set()
    thread.join(120)


@pytest.fixture
def chat(api_as: Callable[[Actor], ApiClient], actor: Actor, document: Document) -> Chat:
    return Chat(api_as(actor), document)


@pytest.fixture
def ask(actor: Actor, thread: Thread, scripted_model: ScriptedModel) -> Ask:
    """`ask("hello", reply, …)`: a new turn, and what the model will answer."""

    def start(text: str, *replies: Reply, **more: Any) -> Turn:
        scripted_model.will(*replies)
        return turns.start(actor, thread=thread, text=text, **more)

    return start


@pytest.fixture(params=[Native(), InText()], ids=["native", "text"])
def tongue(request: pytest.FixtureRequest, settings: Any, scripted_model: ScriptedModel) -> Tongue:
    if request.param.as_text:
        settings.MODELS_WITHOUT_TOOLS = (MODEL,)
    chosen: Tongue = request.param
    return chosen
