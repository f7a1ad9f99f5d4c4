"""One question to the model, whatever that can do: tools as such or in text, and a context that was too long."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from django.conf import settings

from agent.citations.repairs import CHECKED, ReplacementFilter
from agent.conversation import text_protocol
from agent.conversation.live_text import LiveText
from agent.conversation.model_input import context, pictures
from agent.conversation.model_input.history import CLOSE, answer_results
from agent.conversation.model_input.state import list_cache_ends
from agent.models import Turn
from agent.policy.offered_tools import describe_offered, list_usable
from agent.policy.turn_limits import turn_limit
from agent.policy.turn_time import count_seconds_left
from documents.reading.page_text import estimate_tokens
from kit import sanitize
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


def ask_model(turn: Turn, live: LiveText) -> ModelAnswer:
    """Asks the turn's model. Raises what `ask` raises, with the words that people may see as partial text."""
    return RoundRequest(turn, live).answer()


def ask_to_close(turn: Turn, live: LiveText, why: str) -> ModelAnswer:
    """The last answer of a turn that has come to a limit: without tools, from what it has read. Raises as `ask`."""
    request = RoundRequest(turn, live)
    return replace(request.close(CLOSE.format(why=why)), tool_calls=[])


@dataclass
class RoundRequest:
    turn: Turn
    live: LiveText
    as_text: bool = False
    tools: list[ToolSchema] = field(default_factory=list)
    is_repair: bool = False

    def __post_init__(self) -> None:
        turn = self.turn
        self.abilities = models_catalogue.find_abilities(turn.model)
        self.as_text = not self.abilities.calls_tools
        self._choose_tools()
        self.account = BudgetAccount(
            organization=turn.thread.organization,
            purpose="agent",
            subject_id=turn.pk,
            user=turn.started_by,
            limit=turn_limit(turn),
        )

    def _choose_tools(self) -> None:
        self.tools = describe_offered(self.turn, sees=self.abilities.sees, as_text=self.as_text)

    def _list_callable(self) -> list[ToolSchema]:
        """Also those that the request does not name: whoever knows one may call it."""
        return [tool.schema() for tool in list_usable(self.turn, sees=self.abilities.sees)]

    def answer(self) -> ModelAnswer:
        """Once more without tools for a model that takes none, and once more in half the room for one that is full."""
        messages = self._messages()
        try:
            return self._answer(messages)
        except ModelFailed as failure:
            if failure.code == "tools" and not self.as_text:
                self.as_text = True
                self._choose_tools()
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

    def close(self, words: str) -> ModelAnswer:
        """An answer after these words of ours, to a request that offers no tool."""
        asked: ChatMessage = {"role": "user", "content": words}
        messages = answer_results([*self._messages(), asked], self.turn.model)
        if not self.as_text:
            return self._ask(messages, self._choose_take(), seconds=CLOSE_SECONDS)
        sent = text_protocol.render_messages(messages, ())
        answer = self._ask(sent, self._show_words(), seconds=CLOSE_SECONDS)
        try:
            return _parse_answer(answer, tuple, sent)
        except text_protocol.Unreadable:
            return answer

    def _messages(self) -> list[ChatMessage]:
        messages = context.build_messages(self.turn, budget=self.turn.context_tokens or self.measure_budget())
        self.is_repair = any(str(each["content"]).startswith(CHECKED) for each in messages if each["role"] == "user")
        return messages

    def _choose_take(self) -> Callable[[Delta], None]:
        return ReplacementFilter(self.live.take).take if self.is_repair else self.live.take

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
            return self._in_text(messages) if self.as_text else self._ask(messages, self._choose_take(), self.tools)
        except (Cancelled, ModelFailed) as stopped:
            if self.as_text or self.is_repair:
                stopped.partial_text = self.live.text  # as it came it is half a JSON object, or sentences alone
            raise

    def _show_words(self) -> Callable[[Delta], None]:
        """Shows of an answer in JSON, while it comes, the words alone."""
        peek, take = text_protocol.Peek(), self._choose_take()

        def show(delta: Delta) -> None:
            for seen in peek.feed(delta.text) if delta.kind == "text" else [delta]:
                take(seen)

        return show

    def _in_text(self, messages: Sequence[ChatMessage]) -> ModelAnswer:
        """The answer read from JSON; after two repairs in vain the text itself is the answer."""
        sent = shown = text_protocol.render_messages(messages, self.tools)
        answer = self._ask(sent, self._show_words())
        for _ in range(REPAIRS):
            if answer.refused or answer.tool_calls:
                return answer
            try:
                return _parse_answer(answer, self._list_callable, shown)
            except text_protocol.Unreadable as problem:
                wrong = text_protocol.CUT if answer.truncated else str(problem)
                sent = [*sent, *text_protocol.repair_messages(answer.text, wrong)]
                answer = self._ask(sent, None)
        try:
            return _parse_answer(answer, self._list_callable, shown)
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


def _parse_answer(
    answer: ModelAnswer, list_tools: Callable[[], Sequence[ToolSchema]], shown: Sequence[ChatMessage]
) -> ModelAnswer:
    """Raises Unreadable where it is neither the object asked for nor calls in a form that other models write."""
    try:
        parsed = text_protocol.parse_answer(answer.text, ShownText(shown))
    except text_protocol.Unreadable:
        tools, plain = list_tools(), sanitize.strip_trailing_commas(answer.text)
        for text in dict.fromkeys([answer.text, plain]):
            called = read_calls(replace(answer, text=text), tools, shown)
            if called.tool_calls:
                return replace(called, provider_extras={})
        raise
    thinking = "\n\n".join(part for part in (answer.thinking, parsed.thinking) if part)
    return replace(answer, text=parsed.response, thinking=thinking, tool_calls=parsed.calls, provider_extras={})


def _halve_budget(turn: Turn, sent: Sequence[ChatMessage]) -> None:
    turn.context_tokens = max(context.MIN_TOKENS, min(turn.context_tokens or 10**9, context.tokens_in(sent)) // 2)
    Turn.objects.filter(pk=turn.pk, fence=turn.fence).update(context_tokens=turn.context_tokens)
