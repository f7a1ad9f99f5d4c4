"""A card as the page draws it: what would run, what it changes, and its outcome."""

from __future__ import annotations

import contextlib
import copy
import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import zip_longest
from typing import Any, TypeAlias
from zlib import crc32

from django.urls import reverse

from accounts.actor import Actor
from agent.calls import call_drafts, call_words, decisions, plans, undo
from agent.calls.chains import members
from agent.cards.crops import CropView, draw_newest_crop
from agent.models import Thread, ToolCall, Turn
from agent.outside.catalog import find_tool_of
from agent.policy import rules
from agent.policy.decision_rights import Barriers
from agent.policy.policy_context import Policy
from agent.toolkit.previews import Change, ChangeRow, FieldRow, Preview, argument_rows, name_outcome
from agent.toolkit.registry import Tool
from agent.toolkit.signatures import Arguments
from agent.toolkit.tool_kinds import Effect
from kit.errors import NotFound
from kit.http.undo_buttons import UndoButton
from kit.ids import new_id

Status = ToolCall.Status
MAX_JSON = 20_000
RUNNING = (Status.APPROVED, Status.EXECUTING)
ChainKey: TypeAlias = tuple[str, int, int | None]


@dataclass(frozen=True)
class CardContext:
    """What the cards of one thread share: who looks, which cards wait in which order, and the policy now.

    `policy` is None where nothing waits, and where the thread's owner has left. `plans` are the steps by turn, `chains`
    those of call chains by turn, round and chain.
    """

    actor: Actor
    waiting: list[str]
    touched_again: set[str]
    policy: Policy | None
    plans: dict[str, list[ToolCall]] = field(default_factory=dict)
    chains: dict[ChainKey, list[ToolCall]] = field(default_factory=dict)

    def list_steps(self, call: ToolCall) -> list[ToolCall]:
        """Of the plan or chain that the call is a step of."""
        return self.plans.get(call.turn_id, []) if call.planned_step else self.chains.get(get_chain_key(call), [])

    @cached_property
    def barriers(self) -> Barriers:
        return Barriers(self.actor)


@dataclass(frozen=True)
class Card:
    """`barred` says why this actor cannot decide it, `blocked` why nobody can approve it now, `outcome` and `problem`
    its outcome. `allows` are the scopes of an "always allow", `no_allow` says why there is none.

    `tone` is done, fail, doubt or quiet; `position` is "1 of 3" among the cards that wait, or "Step 1 of 3" of a plan.
    `uses` names the steps that a step builds on, `takes_along` those that are rejected with it.
    """

    key: str
    version: str
    call: ToolCall
    icon: str
    title: str
    subtitle: str
    preview: Preview
    crop: CropView | None
    effective: str
    waiting: bool
    running: bool
    outcome: str
    problem: str
    tone: str
    result: str
    idempotency_key: str
    barred: str = ""
    blocked: str = ""
    expiry: str = ""
    allows: tuple[str, ...] = ()
    no_allow: str = ""
    undone: str = ""
    may_undo: bool = False
    undo: UndoButton | None = None
    no_undo: str = ""
    may_resolve: bool = False
    position: str = ""
    uses: str = ""
    takes_along: str = ""
    kind: str = "card"
    row_crops: Sequence[CropView | None] = ()

    @property
    def changes(self) -> list[tuple[ChangeRow, CropView | None]]:
        """With where each stands on the pages, as far as that is shown."""
        return list(zip_longest(self.preview.get("changes", []), self.row_crops))

    @property
    def change(self) -> Change | None:
        return self.preview.get("change")

    @property
    def fields(self) -> list[FieldRow]:
        return self.preview.get("fields", [])

    @property
    def step_class(self) -> str:
        """How it is drawn as a step of a plan or of a call chain."""
        return " card-step card-link" if self.call.chain_step else " card-step" if self.call.planned_step else ""

    @property
    def is_final(self) -> bool:
        """Whether nothing takes it back once it ran. A tool that acts outside says so in a warning of its own."""
        tool = tool_of(self.call) if self.waiting else None
        return tool is not None and tool.inverse is None and tool.effect != Effect.EXTERNAL

    @property
    def by_rule(self) -> bool:
        """A standing rule let it run, so there is one to look at."""
        return self.call.allowed_by.startswith("a rule")


def get_chain_key(call: ToolCall) -> ChainKey:
    return call.turn_id, call.round, call.chain


def build_context(thread: Thread, actor: Actor, calls: list[ToolCall]) -> CardContext:
    """For the newest revisions of the thread's calls, in order."""
    waiting = [call.pk for call in calls if call.status == Status.PENDING]
    policy = None
    if waiting:
        with contextlib.suppress(NotFound):
            policy = Policy(thread)
    plans: dict[str, list[ToolCall]] = {}
    chains: dict[ChainKey, list[ToolCall]] = {}
    for call in calls:
        if call.planned_step:
            plans.setdefault(call.turn_id, []).append(call)
        if call.chain_step:
            chains.setdefault(get_chain_key(call), []).append(call)
    return CardContext(actor, waiting, undo.find_changed_again(calls), policy, plans, chains)


