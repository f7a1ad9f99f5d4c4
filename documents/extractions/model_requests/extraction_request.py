"""One window of pages to the model, and a checked result back."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeVar

from documents.extractions.draft import Note
from documents.extractions.model_requests.bare_schema import strip_format, strip_schema
from documents.extractions.model_requests.line_hints import add_lines, take_lines
from documents.extractions.model_requests.model_answers import (
    LastRow,
    Truncated,
    clear_value,
    get_answer_text,
    make_refusal,
    make_repair_messages,
    parse_answer,
    read_cut_answer,
)
from documents.extractions.model_requests.nullable_fields import allow_null
from documents.extractions.model_requests.request_messages import (
    DOCUMENT_AT,
    NO_PICTURES,
    PagePictures,
    add_to_last,
    drop_written_schema,
    go_on_after,
    make_messages,
)
from documents.extractions.model_requests.rules import ONLY_JSON, PROPOSED, RULES, TEXT_RULES, WRITTEN_SCHEMA
from documents.locate.leaves import LineHints
from documents.reading.page_text import MarkedText, estimate_tokens, make_data_block, neutralize_json
from documents.values import Schema
from documents.values.fields import find_result_problems, find_value_problems
from documents.values.required_names import relax_format
from kit.errors import Problem
from kit.json_types import Json, JsonObject
from llm import models_catalogue
from llm.client import (
    BudgetAccount,
    ChatMessage,
    ModelAnswer,
    ModelFailed,
    ModelRequest,
    ToolChoice,
    ToolSchema,
    ask,
    ask_longer,
)
from llm.client.failures import describe
from llm.client.providers import get_maker

T = TypeVar("T")
Mode = Literal["schema", "tool", "text"]
TOOL = "give_result"
SHOWS_SCHEMA = ("offline", "openai", "anthropic", "gemini")
"""Makers whose models read the schema that binds their answer. A server of one's own may bind by it alone."""
_MAX_REPORTED = 3


@dataclass(frozen=True)
class Result:
    """Values that fit the schema, the answer as it came, notes on what was left out, how long the answer was, and the
    lines that it names."""

    values: JsonObject
    raw: str
    notes: list[Note]
    output: int
    max_output: int
    lines: LineHints


@dataclass
class ModelUsage:
    """What all calls of one extraction used together."""

    cost_micros: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0

    def add(self, answer: ModelAnswer) -> None:
        self.cost_micros += answer.cost_micros
        self.prompt_tokens += answer.prompt_tokens
        self.completion_tokens += answer.completion_tokens


