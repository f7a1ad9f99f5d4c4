"""Thoughts that stand in the text of an answer, in tags, told apart while they stream.

Servers of one's own often run a reasoning model without a parser for its thoughts. Its thoughts then come first, in
tags of its chat template. Some templates write the opening tag into the prompt, so that only the closing one comes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from llm.client.types import Delta

# DeepSeek, Qwen, Magistral, Kimi, Seed, gpt-oss, and what others are told to write.
TAGS = {
    "<think>": "</think>",
    "<thinking>": "</thinking>",
    "<thought>": "</thought>",
    "<reasoning>": "</reasoning>",
    "[THINK]": "[/THINK]",
    "◁think▷": "◁/think▷",
    "<seed:think>": "</seed:think>",
    "<|channel|>analysis<|message|>": "<|end|>",
}
# Templates open these in the prompt.
_UNOPENED = ("</think>", "</thinking>", "[/THINK]", "◁/think▷", "</seed:think>")
# Such a template writes these before the words for the person.
_FINAL = ("<|start|>assistant<|channel|>final<|message|>", "<|channel|>final<|message|>")


@dataclass
class ThoughtSplitter:
    """`feed` gives what is sure of the text so far, `end` the rest. Tags may be cut anywhere between two chunks.

    A thought is one only where the answer begins, or directly after another one: tags in the middle are quoted.
    """

    _pending: str = ""
    _closing: str = ""
    _begins: bool = True
    had_thought: bool = False

    def feed(self, text: str) -> list[Delta]:
        self._pending += text
        deltas: list[Delta] = []
        while self._begins and self._take(deltas):
            pass
        if not self._begins:
            deltas += self._release("text")
        return deltas

    def end(self) -> list[Delta]:
        return self._release("thinking" if self._closing else "text")

    def _take(self, deltas: list[Delta]) -> bool:
        """Goes one tag further. False when more text has to come first, or when the answer's own words begin."""
        return self._take_thought(deltas) if self._closing else self._take_opening()

    def _take_thought(self, deltas: list[Delta]) -> bool:
        thought, closing, after = self._pending.partition(self._closing)
        kept = 0 if closing else _count_begun(thought, self._closing)
        self._pending = after if closing else thought[len(thought) - kept :]
        if thought := thought[: len(thought) - kept]:
            deltas.append(Delta("thinking", thought))
        if closing:
            self._closing = ""
        return bool(closing)

    def _take_opening(self) -> bool:
        begins = self._pending.lstrip()
        for tag, closing in [*TAGS.items(), *((final, "") for final in _FINAL if self.had_thought)]:
            if begins.startswith(tag):
                self._pending, self._closing, self.had_thought = begins.removeprefix(tag), closing, True
                return bool(closing) or self._end_thoughts()
        if any(tag.startswith(begins) for tag in (*TAGS, *_FINAL)):
            return False
        if self.had_thought:
            self._pending = begins
        return self._end_thoughts()

    def _end_thoughts(self) -> bool:
        self._begins = False
        return False

    def _release(self, kind: Literal["text", "thinking"]) -> list[Delta]:
        text, self._pending = self._pending, ""
        return [Delta(kind, text)] if text else []


def _count_begun(text: str, tag: str) -> int:
    """Count the letters at the end of the text that may be the beginning of the tag."""
    return next((length for length in range(len(tag) - 1, 0, -1) if text.endswith(tag[:length])), 0)


def split_unopened(text: str) -> tuple[str, str]:
    """(thought, the rest) of an answer whose first tag closes a thought that none has opened.

    The tag has to end its line and may stand in no code: elsewhere an answer quotes it.
    """
    for closing in _UNOPENED:
        thought, tag, rest = text.partition(closing)
        is_code = thought.count("```") % 2 or thought.endswith(("`", '"', "'"))
        if tag and not is_code and (not rest or rest[0] in "\r\n"):
            return thought.strip(), rest.strip()
    return "", text
