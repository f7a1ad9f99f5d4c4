"""The JSON of requests, refused where a database could not keep it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser

from docrouter.kit import plain


class PlainJSONParser(JSONParser):
    def parse(self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None) -> Any:
        try:
            sent = super().parse(stream, media_type, parser_context)
        except RecursionError as error:
            raise ParseError("The JSON is nested too deeply.") from error
        if plain.deeper_than(sent, plain.DEEPEST):
            raise ParseError("The JSON is nested too deeply.")
        if not plain.is_plain(sent):
            raise ParseError("The JSON holds half a character (a lone surrogate) or a number that is too large.")
        return sent
