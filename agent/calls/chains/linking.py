"""Which calls of one answer build on one another: those that say something else once the calls before them are done.

Each call was checked as things stand. Here each is checked again on top of the calls before it, which are done for a
moment and rolled back, with ids that they keep. Where the arguments or the reach differ, or only now fit, it builds on
the calls whose ids it names, or whose rows it goes on with; the calls that are joined so are a chain (ADR 21).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from agent.calls.call_checks import Plan
from agent.calls.call_drafts import Draft
from agent.calls.chains.members import roll_back, simulate_call
from agent.calls.chains.untried import refuse_unfounded_run
from agent.models import ToolCall, Turn
from agent.policy.policy_context import Policy
from kit.errors import AppError


def link_drafts(turn: Turn, drafts: Sequence[Draft], policy: Policy) -> None:
    """Fills and saves again what differs. The drafts are saved already, in the order of their positions."""
    start = next((at for at, draft in enumerate(drafts) if draft.takes_effect), len(drafts))
    _refuse_unfounded_runs(drafts[:start])
    if start >= len(drafts) - 1:
        return
    ids: dict[int, list[str]] = {}
    foundations: dict[int, set[int]] = {}
    with roll_back(turn):
        for draft in drafts[start:]:
            if refuse_unfounded_run(draft, drafts):
                continue
            earlier = [each for each in drafts if each.call.position in ids]
            first = draft.plan
            if earlier and draft.check_again(policy):
                foundations[draft.call.position] = _find_foundations(draft, first, earlier, ids)
            if draft.takes_effect:
                _simulate(draft, ids)
            if draft.plan is None:
                foundations.pop(draft.call.position, None)
    for chain in _join(foundations):
        _number(chain, drafts, foundations, ids)
    for draft in drafts[start:]:
        if draft.call.chain_step or draft.call.status == ToolCall.Status.INVALID:
            draft.call.save()


def _refuse_unfounded_runs(drafts: Sequence[Draft]) -> None:
    for draft in drafts:
        if refuse_unfounded_run(draft, drafts):
            draft.call.save()


def _simulate(draft: Draft, ids: dict[int, list[str]]) -> None:
    assert draft.plan  # noqa: S101 - it takes effect
    try:
        ids[draft.call.position] = simulate_call(draft.call, draft.plan.tool, draft.make_context())
    except AppError as error:
        draft.refuse(error)


def _find_foundations(
    draft: Draft, first: Plan | None, earlier: Sequence[Draft], ids: dict[int, list[str]]
) -> set[int]:
    assert draft.plan  # noqa: S101 - it was checked
    text = str([draft.plan.arguments, draft.plan.preconditions])
    named = {each.call.position for each in earlier if any(row_id in text for row_id in ids[each.call.position])}
    if named and first is None:
        return named
    before = first.preconditions if first else {}
    rows = {_place_of(key) for key, number in draft.plan.preconditions.items() if before.get(key) != number}
    same = {each.call.position for each in earlier if _is_any_inside(rows, map(_place_of, each.call.preconditions))}
    # What it rests on without a name, such as a tag that an earlier call puts on a prompt, can be any of them.
    return named | same or {each.call.position for each in earlier}


def _place_of(key: str) -> str:
    """What a precondition is about: a row, or a value in one. A row of a table stands for the whole table, whose other
    rows change their positions with it."""
    place = key.partition(" of ")[2] or key
    return place.rpartition("[")[0] if place.endswith("]") else place


def _is_any_inside(places: Iterable[str], others: Iterable[str]) -> bool:
    """Whether one of them is one of the others, or the one lies in the other."""
    return any(_is_inside(place, other) or _is_inside(other, place) for other in others for place in places)


def _is_inside(place: str, whole: str) -> bool:
    """An extraction as a whole is written `id:`, a value in it `id:rows[row].amount`."""
    beginnings = (whole,) if whole.endswith(":") else (f"{whole}.", f"{whole}[")
    return place == whole or place.startswith(beginnings)


def _join(foundations: dict[int, set[int]]) -> list[list[int]]:
    """The positions of each chain, in order."""
    chains: list[set[int]] = []
    for position, below in foundations.items():
        joined = {position} | below
        apart = [chain for chain in chains if not chain & joined]
        chains = [*apart, joined.union(*(chain for chain in chains if chain & joined))]
    return [sorted(chain) for chain in chains]


def _number(
    chain: list[int], drafts: Sequence[Draft], foundations: dict[int, set[int]], ids: dict[int, list[str]]
) -> None:
    by_position = {draft.call.position: draft.call for draft in drafts}
    steps = {position: step for step, position in enumerate(chain, start=1)}
    for position in chain:
        call = by_position[position]
        call.chain, call.chain_step = chain[0], steps[position]
        call.builds_on = sorted(steps[below] for below in foundations.get(position, ()))
        call.preassigned_ids = ids.get(position, [])
