"""Documents, pages, results and schemas as resources: what the tools that read them answer, under an address.

Page text is marked as data there, ids of other organizations are unknown, and each reading has its row.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import quote, unquote

from mcp_types import Resource, ResourceTemplate

from agent.conversation.mentions import find_offers
from agent.mcp import call_results
from agent.mcp.requests import Caller, begin, look_up
from kit.errors import NotFound
from kit.json_types import JsonObject

SCHEME = "docrouter://"
JSON_TYPE = "application/json"
PAGE = 50
MAX_COMPLETIONS = 50
MAX_DIGITS = 10
UNKNOWN = "There is no such resource."
Parts = Mapping[str, str]


@dataclass(frozen=True)
class ResourceForm:
    """Addresses of one form, and what reads them. `{name}` stands for one part of the address, percent-encoded."""

    form: str
    title: str
    read: Callable[[Caller, Parts], JsonObject]

    @property
    def template(self) -> str:
        return f"{SCHEME}{self.form}"

    def match(self, address: str) -> dict[str, str] | None:
        steps = [f"(?P<{step[1:-1]}>[^/?#]+)" if step[0] == "{" else re.escape(step) for step in self.form.split("/")]
        matched = re.fullmatch("/".join(steps), address.removeprefix(SCHEME))
        return {name: unquote(part) for name, part in matched.groupdict().items()} if matched else None


def _by_tool(tool: str, **arguments: str) -> Callable[[Caller, Parts], JsonObject]:
    """Read by this tool; `arguments` are its parameters to the parts of the address."""

    def read(caller: Caller, parts: Parts) -> JsonObject:
        given: JsonObject = {name: parts[part] for name, part in arguments.items()}
        if "page_num" in given:
            digits = parts["page"]
            given["page_num"] = int(digits) if digits.isdecimal() and len(digits) < MAX_DIGITS else 0
        return _call(caller, tool, given)

    return read


def _read_card(caller: Caller, parts: Parts) -> JsonObject:
    return dict(look_up(caller, parts))


CARD = ResourceForm("cards/{call_id}", "A change that waits for a person, or its outcome", _read_card)
PLACES = (
    ResourceForm(
        "documents/{document}",
        "A document's text, with ids of its lines",
        _by_tool("read_document", document="document"),
    ),
    ResourceForm(
        "documents/{document}/pages/{page}",
        "The text of one page",
        _by_tool("get_ocr_text", document="document", page_num="page"),
    ),
    ResourceForm(
        "documents/{document}/extractions/{prompt}",
        "The values that a prompt extracted from a document",
        _by_tool("get_extraction_result", document="document", prompt_revid="prompt"),
    ),
    ResourceForm("schemas/{schema}", "A schema", _by_tool("get_schema", schema_revid="schema")),
    CARD,
)


def list_templates() -> list[ResourceTemplate]:
    return [
        ResourceTemplate(uri_template=place.template, name=place.form, title=place.title, mime_type=JSON_TYPE)
        for place in PLACES
    ]


def list_resources(caller: Caller, cursor: str | None) -> tuple[list[Resource], str | None]:
    """A page of the documents, newest first, and where the next one begins."""
    skip = int(cursor) if cursor and cursor.isdecimal() and len(cursor) < 10 else 0
    rows = _call(caller, "list_documents", {"skip": skip, "limit": PAGE, "values": []}).get("documents", [])
    resources = [
        Resource(uri=f"{SCHEME}documents/{quote(row['document_id'])}", name=row["document_name"], mime_type=JSON_TYPE)
        for row in rows
    ]
    return resources, str(skip + PAGE) if len(rows) == PAGE else None


def read_resource(caller: Caller, address: str) -> str:
    """Its JSON. Raises NotFound for an address that is none of ours."""
    for place in PLACES:
        if address.startswith(SCHEME) and (parts := place.match(address)) is not None:
            return json.dumps(place.read(caller, parts), ensure_ascii=False)
    raise NotFound(UNKNOWN)


def find_card(address: str) -> str:
    """The id in the address of a card; empty for another address."""
    parts = CARD.match(address) if address.startswith(SCHEME) else None
    return parts["call_id"] if parts else ""


def complete(caller: Caller, part: str, begun: str) -> list[str]:
    """Names that this part of an address may be, of those that hold what has been typed."""
    kind = {"document": "document", "schema": "schema", "prompt": "prompt"}.get(part)
    offers = find_offers(caller.actor, begun)["offers"] if kind else []
    return [offer["name"] for offer in offers if offer["type"] == kind][:MAX_COMPLETIONS]


def _call(caller: Caller, tool: str, arguments: JsonObject) -> JsonObject:
    _, answer, failed = call_results.texts_of(begin(caller, tool, arguments))
    if failed:
        raise NotFound(str(answer.get("error", UNKNOWN)))
    return answer
