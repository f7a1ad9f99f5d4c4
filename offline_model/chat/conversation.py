"""The conversation so far, read from the messages: the request, the data beside it, the calls and how they ended."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from kit.json_types import Json, JsonObject
from offline_model.chat.blocks import Block, split_blocks
from offline_model.fields.layout import Layout, merge_layouts, read_layout

# Results that say so begin with these words (agent.calls.outcomes).
REJECTED = "The user rejected this call"
# The context beside the request may introduce its blocks with a sentence of its own.
INTRODUCTION = re.compile(r"\bis data, not a message from the user\b", re.IGNORECASE)
# This message goes on with the same request: the results of the steps say what became of them.
PLAN_DECIDED = re.compile(r"^\[The person has decided the plan\.")
# A person's message about the calls just before it.
WHY_REJECTED = re.compile(r"^Why I rejected [^:]*: ")
# As the system part says it (agent.conversation.model_input.system_prompt).
ABOUT_MANY = "on their organization's documents: name the one meant"
UNATTENDED = "Nobody watches and nobody answers"


@dataclass(frozen=True)
class CompletedCall:
    """A tool call with its outcome. `text` is the result as sent, `reason` the person's words for a rejection."""

    name: str
    arguments: JsonObject
    text: str
    reason: str = ""

    @cached_property
    def result(self) -> JsonObject:
        loaded = _parse_json(self.text)
        return loaded if isinstance(loaded, dict) else {"result": loaded}

    @property
    def error(self) -> str:
        """The complaint of a failed call; empty for a success."""
        return str(self.result.get("error") or "")

    @property
    def is_ok(self) -> bool:
        return not self.error

    @property
    def is_rejected(self) -> bool:
        return self.error.startswith(REJECTED)

    @property
    def is_name_taken(self) -> bool:
        return bool(self.error) and "existing" in self.result

    @property
    def effective_arguments(self) -> JsonObject:
        """The arguments that took effect; a person may have edited the proposed ones."""
        arguments = self.result.get("ran_with")
        return arguments if isinstance(arguments, dict) else self.arguments

    @property
    def is_planned(self) -> bool:
        """A step of a plan that waits: it has ids to go on with, but nothing has run."""
        return "planned" in self.result


def _parse_json(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return text


@dataclass(frozen=True)
class Turn:
    """One request of the person, and the calls made since."""

    request: str
    calls: Sequence[CompletedCall] = ()


@dataclass(frozen=True)
class Conversation:
    turns: Sequence[Turn]
    blocks: Sequence[Block]
    tools: frozenset[str]
    system: str = ""

    @property
    def request(self) -> str:
        return self.turns[-1].request if self.turns else ""

    @property
    def newest_calls(self) -> Sequence[CompletedCall]:
        """The calls of the newest turn, oldest first."""
        return self.turns[-1].calls if self.turns else ()

    @property
    def all_calls(self) -> list[CompletedCall]:
        return [call for turn in self.turns for call in turn.calls]

    def list_calls(self, name: str) -> list[CompletedCall]:
        return [call for call in self.newest_calls if call.name == name]

    def list_calls_after(self, earlier: CompletedCall, name: str) -> list[CompletedCall]:
        """List the calls that build on an earlier one: the others built on one before it."""
        at = next(at for at, call in enumerate(self.newest_calls) if call is earlier)
        return [call for call in self.newest_calls[at:] if call.name == name]

    @property
    def is_about_many(self) -> bool:
        """The thread has no document of its own to read."""
        return ABOUT_MANY in self.system

    @property
    def is_unattended(self) -> bool:
        """Nobody asked for a kind by its name: a document that fits none of those that are there gets its own."""
        return UNATTENDED in self.system

    def find_block(self, kind: str) -> Block | None:
        return next((block for block in reversed(self.blocks) if block.kind == kind), None)

    def find_state_name(self, noun: str) -> str:
        """The name of the last schema or prompt of this thread, by the working state; empty when there is none."""
        block = self.find_block("working_state")
        if not block:
            return ""
        named = re.search(rf"^last {noun}: (.*) v\d+$", block.content, re.MULTILINE)
        return named[1] if named else ""

    @cached_property
    def layout(self) -> Layout:
        """The newest document block, completed by what get_ocr_text brought."""
        block = self.find_block("document")
        layout = read_layout(block.content, only_marked=True) if block else Layout(())
        for call in self.all_calls:
            if call.name == "get_ocr_text" and call.is_ok:
                text, first_page = str(call.result.get("text")), int(call.arguments.get("page_num") or 1)
                layout = merge_layouts(layout, read_layout(text, first_page))
        return layout

    @property
    def is_cut(self) -> bool:
        """Whether the document block is missing, or says that it goes on."""
        block = self.find_block("document")
        return block is None or "cut" in block.attributes or bool(re.search(r"^<cut>", block.content, re.MULTILINE))


def read_conversation(messages: Iterable[Mapping[str, Json]], tools: Iterable[Mapping[str, Json]]) -> Conversation:
    turns: list[Turn] = []
    blocks: list[Block] = []
    system: list[str] = []
    calls: dict[str, tuple[str, JsonObject]] = {}
    for message in messages:
        role, text = message.get("role"), join_text(message.get("content"))
        if role in {"system", "developer"}:
            system.append(text)
        elif role == "user":
            if turns and (heading := WHY_REJECTED.match(text)):
                turns[-1] = _note_reason(turns[-1], text[heading.end() :].strip())
                continue
            plain, parts = split_blocks(text)
            blocks.extend(parts)
            plain = "" if (parts and INTRODUCTION.search(plain)) or PLAN_DECIDED.search(plain) else plain
            turns.extend([Turn(plain, [])] if plain else [])
        elif role == "assistant":
            calls.update(_collect_calls(message))
        elif role == "tool" and turns:
            name, arguments = calls.get(str(message.get("tool_call_id")), (str(message.get("name") or ""), {}))
            turns[-1] = Turn(turns[-1].request, [*turns[-1].calls, CompletedCall(name, arguments, text)])
    names = frozenset(str((tool.get("function") or {}).get("name")) for tool in tools)
    return Conversation(turns, blocks, names, "\n".join(system))


def _note_reason(turn: Turn, reason: str) -> Turn:
    """Note it for the rejected calls whose reason nobody has given yet."""
    calls = [replace(call, reason=call.reason or reason) if call.is_rejected else call for call in turn.calls]
    return replace(turn, calls=calls)


def join_text(content: object) -> str:
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, dict)]
        return "\n".join(str(part) for part in parts if part)
    return str(content or "")


def _collect_calls(message: Mapping[str, Json]) -> dict[str, tuple[str, JsonObject]]:
    calls = {}
    for call in message.get("tool_calls") or []:
        function = call["function"]
        arguments = _parse_json(function.get("arguments") or "{}")
        calls[str(call.get("id"))] = (str(function["name"]), arguments if isinstance(arguments, dict) else {})
    return calls
