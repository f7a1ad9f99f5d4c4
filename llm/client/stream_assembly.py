"""Puts a streamed answer together. Providers differ in every detail of tool-call deltas; all forms here were seen."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field

from kit import sanitize
from kit.json_types import JsonObject
from llm.client.dialects.thoughts import ThoughtSplitter, split_unopened
from llm.client.pricing import NOTHING_CACHED, CachedTokens, estimate_min_tokens
from llm.client.types import WireCall

Raw = JsonObject
COUNTED_AT_ONCE = 1000
TOO_DEEP = "(JSON that is nested too deeply to be read)"


@dataclass
class _Call:
    index: int
    id: str = ""
    name: str = ""
    arguments: str = ""

    def is_whole(self) -> bool:
        try:
            return isinstance(sanitize.loads(self.arguments), dict)
        except ValueError:
            return False

    def is_summed_up_by(self, arguments: str) -> bool:
        """Whether a delta has all the arguments once more: some servers end a call so."""
        return self.is_whole() and _plain(arguments) == _plain(self.arguments)


@dataclass
class ToolCalls:
    """Merges tool-call deltas in the order in which the calls began."""

    _calls: list[_Call] = field(default_factory=list)

    def add(self, deltas: Iterable[Raw]) -> None:
        for delta in deltas:
            self._add(delta)

    def _add(self, delta: Raw) -> None:
        function = delta.get("function") or {}
        call_id, name = delta.get("id") or "", function.get("name") or ""
        arguments = _text(function.get("arguments"))
        index = delta.get("index") or 0
        call = self._find_continued(index, call_id, name, arguments)
        if any(call_id and call_id == known.id and known.is_summed_up_by(arguments) for known in self._calls):
            return
        if call is None:
            call = _Call(index=index)
            self._calls.append(call)
        call.id = call.id or call_id
        call.name = call.name or name
        call.arguments += arguments

    def _find_continued(self, index: int, call_id: str, name: str, arguments: str) -> _Call | None:
        """The call that this delta goes on with; None when it begins a new one."""
        same_index = [call for call in self._calls if call.index == index]
        if call_id:
            same_index = [call for call in same_index if call.id in ("", call_id)]
        elif not name and not same_index:
            return self._calls[-1] if self._calls else None
        if not same_index:
            return None
        last = same_index[-1]
        begins_again = bool(name) and ((name != last.name and bool(last.name)) or (bool(arguments) and last.is_whole()))
        return None if begins_again else last

    def collect(self) -> list[WireCall]:
        return [
            WireCall(sanitize.text(call.id), sanitize.text(call.name), _plain(call.arguments)) for call in self._calls
        ]


def read_written_text(delta: Raw) -> str:
    """Read the part of a tool call's delta that the model wrote."""
    function = delta.get("function") or {}
    return (function.get("name") or "") + _text(function.get("arguments"))


def _plain(arguments: str) -> str:
    """The arguments as rows can keep them. What is no JSON stays as it is: the caller says so to the model.

    Some servers write JSON into a text of JSON.
    """
    try:
        value = sanitize.loads(arguments) if arguments else ""
        if isinstance(value, str) and value.startswith("{"):
            value = sanitize.loads(value)
        return json.dumps(value, ensure_ascii=False) if arguments else ""
    except sanitize.TooDeep:
        return TOO_DEEP
    except ValueError:
        return sanitize.text(arguments)


def _text(arguments: object) -> str:
    """Some servers send the arguments as an object instead of text."""
    if arguments is None:
        return ""
    return arguments if isinstance(arguments, str) else json.dumps(arguments)


@dataclass
class ThinkingBlocks:
    """Signed thinking must go back to its provider letter by letter, so blocks are kept whole and in order."""

    _blocks: list[JsonObject] = field(default_factory=list)
    _open: bool = False

    def add(self, parts: Iterable[Raw]) -> None:
        for part in parts:
            if part.get("type") != "thinking":
                self._blocks.append(dict(part))
                self._open = False
                continue
            if not self._open:
                self._blocks.append({"type": "thinking", "thinking": "", "signature": ""})
            block = self._blocks[-1]
            block["thinking"] += part.get("thinking") or ""
            block["signature"] += part.get("signature") or ""
            self._open = not part.get("signature")

    def collect(self) -> list[JsonObject]:
        return self._blocks


@dataclass
class Collected:
    """Everything one stream has brought so far."""

    text: list[str] = field(default_factory=list)
    thinking: list[str] = field(default_factory=list)
    refusal: list[str] = field(default_factory=list)
    calls: ToolCalls = field(default_factory=ToolCalls)
    blocks: ThinkingBlocks = field(default_factory=ThinkingBlocks)
    extras: JsonObject = field(default_factory=dict)
    halves: dict[str, str] = field(default_factory=dict)
    finish_reason: str = ""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cached: CachedTokens = NOTHING_CACHED
    began: bool = False
    sent: bool = False
    thoughts: ThoughtSplitter = field(default_factory=ThoughtSplitter)
    is_overlong: bool = False
    chunks: int = 0
    counted: int = 0
    """Tokens of the output, by a low estimate; `uncounted` is the latest of it."""
    uncounted: str = ""

    def count(self, output: str) -> None:
        """Counts in pieces, since a delta ends anywhere."""
        self.uncounted += output
        if len(self.uncounted) >= COUNTED_AT_ONCE:
            self.counted += estimate_min_tokens(self.uncounted)
            self.uncounted = ""

    def exceeds(self, max_written: float) -> bool:
        """Chunks count too: they can be empty."""
        return max(self.counted, self.chunks // 8) > max_written

    @property
    def is_of_use(self) -> bool:
        """Whether it holds words, or the one call that an extraction asks for, although it was cut."""
        calls = [call.name for call in self.calls.collect()]
        return len(calls) == 1 and bool(calls[0]) if calls else bool("".join(self.text).strip())

    def split_words(self) -> tuple[str, str]:
        """(thoughts, what is said)."""
        thinking, text = "".join(self.thinking), "".join(self.text)
        return (thinking, text) if thinking else split_unopened(text)

    @property
    def written(self) -> str:
        """All that counts as output, for an estimate of tokens."""
        calls = [call.name + call.arguments_text for call in self.calls.collect()]
        return "".join([*self.thinking, *self.text, *self.refusal, *calls])

    def add_extras(self, fields: Raw) -> None:
        for name, value in fields.items():
            before = self.extras.get(name)
            self.extras[name] = before + value if isinstance(before, list) and isinstance(value, list) else value
