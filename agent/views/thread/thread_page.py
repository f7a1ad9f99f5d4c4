"""A thread as a page shows it: what was said, what ran, the cards, and the text under way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from django.db.models import Min, Prefetch

from accounts.actor import Actor
from accounts.models import Role
from agent.cards.cards import Card, CardContext, build_context, draw_card
from agent.cards.chain_ends import build_chain_end, build_chain_undo
from agent.citations.checked_answers import has_doubts, mark_doubts
from agent.citations.sentences import strip_markers
from agent.conversation.model_input.history import BY_CONNECTION
from agent.conversation.threads import is_own
from agent.models import Decision, Message, Thread, ThreadSummary, ToolCall, Turn
from agent.toolkit.registry import END_TURN
from agent.toolkit.tool_kinds import READS
from agent.turns.turn_views import RUNS
from agent.views.thread import chips
from agent.views.thread.chips import Chip
from agent.views.thread.cited_answers import build_check, offer_full_pass, offer_rest, present_answers
from agent.views.thread.plan_heads import build_chain_head, build_head, join_chains
from agent.views.thread.ran_rows import add_costs, build_ran_row, join_rows
from agent.views.thread.running import Running, build_running
from agent.views.thread.thread_items import (
    AgentText,
    Item,
    PlanHead,
    RanCalls,
    SummaryNote,
    Task,
    build_user_text,
)
from agent.views.thread.turn_ends import WORKING, build_changes, build_end
from documents.find.scopes import Scope
from kit.processes import heartbeats

Status = ToolCall.Status
MAX_NEWEST = 50


@dataclass
class ConversationView:
    """`first` is the number of the first message shown, `earlier` how many stand before it.

    `plan` is the one whose steps are all that waits.
    """

    thread: Thread
    first: int = 0
    earlier: int = 0
    items: list[Item] = field(default_factory=list)
    live: Turn | None = None
    running: Running | None = None
    waiting: int = 0
    plan: PlanHead | None = None
    may_decide: bool = False
    spent_micros: int = 0
    turn_id: str = ""
    turn_micros: int = 0
    limit_micros: int = 0
    may_say: bool = False
    may_resume: bool = False
    is_of_client: bool = False

    @property
    def seq(self) -> int:
        return self.thread.last_seq

    @property
    def plan_words(self) -> str:
        """What one decision for all that waits decides."""
        if self.plan is None:
            return "all"
        if self.plan.is_chain:
            return "all steps" if self.plan.waiting == self.plan.steps else "the rest"
        return "plan" if self.plan.waiting == self.plan.steps else "the rest"

    @property
    def waiting_version(self) -> str:
        """Changes with every card that waits."""
        return f"{self.waiting}-" + "".join(
            item.version for item in self.items if isinstance(item, Card) and item.waiting
        )

    @property
    def is_live(self) -> bool:
        """Something goes on, or can go on by somebody else's decision: a page without a socket asks again."""
        return self.live is not None and self.live.status != Turn.Status.PAUSED


def build_conversation(thread: Thread, actor: Actor, *, since: int | None = None) -> ConversationView:
    """The thread for this actor from message number `since` on, in a handful of queries whatever its length.

    Without `since` the newest messages, from the beginning of a turn.
    """
    messages, first, earlier = _find_window(thread, since)
    turns = _turns_of(thread, messages)
    view = ConversationView(thread=thread, first=first, earlier=earlier)
    view.may_say = is_own(actor, thread)
    view.may_resume = view.may_say or actor.may(Role.ADMIN)
    view.is_of_client = bool(turns) and turns[-1].origin == Turn.Origin.MCP
    view.live = next((turn for turn in turns if turn.status in Turn.LIVE), None)
    view.spent_micros = sum(thread.turns.values_list("spent_micros", flat=True))
    view.turn_micros = turns[-1].spent_micros if turns else 0
    view.turn_id = turns[-1].pk if turns else ""
    view.limit_micros = view.live.limit_micros if view.live else 0
    calls = _newest_revisions(thread, turns)
    view.waiting = sum(1 for call in calls if call.status == Status.PENDING)
    items = list(join_rows(_build_items(thread, actor, turns, messages, calls)))
    view.items = add_costs(present_answers(thread, items), turns)
    view.running = build_running(view.live, calls)
    if view.may_say and view.live is None:
        view.items = offer_full_pass(offer_rest(view.items, calls), actor, turns)
    heads = [item for item in view.items if isinstance(item, PlanHead) and item.waiting]
    view.plan = next((head for head in heads if head.waiting == view.waiting), None)
    view.may_decide = any(isinstance(item, Card) and item.waiting and not item.barred for item in view.items)
    return view