@dataclass
class ExtractionRequest:
    """The model and everything that stays the same from window to window.

    `is_proposed`: no person has accepted the instructions or the schema, so their words are data like the document's.
    """

    model: str
    instructions: str
    response_format: Json | None
    account: BudgetAccount
    is_proposed: bool = False
    cancelled: Callable[[], bool] | None = None
    spent: ModelUsage = field(default_factory=ModelUsage)
    modes: list[Mode] = field(default_factory=list)
    max_tokens: int = 0
    """Of an answer: as long as such answers were, and when one was cut as long as they may be."""

    def __post_init__(self) -> None:
        self.abilities = models_catalogue.find_abilities(self.model)
        self.sees, self.modes = self.abilities.sees, list_modes(self.abilities)
        self.response_format = allow_null(relax_format(self.response_format)) if self.response_format else None
        self._asked_format = add_lines(self.response_format) if self.response_format else None

    @property
    def schema(self) -> Schema:
        return self.response_format["json_schema"]["schema"] if self.response_format else {}

    @property
    def _asked_schema(self) -> Schema:
        return self._asked_format["json_schema"]["schema"] if self._asked_format else {}

    @property
    def _room_tokens(self) -> int:
        """An answer names each field of its schema: forms of few fields teach nothing of one with many."""
        return estimate_tokens(json.dumps(self._asked_schema)) if self.schema else 0

    def ask_for_text(self, document: str, pictures: PagePictures = NO_PICTURES) -> str:
        """The answer to a prompt without a schema."""
        return self._show(pictures, lambda shown: self._ask_for_text(document, shown))

    def ask_for_result(
        self, document: str, pictures: PagePictures = NO_PICTURES, *, after: LastRow | None = None
    ) -> Result:
        return self._show(pictures, lambda shown: self._ask_for_result(document, shown, after))

    def _show(self, pictures: PagePictures, ask_with: Callable[[PagePictures], T]) -> T:
        """Once more without pictures where all that was refused may be due to them: then none are shown any more."""
        if not self.sees or not pictures.files:
            return ask_with(NO_PICTURES)
        try:
            return ask_with(pictures)
        except ModelFailed as failure:
            if failure.code != "request":
                raise
        self.sees, self.modes = False, list_modes(self.abilities)
        return ask_with(NO_PICTURES)

    def _ask_for_text(self, document: str, pictures: PagePictures) -> str:
        answer = self._ask(ModelRequest(self.model, self._messages(document, pictures)), pictures)
        if answer.refused or not answer.text.strip():
            raise make_refusal(self.model, answer)
        return answer.text.strip()

    def _ask_for_result(self, document: str, pictures: PagePictures, after: LastRow | None) -> Result:
        messages = self._messages(document, pictures)
        if after:
            messages = go_on_after(messages, after)
        answer = self._ask_structured(messages, pictures)
        result = parse_answer(answer)
        if result is None and read_cut_answer(get_answer_text(answer)):
            raise self._note_cut(answer)  # Some servers do not say that they have cut it.
        lines = self.take_lines(result)
        if problems := self._problems(result):
            repair = [*messages, *make_repair_messages(answer, problems)]
            answer = self._ask_structured(repair, pictures)
            result = parse_answer(answer)
            lines = self.take_lines(result) or lines
            problems = self._problems(result)
        fitting, notes = self._keep_fitting(result, problems)
        return Result(fitting, get_answer_text(answer), notes, answer.completion_tokens, answer.max_tokens, lines)

    def take_lines(self, result: Json) -> LineHints:
        """Out of an answer, whole or cut."""
        return take_lines(result) if self._asked_format is not self.response_format else {}

    def _messages(self, document: str, pictures: PagePictures) -> list[ChatMessage]:
        rules, schema = (RULES, json.dumps(self._asked_schema, ensure_ascii=False)) if self.schema else (TEXT_RULES, "")
        if self.is_proposed:
            parts = [make_data_block("instructions", self.instructions)]
            parts += [make_data_block("schema", MarkedText(neutralize_json(schema), []))] if schema else []
            return make_messages(f"{rules}\n{PROPOSED}", "\n".join([*parts, document]), pictures)
        if not schema:
            return make_messages(f"{rules}\n\n{self.instructions}", document, pictures)
        instructions = f"Instructions:\n{self.instructions}{WRITTEN_SCHEMA}{schema}"
        return make_messages(f"{rules}\n\n{instructions}", document, pictures)

    def _ask_structured(self, messages: Sequence[ChatMessage], pictures: PagePictures) -> ModelAnswer:
        """In the best mode that the model takes; a mode that the provider does not accept is not tried again."""
        while True:
            try:
                return self._ask(self._request(self.modes[0], messages), pictures)
            except ModelFailed as failure:
                if failure.code not in ("request", "tools") or len(self.modes) == 1:
                    raise
                self.modes.pop(0)

    def _request(self, mode: Mode, messages: Sequence[ChatMessage]) -> ModelRequest:
        """Its schema is read once: a proposal's as data, so that no provider shows its words as its own."""
        if mode == "text":
            return ModelRequest(self.model, add_to_last(messages, ONLY_JSON))
        shows = not self.is_proposed and (mode == "tool" or get_maker(self.model) in SHOWS_SCHEMA)
        messages = drop_written_schema(messages) if shows else messages
        if mode == "schema" and self._asked_format:
            asked = self._asked_format if shows else strip_format(self._asked_format)
            return ModelRequest(self.model, messages, response_format=asked)
        chosen: ToolChoice = {"type": "function", "function": {"name": TOOL}}
        parameters = self._asked_schema if shows else strip_schema(self._asked_schema)
        tool: ToolSchema = {
            "type": "function",
            "function": {"name": TOOL, "description": "Hands over the values.", "parameters": parameters},
        }
        return ModelRequest(self.model, messages, tools=[tool], tool_choice=chosen)

    def _ask(self, request: ModelRequest, pictures: PagePictures) -> ModelAnswer:
        try:
            request = replace(request, max_tokens=self.max_tokens, room_tokens=self._room_tokens)
            request = replace(request, pictures={DOCUMENT_AT: pictures.files} if pictures.files else {})
            answer = ask(request, account=self.account, cancelled=self.cancelled)
            if answer.truncated and not read_cut_answer(get_answer_text(answer)):
                answer = self._ask_again(request, answer)
        except ModelFailed as failure:
            if failure.code == "context":
                raise Truncated(failure.sentence) from failure
            if failure.code == "broken" and read_cut_answer(failure.partial_text):
                raise Truncated(failure.sentence, failure.partial_text, is_broken=True) from failure
            raise
        self.spent.add(answer)
        if answer.truncated:
            raise self._note_cut(answer)
        if answer.refused:
            raise make_refusal(self.model, answer)
        return answer

    def _ask_again(self, request: ModelRequest, answer: ModelAnswer) -> ModelAnswer:
        """In place of a cut answer without a whole row. More room is no help where the server heeds none."""
        if answer.is_overlong:
            self.spent.add(answer)
            raise describe("overlong", self.model, max_tokens=answer.max_tokens)
        return ask_longer(request, answer, account=self.account, cancelled=self.cancelled)

    def _note_cut(self, answer: ModelAnswer) -> Truncated:
        self.max_tokens = answer.full_max_tokens
        return Truncated(
            f"The answer of {self.model} was cut off at its limit of {answer.max_tokens:,} tokens. "
            + ("Raise MODEL_MAX_TOKENS" if answer.max_tokens >= answer.full_max_tokens else "Raise the budget")
            + ", or ask for less.",
            text=get_answer_text(answer),
            output=answer.completion_tokens,
            max_output=answer.max_tokens,
        )

    def _problems(self, result: Json) -> list[Problem]:
        if not isinstance(result, dict):
            return [Problem("", "The answer is no JSON object.")]
        return find_result_problems(self.schema, result)

    def keep_fitting_fields(self, values: JsonObject) -> tuple[JsonObject, list[Note]]:
        """What fits of an answer that is not whole, field by field, and notes on what does not."""
        notes = _clear_misfits(
            values, [each for name, value in values.items() for each in find_value_problems(self.schema, name, value)]
        )
        kept = {name: value for name, value in values.items() if not find_value_problems(self.schema, name, value)}
        return kept, notes

    def _keep_fitting(self, result: Json, problems: Sequence[Problem]) -> tuple[JsonObject, list[Note]]:
        """What fits; each value that does not is emptied and noted. Raises ModelFailed when that is not enough."""
        notes = _clear_misfits(result, problems)
        if self._problems(result):
            # Of what was answered: by now a value that did not fit is missing.
            reasons = " ".join(problem.message for problem in problems[:_MAX_REPORTED])
            raise ModelFailed(f"The answer of {self.model} does not fit the schema: {reasons}", code="broken")
        return result, notes


def _clear_misfits(result: Json, problems: Sequence[Problem]) -> list[Note]:
    notes: list[Note] = []
    for problem in problems:
        if not isinstance(result, dict) or not problem.where:
            break
        notes.append({"where": problem.where, "reason": problem.message, "value": clear_value(result, problem.where)})
    return notes


def list_modes(abilities: models_catalogue.Abilities) -> list[Mode]:
    """Ways to ask for a result, the most reliable first."""
    modes: list[Mode] = ["schema"] if abilities.answers_schema else []
    return [*modes, "tool", "text"] if abilities.calls_tools else [*modes, "text"]
