"""What the code alone does not say about each route: a summary, the query, and examples.

A route without an entry is in the document all the same, with its own docstring.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from drf_spectacular.utils import OpenApiExample, OpenApiParameter

from accounts.api import organizations, tokens, users
from docrouter.openapi.answers import Shape
from documents.api import document_tags, documents, saved_views, uploads
from documents.api.definitions import prompts, schemas, tags
from documents.api.llm import bare_calls, bulk_runs, catalogue, estimates, prompt_results, prompt_runs
from documents.api.parts import splitting
from documents.api.readings import exports, ocr, reading

Parameters = Sequence[OpenApiParameter]
HEADER = OpenApiParameter.HEADER


@dataclass(frozen=True)
class Operation:
    """`notes` says what a view's docstring does not, and how each can be refused."""

    summary: str = ""
    query: Parameters = ()
    examples: Sequence[OpenApiExample] = ()


def _text(name: str, description: str, **more: Any) -> OpenApiParameter:
    return OpenApiParameter(name, str, description=description, **more)


def _flag(name: str, description: str, default: bool = False) -> OpenApiParameter:
    return OpenApiParameter(name, bool, description=description, default=default)


_ESTIMATES = [
    OpenApiExample(
        "A tag on all that wait",
        request_only=True,
        value={"tag_id": "65f1a2b3c4d5e6f708192a04", "document_filters": {"q": "is:waiting"}},
    ),
    OpenApiExample(
        "A prompt on two documents",
        request_only=True,
        value={
            "prompt_revid": "65f1a2b3c4d5e6f708192a08",
            "document_ids": ["65f1a2b3c4d5e6f708192a3b", "65f1a2b3c4d5e6f708192a3c"],
        },
    ),
]


def _done(message: str, **more: str) -> list[OpenApiExample]:
    return [OpenApiExample("Done", {**more, "message": message}, response_only=True, status_codes=["200"])]


def _file(media_type: str, content: str) -> list[OpenApiExample]:
    """An example of an answer that is no JSON."""
    return [OpenApiExample("Content", content, response_only=True, media_type=media_type, status_codes=["200"])]


def _window(maximum: int | None = 100, default: int = 10) -> list[OpenApiParameter]:
    limit: Shape = {"type": "integer", "minimum": 1, "default": default, **({"maximum": maximum} if maximum else {})}
    return [
        OpenApiParameter("skip", {"type": "integer", "minimum": 0, "default": 0}, description="Rows to leave out."),
        OpenApiParameter("limit", limit, description="Rows to give."),
    ]