def find_earlier(thread: Thread, number: int) -> int:
    """The number from which a page shows so many messages more than it did from `number` on."""
    before = thread.messages.filter(dropped_at=None, number__lt=number).order_by("-number")
    return _turn_start(thread, before.values_list("number", "turn_id")[:MAX_NEWEST])


def _find_window(thread: Thread, since: int | None) -> tuple[list[Message], int, int]:
    """(the messages to show, the number of the first, how many stand before it)."""
    standing = thread.messages.filter(dropped_at=None).order_by("number")
    if since is None:
        newest = list(standing.order_by("-number").values_list("number", "turn_id")[: MAX_NEWEST + 1])
        since = _turn_start(thread, newest[:-1]) if len(newest) > MAX_NEWEST else 0
    return list(standing.filter(number__gte=since)), since, standing.filter(number__lt=since).count()


def _turn_start(thread: Thread, numbered: Iterable[tuple[int, str]]) -> int:
    """The number of the first message in the turn of the last pair (number, turn id), so that no turn is cut."""
    last = list(numbered)[-1:]
    bounds = thread.messages.filter(turn_id=last[0][1], dropped_at=None).aggregate(first=Min("number")) if last else {}
    return bounds.get("first") or 0


def _turns_of(thread: Thread, messages: list[Message]) -> list[Turn]:
    """The turns of these messages, and the live one."""
    shown = {message.turn_id for message in messages}
    turns = [turn for turn in thread.turns.order_by("number") if turn.pk in shown or turn.status in Turn.LIVE]
    for turn in turns:
        turn.thread = thread
    return turns


def _newest_revisions(thread: Thread, turns: list[Turn]) -> list[ToolCall]:
    """The calls in order; of a card that was made anew only its newest revision."""
    decisions = Prefetch("decisions", Decision.objects.select_related("user").order_by("created_at"))
    by_turn = {turn.pk: turn for turn in turns}
    newest: dict[tuple[str, int, int], ToolCall] = {}
    rows = thread.calls.filter(turn__in=turns, undoes=None).select_related("undone_by")
    rows = rows.prefetch_related(decisions, "undone_by__decisions__user")
    for call in rows.order_by("turn__number", "round", "position", "version"):
        call.thread, call.turn = thread, by_turn[call.turn_id]
        newest[call.turn_id, call.round, call.position] = call
    return list(newest.values())


def _build_items(
    thread: Thread, actor: Actor, turns: list[Turn], messages: list[Message], calls: list[ToolCall]
) -> Iterator[Item]:
    context = build_context(thread, actor, calls)
    named = chips.build_chips(thread, messages)
    shortened = _list_summaries(thread, turns)
    for turn in turns:
        own = [message for message in messages if message.turn_id == turn.pk]
        for message in own:
            while shortened and shortened[0][0].created_at < message.created_at:
                yield shortened.pop(0)[1]
            if turn.origin == Turn.Origin.HEADLESS and message.role == Message.Role.USER:
                yield _build_task(turn, message)
                continue
            own_calls = [call for call in calls if call.message_id == message.pk]
            yield from _message_items(message, own_calls, context, named.get(message.pk, []), turn.scope)
        while shortened and shortened[0][0].turn_id == turn.pk:
            yield shortened.pop(0)[1]
        if turn.status not in WORKING:
            yield from build_changes(turn, calls)
        yield from build_end(turn, own, is_away=_waits_for_worker(turn, calls) and heartbeats.is_away("agent"))


