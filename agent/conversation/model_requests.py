"""One question to the model, whatever that can do: tools as such or in text, and a context that was too long."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from django.conf import settings

from agent.conversation import text_protocol
from agent.conversation.live_text import LiveText
from agent.conversation.model_input import context, pictures
from agent.conversation.model_input.state import list_cache_ends
from agent.models import Turn
from agent.policy.offered_tools import describe_offered
from agent.policy.turn_limits import turn_limit
from agent.policy.turn_time import count_seconds_left
from documents.reading.page_text import estimate_tokens
from llm import models_catalogue
from llm.client import (
    Cancelled,
    ChatMessage,
    Delta,
    ModelAnswer,
    ModelFailed,
    ModelRequest,
    ToolSchema,
    ask_whole,
)
from llm.client.dialects.calls import read_calls
from llm.client.dialects.shown_text import ShownText
from llm.client.failures import describe
from llm.money.spending import BudgetAccount

REPAIRS = 2
# A longer wait that a provider asks for is the turn's and not this thread's.
MAX_WAIT_SECONDS = 2.0
MIN_BUDGET = 2000
CLOSE_SECONDS = 30.0
CLOSE = (
    "[{why} You can call no more tools. Answer the person now from what you have read, with its places, and say that "
    "you stopped early and what you did not look at.]"
)


def ask_model(turn: Turn, live: LiveText) -> ModelAnswer:
    """Asks the turn's model. Raises what `ask` raises, with the words that people may see as partial text."""
    return RoundRequest(turn, live).answer()


def ask_to_close(turn: Turn, live: LiveText, why: str) -> ModelAnswer:
    """The last answer of a turn that has come to a limit: without tools, from what it has read. Raises as `ask`."""
    request = RoundRequest(turn, live)
    messages: list[ChatMessage] = [*request._messages(), {"role": "user", "content": CLOSE.format(why=why)}]
    answer = request._ask(messages, live.take, seconds=CLOSE_SECONDS)
    return replace(answer, tool_calls=[])


@dataclass
class RoundRequest:
    turn: Turn
    live: LiveText
    as_text: bool = False
    tools: list[ToolSchema] = field(default_factory=list)

    def __post_init__(self) -> None:
        turn = self.turn
        self.abilities = models_catalogue.find_abilities(turn.model)
        self.as_text = not self.abilities.calls_tools
        self.tools = describe_offered(turn, sees=self.abilities.sees)
        self.account = BudgetAccount(
            organization=turn.thread.organization,
            purpose="agent",
            subject_id=turn.pk,
            user=turn.started_by,
            limit=turn_limit(turn),
        )

    def answer(self) -> ModelAnswer:
        """Once more without tools for a model that takes none, and once more in half the room for one that is full."""
        messages = self._messages()
        try:
            return self._answer(messages)
        except ModelFailed as failure:
            if failure.code == "tools" and not self.as_text:
                self.as_text = True
                models_catalogue.note_no_tools(self.turn.model)
            elif failure.code == "context":
                _halve_budget(self.turn, messages)
            else:
                raise
        messages = self._messages()
        try:
            return self._answer(messages)
        except ModelFailed as failure:
            if failure.code == "context":
                _halve_budget(self.turn, messages)  # so that going on later is not the same again
            raise

    def _messages(self) -> list[ChatMessage]:
        return context.build_messages(self.turn, budget=self.turn.context_tokens or self.measure_budget())

    def measure_budget(self) -> int:
        """The settings, or what a small model has room for beside the tools and its answer."""
        maximum = self.abilities.input_limit
        if maximum is None:
            return settings.CONTEXT_TOKENS
        beside = estimate_tokens(json.dumps(self.tools)) + min(settings.MODEL_MAX_TOKENS, maximum // 4)
        share = maximum * settings.CONTEXT_PERCENT // 100
        return max(MIN_BUDGET, min(max(settings.CONTEXT_TOKENS, share), maximum - beside))

    def _answer(self, messages: Sequence[ChatMessage]) -> ModelAnswer:
        try:
            return self._in_text(messages) if self.as_text else self._ask(messages, self.live.take, self.tools)
        except (Cancelled, ModelFailed) as stopped:
            if self.as_text:
                stopped.partial_text = self.live.text  # the text as it came is half a JSON object
            raise

    def _in_text(self, messages: Sequence[ChatMessage]) -> ModelAnswer:
        """The answer read from JSON; after two repairs in vain the text itself is the answer."""
        peek, sent = text_protocol.Peek(), text_protocol.render_messages(messages, self.tools)
        shown = sent

        def show(delta: Delta) -> None:
            for seen in peek.feed(delta.text) if delta.kind == "text" else [delta]:
                self.live.take(seen)

        answer = self._ask(sent, show)
        for _ in range(REPAIRS):
            if answer.refused or answer.tool_calls:
                return answer
            try:
                return _parse_answer(answer, self.tools, shown)
            except text_protocol.Unreadable as problem:
                wrong = text_protocol.CUT if answer.truncated else str(problem)
                sent = [*sent, *text_protocol.repair_messages(answer.text, wrong)]
                answer = self._ask(sent, None)
        try:
            return _parse_answer(answer, self.tools, shown)
        except text_protocol.Unreadable:
            return answer

    def _ask(
        self,
        messages: Sequence[ChatMessage],
        on_delta: Callable[[Delta], None] | None,
        tools: Sequence[ToolSchema] | None = None,
        seconds: float = 0,
    ) -> ModelAnswer:
        messages, drawn = pictures.draw(messages, self.turn.thread.organization)
        request = ModelRequest(
            model=self.turn.model,
            messages=messages,
            pictures=drawn,
            cache_ends=list_cache_ends(messages),
            tools=tools,
            deadline_seconds=seconds or count_seconds_left(self.turn, settings.MODEL_TIMEOUT_SECONDS),
            max_wait_seconds=MAX_WAIT_SECONDS,
        )
        answer = ask_whole(request, account=self.account, on_delta=on_delta, cancelled=self.live.is_over)
        if answer.is_overlong and (answer.tool_calls or self.as_text):
            # The same would be asked for, and paid for, once more.
            raise describe("overlong", self.turn.model, partial_text=self.live.text, max_tokens=answer.max_tokens)
        return answer


def _parse_answer(answer: ModelAnswer, tools: Sequence[ToolSchema], shown: Sequence[ChatMessage]) -> ModelAnswer:
    """Raises Unreadable where it is neither the object asked for nor calls in a form that other models write."""
    try:
        parsed = text_protocol.parse_answer(answer.text, ShownText(shown))
    except text_protocol.Unreadable:
        called = read_calls(answer, tools, shown)
        if not called.tool_calls:
            raise
        return replace(called, provider_extras={})
    thinking = "\n\n".join(part for part in (answer.thinking, parsed.thinking) if part)
    return replace(answer, text=parsed.response, thinking=thinking, tool_calls=parsed.calls, provider_extras={})


def _halve_budget(turn: Turn, sent: Sequence[ChatMessage]) -> None:
    turn.context_tokens = max(context.MIN_TOKENS, min(turn.context_tokens or 10**9, context.tokens_in(sent)) // 2)
    Turn.objects.filter(pk=turn.pk, fence=turn.fence).update(context_tokens=turn.context_tokens)
