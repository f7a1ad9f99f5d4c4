"""What a process does until it is killed. Imported by the fork server, so that a new one begins at once.

The tools here dawdle at every step, so that a kill can land anywhere, also between prepare and apply.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping
from functools import partial

import django
from django.apps import apps

if not apps.ready:
    django.setup()

from django.conf import settings
from django.db import connection

from accounts.services import audit
from agent.calls import execution
from agent.toolkit.registry import Result, ToolContext, tool
from agent.turns import headless, loop, sweep
from documents import bulk, extractions
from documents.bulk import answering
from documents.index.words import indexing
from documents.reading import reading, slices
from documents.reading.lanes import Lane
from llm.client.litellm_loader import litellm

# Imported before the fork: it takes seconds, which each victim would spend anew.
litellm()
chance = random.Random()


def dawdle(maximum: float) -> None:
    time.sleep(chance.random() * maximum)


def _effect(context: ToolContext, text: str) -> Result:
    dawdle(0.004)
    audit.record(context.actor, "chaos", context.thread, call_id=context.call_id, text=text)
    dawdle(0.004)
    return {"done": text}


def chaos_local(context: ToolContext, text: str) -> Result:
    """Does it in one step.

    text: what to do
    """
    return _effect(context, text)


def _apply(context: ToolContext, draft: Result) -> Result:
    return _effect(context, draft["text"])


def chaos_prepared(context: ToolContext, text: str) -> Result:
    """Does it in two steps.

    text: what to do
    """
    dawdle(0.08)
    if chance.random() < 0.05:
        time.sleep(0.6)  # long enough to be taken for dead: what it does then must roll back
    return {"text": text}


def offer_tools() -> None:
    """Not when this is imported: other tests look at all the tools there are."""
    tool(category="document", access="write", title="Do it at once")(chaos_local)
    prepared = {"access": "costly", "effect": "prepared", "title": "Do it in two steps", "cost": "nothing real"}
    tool(category="extraction", apply=_apply, **prepared)(chaos_prepared)


def set_up(holder: str) -> None:
    """Turns, calls, extractions and what comes between, in any order."""
    while True:
        headless.sweep()
        calls = list(sweep.find_runnable_calls().values_list("pk", flat=True)[:4])
        steps = [lambda: loop.run_next_round(holder=holder), lambda: extractions.run_next(holder=holder)]
        steps += [lambda call_id=call_id: execution.execute(call_id, holder=holder) for call_id in calls]
        chance.shuffle(steps)
        did = [step() for step in steps]
        if not calls and not any(did):
            connection.close()
            time.sleep(0.02)


def read(holder: str) -> None:
    """A page of a scan at a time, so that there are many slices to be killed in."""
    slices.SLICE_MS[Lane.SCANS] = 0
    while True:
        if not reading.read_next(holder=holder):
            connection.close()
        dawdle(0.02)


def change_many(holder: str) -> None:
    """Bulk actions, an item after the other."""
    while True:
        if not bulk.run_next(holder=holder):
            connection.close()
        dawdle(0.02)


def tell_ends(holder: str) -> None:
    """Bulk actions, and the turns that sleep until they have ended."""
    with connection.execute_wrapper(_be_late):
        while True:
            if not bulk.run_next(holder=holder):
                connection.close()
            sweep.run_once()
            dawdle(0.02)


def answer_many(holder: str) -> None:
    """Documents that are asked a question, and the call that waits for them."""
    while True:
        calls = list(sweep.find_runnable_calls().values_list("pk", flat=True)[:1])
        steps: list[Callable[[], object]] = [answering.answer_next, lambda: bulk.run_next(holder=holder)]
        if calls and chance.random() < 0.3:
            steps.append(partial(execution.execute, calls[0], holder=holder))
        chance.choice(steps)()
        connection.close()
        dawdle(0.02)


def index(holder: str) -> None:
    """Words of documents, each statement a little late: so most kills land inside a transaction."""
    with connection.execute_wrapper(_be_late):
        while True:
            if not indexing.index_waiting():
                connection.close()
            dawdle(0.02)


def _be_late(execute: Callable[..., object], *arguments: object) -> object:
    dawdle(0.002)
    return execute(*arguments)


def work(kind: str, seed: int, given: Mapping[str, object]) -> None:
    """`kind` is calls, turns for both, setups for all that an agent worker does, bulk, ends, answers, readings or
    index."""
    chance.seed(seed)
    for name, value in given.items():
        setattr(settings, name, value)
    if kind == "readings":
        read(f"victim {seed}")
    if kind == "index":
        index(f"victim {seed}")
    if kind == "answers":
        answer_many(f"victim {seed}")
    if kind == "ends":
        tell_ends(f"victim {seed}")
    if kind == "bulk":
        change_many(f"victim {seed}")
    if kind == "setups":
        set_up(f"victim {seed}")
    offer_tools()
    while True:
        calls = list(sweep.find_runnable_calls()[:8])
        chance.shuffle(calls)
        for call in calls[:1]:
            execution.execute(call.pk, holder=f"victim {seed}")
        turns = list(sweep.find_runnable_turns()[:4]) if kind == "turns" else []
        for turn in turns[:1]:
            loop.run_round(turn.pk, holder=f"victim {seed}")
        if not calls and not turns:
            connection.close()
            time.sleep(0.02)