_GRID = [
    _text("name_search", "Part of the name, literally; case does not matter."),
    _text("sort", 'JSON: `[{"field": "name", "sort": "asc"}]`. The newest come first without it.'),
    _text("filters", 'JSON: `{"items": [{"field", "operator", "value"}], "logicOperator": "and"}`.'),
]
FILTERS = [
    _text("q", "As in the list's box: words, and terms such as `tag:legal`, `is:waiting` or `total > 1000`."),
    _text(
        "value",
        "A field, a sign (`= != > >= < <= ~`, `is empty`) and a value. May be repeated, as all of these.",
        many=True,
    ),
    _text("tag", "Name or id."),
    _text("state", "`under-way`, `read`, `extracted`, `proposed`, `failed`, or a state of a document."),
    _text("is", "`waiting` for you, `verified`, `failing-checks` or `untagged`."),
    _text("kind", "An extension, `image`, `text`, or a media type."),
    _text("schema", "Name or id of a schema it was extracted with."),
    _text("prompt", "Name or id of a prompt it was extracted with."),
    _text("person", "Who uploaded it; `me` for yourself."),
    _text("since", "First day of upload, such as 2026-01-31."),
    _text("until", "Last day of upload."),
    _text("order_by", "`name`, `state`, `verified`, `uploaded`, `person`, `value` of the first field; `-` turns it."),
]
_TAGS = _text("tag_ids", "Comma-separated; every one of them must be there.")
_WAIT = OpenApiParameter(
    "wait", {"type": "integer", "minimum": 0, "maximum": settings.RUN_WAIT_SECONDS}, description="Seconds at most."
)
_REVID = _text("prompt_revid", "A prompt revision, or `default` for the summary.", required=True)
INCLUDE = _text(
    "include",
    "`provenance`: of each value the page, boxes, words, edits, verification and failed checks.",
    enum=["provenance"],
)
_FILE_TYPE = OpenApiParameter(
    "file_type", str, enum=["original", "pdf"], description="`pdf`: of pictures and texts a PDF of their pages."
)
_FILE_HEADERS = [
    _text("Range", "`bytes=0-99`, `bytes=100-` or `bytes=-100`: this part only.", location=HEADER),
    _text("If-Range", "The ETag of the parts that you have: of another file the whole is sent.", location=HEADER),
    _text("If-None-Match", "ETags that you have. With the file's own it is 304, without a body.", location=HEADER),
    _text("If-Match", "ETags of the file that you mean. Of another file nothing is sent.", location=HEADER),
    _text("ETag", "Another one as soon as a byte is.", location=HEADER, response=[200, 206, 304, 412]),
    _text("Content-Range", "Which part it is: `bytes 0-99/2048`.", location=HEADER, response=[206, 416]),
]
_UPLOAD_KEY = _text("Idempotency-Key", "The same key again gives the document of the first time.", location=HEADER)
_ONE_ORGANIZATION = _text("organization_id", "This organization only. Not together with user_id.")
_TOKENS = Operation("List your tokens")
_NEW_TOKEN = Operation("Make a token")
_END_TOKEN = Operation("End a token", examples=_done("Token deleted successfully"))

