"""Requests and replies in the shapes of OpenAI's chat completions."""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from kit.json_types import Json

CHARACTERS_A_TOKEN = 4
ARGUMENTS_A_CHUNK = 48
WORDS_A_CHUNK = 3


@dataclass(frozen=True)
class ChatRequest:
    messages: Sequence[Mapping[str, Json]]
    tools: Sequence[Mapping[str, Json]] = ()
    tool_choice: str | Mapping[str, Json] | None = None
    response_format: Mapping[str, Json] | None = None


@dataclass(frozen=True)
class Call:
    name: str
    arguments: Mapping[str, Json]

    @property
    def as_json(self) -> str:
        return json.dumps(self.arguments, ensure_ascii=False)


@dataclass(frozen=True)
class Reply:
    text: str = ""
    call: Call | None = None
    call_id: str = ""
    prompt_tokens: int = 0
    completion_tokens: int = 0

    @property
    def finish_reason(self) -> str:
        return "tool_calls" if self.call else "stop"

    def text_chunks(self) -> Iterator[str]:
        pieces = re.findall(r"\s*\S+\s*?", self.text) or ([self.text] if self.text else [])
        for at in range(0, len(pieces), WORDS_A_CHUNK):
            yield "".join(pieces[at : at + WORDS_A_CHUNK])

    def argument_chunks(self) -> Iterator[str]:
        whole = self.call.as_json if self.call else ""
        for at in range(0, len(whole), ARGUMENTS_A_CHUNK):
            yield whole[at : at + ARGUMENTS_A_CHUNK]


def estimate_tokens(text: str) -> int:
    """An estimate, four characters a token: rules have no tokenizer."""
    return -(-len(text) // CHARACTERS_A_TOKEN)


def make_reply(request: ChatRequest, text: str, call: Call | None) -> Reply:
    """The reply with its estimated usage and a call id that is the same for the same conversation."""
    prompt = json.dumps([list(map(dict, request.messages)), list(map(dict, request.tools))], default=str)
    reply_text = text + (call.as_json if call else "")
    digest = hashlib.sha256((prompt + reply_text).encode()).hexdigest()
    return Reply(text, call, f"call{digest[:20]}" if call else "", estimate_tokens(prompt), estimate_tokens(reply_text))