def draw_card(call: ToolCall, context: CardContext) -> Card:
    tool = tool_of(call)
    preview: Preview = call.preview or {"title": call.tool, "rows": argument_rows(call.effective or {})}
    pending = call.status == Status.PENDING
    title = name_outcome(preview, call.result) if call.status == Status.SUCCEEDED else preview.get("title")
    outcome, tone = call_words.describe_outcome(call, context.actor)
    if tool and tool.summary and call.result and "coverage" in call.result:
        outcome = f"{outcome} {tool.summary(call.effective or {}, call.result)}."
    waiting = context.waiting
    card = Card(
        key=f"call-{call.turn_id}-{call.round}-{call.position}",
        version="",
        call=call,
        icon=(tool.icon if tool else "i-braces").removeprefix("i-"),
        title=title or call.tool,
        subtitle=preview.get("subtitle", ""),
        preview=preview,
        crop=draw_newest_crop(preview.get("crop")) if pending else None,
        row_crops=[draw_newest_crop(row.get("crop")) for row in preview.get("changes", [])] if pending else (),
        effective=format_json(call.effective or {}),
        waiting=pending,
        running=call.status in RUNNING,
        outcome=outcome,
        tone=tone,
        problem=call_words.describe_problem(call),
        result=format_json(call.result or {}),
        idempotency_key=new_id(),
        expiry=call_words.describe_expiry(call),
        position=f"{waiting.index(call.pk) + 1} of {len(waiting)}" if pending and len(waiting) > 1 else "",
        **(_list_decision_options(call, context) if pending else _list_later_options(call, context, tool)),
    )
    if progress := call_words.describe_progress(call):
        card = replace(card, outcome=progress)
    if call.status == Status.APPROVED and call.thread.organization.agent_stopped:
        card = replace(card, running=False, outcome=call_words.describe_halt(call, context.actor))
    if call_words.get_step(call):
        card = _add_step_words(card, context)
    return replace(card, version=_hash_face(card))


def _add_step_words(card: Card, context: CardContext) -> Card:
    call, steps = card.call, context.list_steps(card.call)
    card = replace(card, position=call_words.describe_step(call, steps))
    before = _find_unfinished_before(call, steps)
    if call.status == Status.APPROVED and before:
        return replace(card, running=False, outcome=call_words.describe_queue(call, context.actor, before))
    if not card.waiting:
        return card
    if call.planned_step:
        used, later = plans.find_prerequisites(call, steps), plans.find_dependents(call, steps)
    else:
        used = [step for step in steps if step.chain_step in call.builds_on]
        later = members.find_dependents(call, steps)
    return replace(
        card,
        uses=call_words.name_steps(used) if used else "",
        takes_along=call_words.name_steps(later) if later else "",
    )


def _find_unfinished_before(call: ToolCall, steps: Sequence[ToolCall]) -> list[ToolCall]:
    if call.planned_step:
        return plans.find_unfinished_before(call, steps)
    return [step for step in members.find_foundations(call, steps) if step.status not in ToolCall.TERMINAL]


def draw_edited(call: ToolCall, actor: Actor, arguments: Arguments) -> Card:
    """The card as it would be with these arguments; nothing of it is stored. Raises what trying them raises."""
    plan, preview = decisions.simulate_edit(actor, call=call, arguments=arguments)
    edited = copy.copy(call)
    edited.effective, edited.reach, edited.preview = plan.arguments, plan.reach, dict(preview)
    edited.why_asks = call_drafts.reason_to_ask(plan.verdict.why or call.why_asks, preview)
    steps = plans.list_steps(call.turn) if call.planned_step else members.list_steps(call)
    return draw_card(edited, build_context(call.thread, actor, steps or [call]))


def title_of(call: ToolCall) -> str:
    return str(call.preview.get("title") or call.tool)


def _list_decision_options(call: ToolCall, context: CardContext) -> dict[str, Any]:
    """What this actor can do with a card that waits."""
    if (barred := context.barriers.to_decide(call)) or context.policy is None:
        return {"barred": barred}
    blocked = context.barriers.to_approve(call)
    if call.planned_step:
        return {"blocked": blocked}
    offers = rules.find_offers(context.actor, call=call, policy=context.policy)
    return {"blocked": blocked, "allows": offers.scopes, "no_allow": "" if blocked else offers.why_none}


def _list_later_options(call: ToolCall, context: CardContext, tool: Tool | None) -> dict[str, object]:
    """What this actor can do with a call that ran."""
    may = tool is not None and context.actor.may(tool.needed_role)
    if call.status == Status.IN_DOUBT:
        return {"may_resolve": may}
    if undone := call_words.describe_undo(call, context.actor):
        return {"undone": undone}
    # What automatic setup made is decided as a whole, on the card of its proposal.
    if call.status != Status.SUCCEEDED or not call.inverse or not may or call.turn.origin == Turn.Origin.HEADLESS:
        return {}
    again = call.pk in context.touched_again
    if again:
        return {"no_undo": "Changed again below: undo that first."}
    return {"may_undo": True, "undo": _make_undo(call, context.actor)}


def _make_undo(call: ToolCall, actor: Actor) -> UndoButton:
    """The key Z takes back what the reader has approved."""
    decisions = [each for each in call.decisions.all() if each.user_id == actor.user.pk]
    return UndoButton(
        address=reverse("call-undo", args=(actor.organization.pk, call.pk)),
        values={"idempotency_key": new_id()},
        key=f"call-{call.pk}" if decisions else "",
        since=int(decisions[-1].created_at.timestamp() * 1_000_000) if decisions else 0,
    )


def _hash_face(card: Card) -> str:
    """Differs when the page has to draw the card anew."""
    face = [card.barred, card.blocked, card.allows, card.no_allow, card.undone, card.may_undo, card.expiry]
    face += [
        card.outcome if card.running else "",
        card.uses,
        card.takes_along,
        card.running,
        card.call.shown_hash if card.call.chain_step else "",
    ]
    return f"{card.call.pk}-{card.call.status}-{card.position.replace(' ', '')}-{crc32(repr(face).encode()):x}"


def tool_of(call: ToolCall) -> Tool | None:
    try:
        return find_tool_of(call)
    except NotFound:
        return None


def format_json(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, indent=2)
    return text if len(text) <= MAX_JSON else f"{text[:MAX_JSON]}\n… ({len(text)} characters)"