_CHAT = Operation(
    "Ask a model without a document",
    examples=_file(
        "text/event-stream", 'data: {"chunk": "A request", "done": false}\n\ndata: {"chunk": "", "done": true}\n\n'
    ),
)
OPERATIONS: dict[tuple[type, str], Operation] = {
    (organizations.Organizations, "GET"): Operation(
        "List organizations",
        query=[
            _ONE_ORGANIZATION,
            _text("user_id", "Organizations of this user."),
            _text("name_search", "Part of the name."),
            _text(
                "member_search",
                "Part of a member's name or address.",
            ),
            *_window(),
        ],
    ),
    (organizations.Organizations, "POST"): Operation("Make an organization"),
    (organizations.OneOrganization, "PUT"): Operation("Change an organization"),
    (organizations.OneOrganization, "DELETE"): Operation("Close an organization"),
    (organizations.TokenOrganization, "GET"): Operation(
        "Tell which organization a token opens",
        query=[_text("token", "The whole token. It is the credential.", required=True)],
    ),
    (users.Users, "GET"): Operation(
        "List people",
        query=[
            _ONE_ORGANIZATION,
            _text("user_id", "This user only."),
            _text("search_name", "Part of the name or address."),
            *_window(None),
        ],
    ),
    (users.Users, "POST"): Operation("Make a user"),
    (users.OneUser, "PUT"): Operation("Change a user"),
    (users.OneUser, "DELETE"): Operation("Delete a user", examples=_done("User and related data deleted successfully")),
    (tokens.AccountTokens, "GET"): _TOKENS,
    (tokens.AccountTokens, "POST"): _NEW_TOKEN,
    (tokens.AccountToken, "DELETE"): _END_TOKEN,
    (tokens.OrganizationTokens, "GET"): _TOKENS,
    (tokens.OrganizationTokens, "POST"): _NEW_TOKEN,
    (tokens.OrganizationToken, "DELETE"): _END_TOKEN,
    (documents.Documents, "GET"): Operation(
        "List documents",
        query=[
            *_window(1000),
            *_GRID,
            *FILTERS,
            _TAGS,
            _text("metadata_search", "`key=value` pairs, comma-separated."),
        ],
    ),
    (documents.Documents, "POST"): Operation("Upload documents as base64", query=[_UPLOAD_KEY]),
    (uploads.MultipartUpload, "POST"): Operation("Upload one document as a form", query=[_UPLOAD_KEY]),
    (documents.OneDocumentView, "GET"): Operation(
        "Get a document",
        query=[_FILE_TYPE, _flag("include_content", "With the file as base64 in `content`.", True)],
    ),
    (documents.OneDocumentView, "PUT"): Operation("Change a document", examples=_done("Document updated successfully")),
    (document_tags.DocumentTags, "POST"): Operation("Tag a document"),
    (splitting.SplitView, "POST"): Operation("Split a document by its pages"),
    (splitting.SplitView, "DELETE"): Operation("Undo a split", examples=_done("2 parts are in the trash.")),
    (documents.OneDocumentView, "DELETE"): Operation(
        "Delete a document", examples=_done("Document deleted successfully")
    ),
    (documents.DocumentFile, "GET"): Operation("Get a document's file", query=[_FILE_TYPE, *_FILE_HEADERS]),
    (reading.ReadText, "GET"): Operation(
        "Get the text that was read",
        query=[OpenApiParameter("page_num", {"type": "integer", "minimum": 1}, description="This page only.")],
        examples=_file("text/plain", "Invoice INV-7\nTotal 30.50"),
    ),
    (reading.ReadJson, "GET"): Operation(
        "Get what was read, as JSON",
        query=[OpenApiParameter("format", str, enum=["plain", "gzip"], description="On the wire.")],
    ),
    (reading.ReadBlocks, "GET"): Operation("Get what was read, as a flat list of blocks"),
    (reading.ReadMetadata, "GET"): Operation("Get how it was read"),
    (ocr.RunOcr, "POST"): Operation(
        "Read a document again",
        query=[_flag("force", "Also when it was read already.", True), _flag("ocr_only", "Start no prompts after it.")],
    ),
    (ocr.UnlockDocument, "POST"): Operation("Read a locked PDF with its password"),
    (ocr.AnalyzeOcr, "POST"): Operation("Tell which documents a run over many would read"),
    (exports.MarkdownExport, "GET"): Operation(
        "Export as Markdown", examples=_file("text/markdown", "# Invoice INV-7\n\nTotal 30.50\n")
    ),
    (exports.HtmlExport, "GET"): Operation(
        "Export as HTML", examples=_file("text/html", "<h1>Invoice INV-7</h1><p>Total 30.50</p>")
    ),
    (exports.TablesExport, "GET"): Operation(
        "Export the tables",
        query=[OpenApiParameter("table_index", {"type": "integer", "minimum": 0}, description="This table only.")],
    ),
    (saved_views.SavedViews, "GET"): Operation("List saved views", query=_window()),
    (saved_views.SavedViews, "POST"): Operation("Save a view"),
    (saved_views.OneSavedView, "GET"): Operation("Get a saved view"),
    (saved_views.OneSavedView, "PUT"): Operation("Change a saved view"),
    (saved_views.OneSavedView, "DELETE"): Operation("Delete a saved view", examples=_done("View deleted")),
    (tags.Tags, "GET"): Operation("List tags", query=[*_window(), *_GRID]),
    (tags.Tags, "POST"): Operation("Make a tag"),
    (tags.OneTag, "GET"): Operation("Get a tag"),
    (tags.OneTag, "PUT"): Operation("Change a tag"),
    (tags.OneTag, "DELETE"): Operation("Delete a tag", examples=_done("Tag deleted successfully")),
    (schemas.Schemas, "GET"): Operation("List schemas", query=[*_window(), *_GRID]),
    (schemas.Schemas, "POST"): Operation("Make a schema, or the next version of the one with this name"),
    (schemas.OneSchema, "GET"): Operation("Get a schema revision"),
    (schemas.OneSchema, "PUT"): Operation("Change a schema"),
    (schemas.OneSchema, "DELETE"): Operation("Delete a schema", examples=_done("Schema deleted successfully")),
    (schemas.SchemaVersions, "GET"): Operation("List the versions of a schema", query=_window(1000, 1000)),
    (schemas.SchemaValidation, "POST"): Operation("Check data against a schema revision"),
    (prompts.Prompts, "GET"): Operation(
        "List prompts",
        query=[*_window(), *_GRID, _TAGS, _text("document_id", "Prompts that share a tag with this document.")],
    ),
    (prompts.Prompts, "POST"): Operation("Make a prompt, or the next version of the one with this name"),
    (prompts.OnePrompt, "GET"): Operation("Get a prompt revision"),
    (prompts.OnePrompt, "PUT"): Operation("Change a prompt"),
    (prompts.OnePrompt, "DELETE"): Operation("Delete a prompt", examples=_done("Prompt deleted successfully")),
    (prompts.PromptVersions, "GET"): Operation("List the versions of a prompt", query=_window(1000, 1000)),
    (bare_calls.OrganizationChat, "POST"): _CHAT,
    (bare_calls.AccountChat, "POST"): _CHAT,
    (bare_calls.AccountEmbedding, "POST"): Operation("Try an embedding model"),
    (prompt_runs.RunPrompt, "POST"): Operation(
        "Run a prompt on a document",
        query=[
            _text("prompt_revid", "A prompt revision, or `default` for the summary.", default="default"),
            _flag("force", "Run again although there is a result."),
            _flag("go_on", "Ask only for the pages that the result misses."),
            _text("pages", "With go_on: these pages instead, comma-separated."),
            _WAIT,
            _text("Idempotency-Key", "The same key gets the same run; for another it is 409.", location=HEADER),
        ],
    ),
    (prompt_runs.Run, "GET"): Operation("Get a run"),
    (prompt_results.Result, "GET"): Operation(
        "Get a result",
        query=[
            _text("prompt_revid", "A prompt revision, or `default`. This or prompt_id is needed."),
            _text("prompt_id", "A prompt: its newest version that has a result."),
            _flag("prompt_revid_fallback", "Else the newest result of the same prompt."),
            _flag("fallback", "The old name of prompt_revid_fallback."),
            INCLUDE,
        ],
    ),
    (prompt_results.Result, "PUT"): Operation("Correct a result", query=[_REVID]),
    (prompt_results.Result, "DELETE"): Operation(
        "Delete a result", query=[_REVID], examples=_done("LLM result deleted", status="success")
    ),
    (prompt_results.ResultsFile, "GET"): Operation("Download the results of a document", query=[INCLUDE]),
    (bulk_runs.BulkAnalysis, "POST"): Operation("Tell which runs a tag wants"),
    (estimates.CostEstimate, "POST"): Operation("Estimate what a tag or prompt starts and costs", examples=_ESTIMATES),
    (catalogue.OrganizationModels, "GET"): Operation(
        "List the names of models",
        query=[_flag("chat_only", "Without embedding models."), _flag("exclude_embeddings", "The same.")],
    ),
    (catalogue.AccountModels, "GET"): Operation(
        "List models",
        query=[
            _text("provider_name", "Models of this provider."),
            _flag("provider_enabled", "Models of providers with a key, or with false of those without."),
            _flag("llm_enabled", "Only those that can be used now.", True),
            _flag("chat_agent_only", "Only those that call tools."),
            _flag("ocr_only", "None: pages are read on this machine."),
        ],
    ),
    (catalogue.Providers, "GET"): Operation("List model providers"),
    (catalogue.OneProvider, "PUT"): Operation(
        "Choose a provider's models and its key", examples=_done("LLM provider config updated successfully")
    ),
}
