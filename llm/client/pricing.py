"""The most that a call may cost, and its costs. Prices come from litellm's own list, in dollars a token."""

from __future__ import annotations

import json
import math
import re
import string
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from types import ModuleType

from django.conf import settings

from llm.client.providers import OFFLINE_MODEL, is_local
from llm.client.types import Cost, ModelRequest, Quote
from llm.client.wire import CacheControl, ChatMessage, ModelEntry

_MICROS_PER_MTOK = 1_000_000_000_000  # from dollars a token
_BYTES_A_TOKEN = 3
_OTHER_VOCABULARIES = 4 / 3
_OVERHEAD = 16
_MAX_KEPT_CHARACTERS = 40_000  # the tools of an organization have some 30,000
_WORDS = (string.ascii_letters + string.whitespace).encode()
_MARKS = string.punctuation.encode()
# The longest that any tokenizer in use takes for one token, by kind: of Chinese, Japanese and Korean, other words,
# numbers, marks, and white space, of which less than a line's indent goes with a word.
_LONGEST_TOKEN = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{1,3}|[^\W\d_\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{1,16}"
    r"|\d{1,4}|(?:[^\w\s]|_){1,16}|\s{16,128}"
)


@dataclass(frozen=True)
class CachedTokens:
    """The prompt's tokens that came from the provider's cache, and those that were written into it."""

    read: int = 0
    written: int = 0


NOTHING_CACHED = CachedTokens()
MAX_CACHE_MARKS = 4
# More than any model reads or writes at once. Servers of one's own have reported -50,000,000 and 10^15.
MAX_TOKENS_BELIEVED = 10_000_000


def believe_count(tokens: object) -> int | None:
    """The number of tokens that a provider reports, or None where it cannot be one: then we count ourselves."""
    is_count = isinstance(tokens, int) and not isinstance(tokens, bool) and 0 <= tokens <= MAX_TOKENS_BELIEVED
    return tokens if is_count else None  # type: ignore[return-value]


@dataclass(frozen=True)
class Price:
    """Millionths of a dollar for a million tokens. Without a price of its own the cache costs as much as the prompt."""

    prompt: int
    completion: int
    known: bool = True
    cache_read: int | None = None
    cache_write: int | None = None

    def cost(
        self, model: str, prompt_tokens: int, completion_tokens: int, cached: CachedTokens = NOTHING_CACHED
    ) -> Cost:
        read = min(cached.read, prompt_tokens)
        written = min(cached.written, prompt_tokens - read)
        total = (
            (prompt_tokens - read - written) * self.prompt
            + read * (self.prompt if self.cache_read is None else self.cache_read)
            + written * (self.prompt if self.cache_write is None else self.cache_write)
            + completion_tokens * self.completion
        )
        micros = math.ceil(total / 1_000_000)
        return Cost(model, prompt_tokens, completion_tokens, micros, self.known, read, written)

    def prompt_micros(self, tokens: int) -> int:
        """The most that so many tokens can cost, read from the cache, written to it, or neither."""
        return math.ceil(tokens * max(self.prompt, self.cache_read or 0, self.cache_write or 0) / 1_000_000)


def find_entry(catalogue: Mapping[str, ModelEntry], model: str) -> ModelEntry:
    """litellm's entry for a model, which it keeps with or without the provider before the name. Empty when unknown."""
    if model in catalogue:
        return catalogue[model]
    prefix, _, name = model.partition("/")
    entry = catalogue.get(name, {})
    return entry if entry.get("litellm_provider") == prefix else {}


def mark_cacheable(request: ModelRequest, entry: ModelEntry) -> ModelRequest:
    """With marks where the provider may keep what has been read. Other makers find what begins alike by themselves.

    https://docs.anthropic.com/en/docs/build-with-claude/prompt-caching: four marks at most; tools stand before the
    system part, so its mark keeps them too; what is shorter than a minimum is not kept, and costs nothing more.
    """
    if "claude" not in request.model.lower() or not _read_listed_price(entry.get("cache_creation_input_token_cost")):
        return request
    ends = set(request.cache_ends[:MAX_CACHE_MARKS])
    kept: CacheControl = {"type": "ephemeral"}
    marked: list[ChatMessage] = [
        {**message, "cache_control": kept} if at in ends else message for at, message in enumerate(request.messages)
    ]
    return replace(request, messages=marked)


SetPrice = tuple[int, int]
_look_up_set: Callable[[str], SetPrice | None] = lambda model: None  # noqa: E731


def use_set_prices(look_up: Callable[[str], SetPrice | None]) -> None:
    """Where the prices that the operator has set are looked up. Called at the start."""
    global _look_up_set
    _look_up_set = look_up


def find_own_price(model: str) -> Price | None:
    """Find the operator's price; a model on one's own machines costs nothing. None: the list of prices says."""
    if model == OFFLINE_MODEL:
        return Price(0, 0)
    if (set_price := _look_up_set(model)) is not None:
        return Price(*set_price)
    return Price(0, 0) if is_local(model) else None


