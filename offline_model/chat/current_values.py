"""The current extraction as paths and values, and which path a phrase means."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from kit.json_types import Json, JsonObject
from offline_model.chat.conversation import Conversation
from offline_model.fields.vocabulary import lookup_column, lookup_field
from offline_model.text import split_words, to_readable, to_snake_case

ORDINALS = {"first": 0, "second": 1, "third": 2, "fourth": 3, "fifth": 4, "last": -1}
ROW = re.compile(
    r"\s*\b(?:of|in|on|for|from|at)? ?(?:the )?"
    r"(?:(?:line item|row|line|item|position)(?: number| no\.?)? #?(\d+)(?:'s)?|"
    rf"({'|'.join(ORDINALS)}) (?:line item|row|line|item|position)(?:'s)?)\b\s*",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Leaf:
    path: str
    value: Json

    @property
    def name(self) -> str:
        return next(part for part in reversed(self.path.split(".")) if not part.isdigit())

    @property
    def row(self) -> int | None:
        return next((int(part) for part in self.path.split(".") if part.isdigit()), None)


def get_values(result: JsonObject) -> JsonObject:
    """The object of values in the result of a tool."""
    values = result.get("result")
    return values if isinstance(values, dict) else {}


def find_current_values(conversation: Conversation) -> JsonObject | None:
    """The newest known values: of a call of this turn, else of the data block beside the request."""
    block = conversation.find_block("current_extraction")
    for call in reversed(conversation.newest_calls):
        if call.is_ok and not call.is_planned and call.name in ("run_extraction", "get_extraction_result"):
            return get_values(call.result) or (block.payload if block else None)
        if call.is_ok and call.name == "update_extraction_field":
            break  # the block has what is there since
    return block.payload or None if block else None


def list_leaves(values: object, path: str = "") -> Iterator[Leaf]:
    if isinstance(values, dict):
        for key, value in values.items():
            yield from list_leaves(value, f"{path}.{key}" if path else str(key))
    elif isinstance(values, list):
        for at, value in enumerate(values):
            yield from list_leaves(value, f"{path}.{at}")
    else:
        yield Leaf(path, values)


def match_leaves(values: JsonObject, spoken: str) -> list[Leaf]:
    """The leaves that a phrase such as `quantity of row 2` means; more than one when it is ambiguous."""
    every = list(list_leaves(values))
    exact = [leaf for leaf in every if leaf.path == spoken.strip()]
    phrase, row = find_row(spoken)
    candidates = [leaf for leaf in every if row is None or _is_in_row(leaf, row, every)]
    for matches in (_has_same_name, _has_same_meaning, _holds_words):
        exact = exact or [leaf for leaf in candidates if matches(leaf, phrase)]
    outside = [leaf for leaf in exact if leaf.row is None]
    return outside if len(outside) == 1 and row is None else exact


def find_row(spoken: str) -> tuple[str, int | None]:
    """The phrase without its row, and the row counted from 0 (-1 is the last)."""
    match = ROW.search(spoken)
    if not match:
        return spoken, None
    row = int(match.group(1)) - 1 if match.group(1) else ORDINALS[match.group(2).lower()]
    return (spoken[: match.start()] + " " + spoken[match.end() :]).strip(), row


def _is_in_row(leaf: Leaf, row: int, every: list[Leaf]) -> bool:
    last = max((other.row for other in every if other.row is not None), default=0)
    return leaf.row == (last if row == -1 else row)


def _has_same_name(leaf: Leaf, spoken: str) -> bool:
    return to_snake_case(leaf.name) == to_snake_case(spoken)


def _has_same_meaning(leaf: Leaf, spoken: str) -> bool:
    known = lookup_field if leaf.row is None else lookup_column
    asked_field, own = known(spoken), known(to_readable(leaf.name))
    return bool(asked_field and own and asked_field.name == own.name)


def _holds_words(leaf: Leaf, spoken: str) -> bool:
    spoken_words = set(split_words(spoken)) - {"the", "field", "value", "of"}
    return bool(spoken_words) and spoken_words <= set(split_words(to_readable(leaf.name)))


def list_field_names(values: JsonObject) -> list[str]:
    """The names a person may use, rows once."""
    return list(dict.fromkeys(re.sub(r"\.\d+\.", ".", leaf.path) for leaf in list_leaves(values)))