def _list_summaries(thread: Thread, turns: list[Turn]) -> list[tuple[ThreadSummary, SummaryNote]]:
    summaries = list(thread.summaries.filter(turn__in=turns).order_by("upto"))
    numbers = list(thread.messages.filter(dropped_at=None).values_list("number", flat=True)) if summaries else []
    return [
        (
            row,
            SummaryNote(
                key=f"shortened-{row.pk}",
                messages=sum(number <= row.upto for number in numbers),
                before=row.tokens_before,
                after=row.tokens_after,
            ),
        )
        for row in summaries
    ]


def _message_items(
    message: Message, calls: list[ToolCall], context: CardContext, named: list[Chip], scope: Scope
) -> Iterator[Item]:
    text, thinking = _join_text(message, "text"), _join_text(message, "thinking")
    if has_doubts(message):
        text = mark_doubts(message).strip()
    elif not message.complete:  # which nobody checked: its short names of lines are no proof, and no words
        text = strip_markers(text)
    if message.role == Message.Role.USER:
        yield build_user_text(message, text, named, scope)
        return
    if text or thinking:
        yield AgentText(
            key=f"message-{message.pk}",
            text=text,
            thinking=thinking,
            thought_seconds=_count_thought_seconds(message),
            cut=_explain_cut(message),
            number=message.number,
            turn_id=message.turn_id,
            check=build_check(message),
            is_draft=bool(message.join_text("repair")),
        )
    ran = [call for call in calls if not _has_card(call) and call.tool != END_TURN]
    if ran:
        version = "-".join(call.status for call in ran)
        rows = [build_ran_row(call) for call in ran]
        yield RanCalls(f"ran-{message.pk}", rows, version, turn_id=message.turn_id)
    for call in join_chains([call for call in calls if _has_card(call)]):
        if call.planned_step == 1:
            yield build_head(context.plans[call.turn_id])
        if call.chain_step:
            yield from _draw_chain_step(call, context)
        else:
            yield draw_card(call, context)


def _draw_chain_step(call: ToolCall, context: CardContext) -> Iterator[Item]:
    chain = [step for step in context.list_steps(call) if _has_card(step)]
    yield from [build_chain_head(chain)] if call == chain[0] else []
    yield draw_card(call, context)
    if call == chain[-1]:
        yield from build_chain_end(chain) or build_chain_undo([draw_card(step, context) for step in chain])


def _explain_cut(message: Message) -> str:
    if message.complete:
        return ""
    return "The connection to the model was lost here." if BY_CONNECTION in message.blocks else "Stopped here."


def _build_task(turn: Turn, message: Message) -> Task:
    is_over = turn.status not in Turn.LIVE
    return Task(f"message-{message.pk}", _join_text(message, "text"), is_over, version="over" if is_over else "live")


def _count_thought_seconds(message: Message) -> int:
    return sum(block.get("seconds", 0) for block in message.blocks if block.get("type") == "thinking")


def _join_text(message: Message, kind: str) -> str:
    return "\n\n".join(block["text"] for block in message.blocks if block.get("type") == kind).strip()


def _has_card(call: ToolCall) -> bool:
    """Reads that nobody was asked about, and calls that could not even be shown, are rows."""
    was_shown = bool(call.why_asks) or call.status == Status.PENDING
    return was_shown or (call.access not in ("", *READS) and call.status not in (Status.INVALID, Status.DENIED))


def _waits_for_worker(turn: Turn, calls: list[ToolCall]) -> bool:
    return turn.status in WORKING or any(call.turn_id == turn.pk and call.status in RUNS for call in calls)