def find_price(entry: ModelEntry, model: str) -> Price:
    """An unknown price counts as the configured ceiling, never as nothing."""
    if (own := find_own_price(model)) is not None:
        return own
    prompt, completion = entry.get("input_cost_per_token"), entry.get("output_cost_per_token")
    if not isinstance(prompt, int | float) or not isinstance(completion, int | float):
        ceiling = settings.UNKNOWN_PRICE_MICROS_PER_MTOK
        return Price(ceiling, ceiling, known=False)
    return Price(
        _micros(prompt),
        _micros(completion),
        cache_read=_read_listed_price(entry.get("cache_read_input_token_cost")),
        cache_write=_read_listed_price(entry.get("cache_creation_input_token_cost")),
    )


def find_query_micros(entry: ModelEntry) -> int:
    """Find the price of a call besides its tokens, for models that order texts."""
    listed = entry.get("input_cost_per_query")
    return math.ceil(listed * 1_000_000) if isinstance(listed, int | float) and listed > 0 else 0


def _read_listed_price(listed: float | None) -> int | None:
    """None where the list has no price, or none but 0, which it has for providers that write no cache."""
    return _micros(listed) if isinstance(listed, int | float) and listed > 0 else None


def _micros(dollars_a_token: float) -> int:
    # Rounded first: 1.5e-07 times a trillion is 150000.00000000003.
    return math.ceil(round(dollars_a_token * _MICROS_PER_MTOK, 3))


def limit_output(entry: ModelEntry, tokens: int) -> int:
    """`tokens` or the setting, whichever is more, but not more than the model can write."""
    tokens = max(tokens, settings.MODEL_MAX_TOKENS)
    maximum = entry.get("max_output_tokens")
    return min(tokens, maximum) if isinstance(maximum, int) and maximum > 0 else tokens


def make_quote(module: ModuleType, request: ModelRequest, price: Price, max_tokens: int) -> Quote:
    """The most that the call can cost: all of the prompt at the dearest rate, and an answer up to the limit."""
    parts = [*request.messages, list(request.tools or ()), request.response_format or {}]
    texts = [json.dumps(part, ensure_ascii=False, default=str) for part in parts]
    tokens = _OVERHEAD + request.picture_tokens + sum(_count_same_text(module, text) for text in texts)
    return Quote(
        request.model,
        price.prompt_micros(tokens),
        price.completion,
        max_tokens,
        wanted_output=min(request.max_tokens, max_tokens),
        min_output=min(request.min_tokens, max_tokens),
        room=min(request.room_tokens, max_tokens),
        price_known=price.known,
    )


def estimate_max_tokens(module: ModuleType, text: str) -> int:
    """A high estimate for any tokenizer.

    By kinds of characters: words are longer than three letters a token; digits are often one each, of marks two at
    least go together. Letters that are no words, such as in part numbers, can be a token each: what litellm counts,
    with a margin for other vocabularies, says so. No character takes more tokens than bytes.
    """
    return _count_max_tokens(module, text) + _OVERHEAD


def _count_max_tokens(module: ModuleType, text: str) -> int:
    data = text.encode()
    plain = len(data) - len(data.translate(None, _WORDS))
    marks = len(data) - len(data.translate(None, _MARKS))
    by_kind = plain / _BYTES_A_TOKEN + marks / 2 + (len(data) - plain - marks)
    counted = int(module.token_counter(text=text)) * _OTHER_VOCABULARIES
    return math.ceil(max(by_kind, min(counted, len(data))))


def _count_same_text(module: ModuleType, text: str) -> int:
    """Each round sends again what the one before it sent: its tools, and the messages so far."""
    return _count_kept(module, text) if len(text) <= _MAX_KEPT_CHARACTERS else _count_max_tokens(module, text)


@lru_cache(maxsize=200)
def _count_kept(module: ModuleType, text: str) -> int:
    return _count_max_tokens(module, text)


def estimate_min_tokens(text: str) -> int:
    """A low estimate for any tokenizer."""
    return sum(1 for _ in _LONGEST_TOKEN.finditer(text))


def limit_written(model: str, price: Price, max_tokens: int) -> float:
    """The tokens, by the low estimate, after which an answer is surely longer than it was to be.

    Where it costs money: by a quarter, and more than a few. Where it costs nothing, a server of one's own may count as
    it likes: four letters a token are usual, and a table of digits and marks has a token in each.
    """
    if model == OFFLINE_MODEL:
        return math.inf
    return max_tokens * (5 / 4 if price.completion else 4) + 64


def exceeds_limit(tokens: int, max_tokens: int) -> bool:
    """Whether a server itself says that its answer is longer than it was to be."""
    return tokens > max_tokens * 5 // 4 + 64


def count_tokens(module: ModuleType, request: ModelRequest, written: str) -> tuple[int, int]:
    """(prompt, completion) tokens by litellm's tokenizer, for providers that report none."""
    tools = json.dumps(list(request.tools or ()), ensure_ascii=False)
    prompt = module.token_counter(model=request.model, messages=list(request.messages))
    extra = module.token_counter(model=request.model, text=tools) if request.tools else 0
    completion = int(module.token_counter(model=request.model, text=written)) if written else 0
    return int(prompt) + int(extra) + request.picture_tokens, completion
