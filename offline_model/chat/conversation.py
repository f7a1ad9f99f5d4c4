"""The conversation so far, read from the messages: the request, the data beside it, the calls and how they ended."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from kit.json_types import Json, JsonObject
from offline_model.chat.blocks import Block, split_blocks
from offline_model.fields.layout import Layout, merge_layouts, read_layout

REJECTED = re.compile(r"\b(rejected|declined|refused by|turned down)\b", re.IGNORECASE)
UNDECIDED = re.compile(
    r"\b(cancelled|canceled|expired|superseded|went on|denied|not allowed|nobody decided|not run|not known whether)\b",
    re.IGNORECASE,
)
# The context beside the request may introduce its blocks with a sentence of its own.
INTRODUCTION = re.compile(r"\bis data, not a message from the user\b", re.IGNORECASE)
ADVICE = re.compile(r"[\s.]*\b(?:Do not|Don't|Please do not) (?:propose|repeat|try)[^.]*\.?\s*$", re.IGNORECASE)
TAKEN = re.compile(r"\b(exists?|conflict|taken|already|in use|duplicate)\b", re.IGNORECASE)
REASONS = (
    re.compile(r"(?:reason(?: given| was)?|because|said|wrote|comment)\W{0,3}[:=]?\s*[“\"'](.+)[”\"']", re.I | re.S),
    re.compile(r"(?:reason(?: given| was)?|comment)\s*[:=]\s*(.+)", re.IGNORECASE | re.DOTALL),
    re.compile(r"[“\"](.+)[”\"]", re.DOTALL),
    re.compile(r"\bbecause (.+)", re.IGNORECASE | re.DOTALL),
)
# The same request goes on: the results of its steps say what became of them.
PLAN_DECIDED = re.compile(r"^\[The person has decided the plan\.")
# A person's message about the calls just before it.
WHY_REJECTED = re.compile(r"^Why I rejected [^:]*: ")
NO_REASON = re.compile(r"^(no reason|none\W*$|not given|without (a |any )?reason)", re.IGNORECASE)
# As the system part says it (agent.conversation.model_input.system_prompt).
ABOUT_MANY = "This thread is about no single document"


@dataclass(frozen=True)
class CompletedCall:
    """A tool call with what came of it. `text` is the result as sent, `spoken_reason` why a person rejected it."""

    name: str
    arguments: JsonObject
    text: str
    spoken_reason: str = ""

    @cached_property
    def result(self) -> JsonObject:
        loaded = _parse_json(self.text)
        return loaded if isinstance(loaded, dict) else {"result": loaded}

    @property
    def is_rejected(self) -> bool:
        if self.result.get("status") == "rejected" or self.result.get("rejected") is True:
            return True
        return bool(self._complaint and REJECTED.search(self._complaint))

    @property
    def error(self) -> str:
        """The complaint of a failed call; empty for a success."""
        return self._complaint

    @property
    def is_undecided(self) -> bool:
        return not self.is_rejected and bool(self._complaint and UNDECIDED.search(self._complaint))

    @property
    def is_name_taken(self) -> bool:
        has_other = "existing" in self.result or TAKEN.search(self.error)
        return bool(self.error and has_other) and not (self.is_rejected or self.is_undecided)

    @property
    def effective_arguments(self) -> JsonObject:
        """The arguments that took effect; a person may have edited the proposed ones."""
        arguments = self.result.get("ran_with")
        return arguments if isinstance(arguments, dict) else self.arguments

    @property
    def is_planned(self) -> bool:
        """A step of a plan that waits: it has ids to go on with, but nothing has run."""
        return "planned" in self.result

    @property
    def is_ok(self) -> bool:
        return not self._complaint and not self.is_rejected

    @property
    def _complaint(self) -> str:
        complaint = self.result.get("error") or (self.result.get("detail") if "status" in self.result else None)
        if isinstance(complaint, dict):
            complaint = complaint.get("message") or json.dumps(complaint)
        if not complaint and isinstance(self.result.get("result"), str) and REJECTED.search(self.result["result"]):
            complaint = self.result["result"]
        if not complaint and self.result.get("status") in {"rejected", "denied", "cancelled", "expired", "superseded"}:
            complaint = str(self.result.get("message") or self.result["status"])
        return str(complaint or "")

    @property
    def reason(self) -> str:
        """The person's own words for a rejection, empty when none were given."""
        if self.spoken_reason:
            return self.spoken_reason
        words = self.result.get("reason") or self.result.get("comment")
        if isinstance(words, str) and words.strip():
            return words.strip()
        for pattern in REASONS:
            match = pattern.search(ADVICE.sub("", self._complaint))
            if match and not NO_REASON.match(match.group(1).strip()):
                return match.group(1).strip(" .\"”“'")
        return ""


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
        """Those that build on an earlier one: what built on one before it is past."""
        at = next(at for at, call in enumerate(self.newest_calls) if call is earlier)
        return [call for call in self.newest_calls[at:] if call.name == name]

    @property
    def is_about_many(self) -> bool:
        """The thread has no document of its own to read."""
        return ABOUT_MANY in self.system

    def find_block(self, kind: str) -> Block | None:
        return next((block for block in reversed(self.blocks) if block.kind == kind), None)

    @property
    def extraction_block(self) -> Block | None:
        return self.find_block("current_extraction") or self.find_block("extraction")

    def find_state_id(self, noun: str) -> str:
        """The id of the last schema or prompt of this thread, by the working state; empty when there is none."""
        block = self.find_block("working_state")
        if not block:
            return ""
        named = re.search(rf"^last {noun}: .*\((\w+)\)$", block.content, re.MULTILINE)
        return named.group(1) if named else str(block.payload.get(f"{noun}_revid") or "")

    @cached_property
    def layout(self) -> Layout:
        """The newest document block, completed by what get_ocr_text brought."""
        block = self.find_block("document")
        layout = read_layout(block.content, only_marked=True) if block else Layout(())
        for call in self.all_calls:
            if call.name == "get_ocr_text" and call.is_ok:
                layout = merge_layouts(
                    layout, read_layout(_read_text(call.result), int(call.arguments.get("page_num") or 1))
                )
        return layout

    @property
    def is_cut(self) -> bool:
        """Whether the document block lacks pages or says that it is an excerpt."""
        block = self.find_block("document")
        if block is None:
            return True
        marks = {"excerpt", "cut", "truncated", "shortened"}
        is_marked = any(block.attributes.get(mark, "false") not in {"false", "no", "0", ""} for mark in marks)
        pages = block.attributes.get("pages", "")
        shown_pages = len(re.findall(r'^<page number="', block.content, re.MULTILINE))
        inside = re.search(r"^(<cut|\[?…|\[\.\.\.|\[cut)", block.content, re.MULTILINE)
        return is_marked or bool(inside) or (pages.isdigit() and shown_pages < int(pages))


def _read_text(result: JsonObject) -> str:
    """The text of an answer of get_ocr_text, whatever it is called there."""
    for key in ("text", "ocr_text", "content", "result", "pages"):
        content = result.get(key)
        if isinstance(content, str):
            return content
        if isinstance(content, list):
            return "\n".join(p if isinstance(p, str) else _read_text(p) for p in content if isinstance(p, (str, dict)))
    return ""


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
    """For the rejected calls whose reason nobody has given yet."""
    calls = [replace(call, spoken_reason=call.reason or reason) if call.is_rejected else call for call in turn.calls]
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
