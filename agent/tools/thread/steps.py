"""The list of steps that the agent keeps for long work, where the person can see and edit it."""

from __future__ import annotations

from agent import steps as thread_steps
from agent.toolkit.registry import Result, ToolContext, tool
from kit.errors import Invalid


@tool(category="memory", access="read", title="Keep the steps", icon="i-list", is_rare=True, writes_thread=True)
def set_steps(context: ToolContext, steps: list[str] | None = None, done: list[int] | None = None) -> Result:
    """Keeps a list of steps for work of more than five; the person sees and edits it, and it is in the state.

    steps: all of them in order, in place of those before; without it they stay
    done: numbers of those that are done, counted from 1
    """
    texts = [step["text"] for step in context.thread.steps] if steps is None else steps
    finished = _check_numbers(done, len(texts)) if done is not None else _keep_done(context, steps)
    rows: list[thread_steps.Step] = [{"text": text, "done": at in finished} for at, text in enumerate(texts, 1)]
    kept = thread_steps.set_by_agent(context.thread, context.turn, rows)
    return {"steps": len(kept), "done": sum(step["done"] for step in kept)}


def _check_numbers(done: list[int], count: int) -> set[int]:
    if unknown := [number for number in done if not 0 < number <= count]:
        raise Invalid(f"There is no step {unknown[0]}: there are {count}.")
    return set(done)


def _keep_done(context: ToolContext, steps: list[str] | None) -> set[int]:
    """The numbers of the steps of a new list that were done before, by their words."""
    before = {step["text"] for step in context.thread.steps if step["done"]}
    texts = [step["text"] for step in context.thread.steps] if steps is None else steps
    return {at for at, text in enumerate(texts, 1) if " ".join(text.split()) in before}
