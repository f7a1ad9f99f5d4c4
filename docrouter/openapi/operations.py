"""What the code alone does not say about each route: a summary, the query, the body and the answer.

A route without an entry is in the document all the same, with its own docstring and an unspecified answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from drf_spectacular.utils import OpenApiExample, OpenApiParameter

from accounts.api import organizations, serializers, tokens, users
from docrouter.openapi.shapes import (
    ANY,
    ID,
    TEXT,
    TEXTS,
    TIME,
    TRUTH,
    WHOLE,
    Shape,
    listed,
    maybe,
    page,
    record,
    ref,
    such_as,
    told,
)
from documents.api import (
    documents,
    exports,
    llm_bulk,
    llm_calls,
    llm_models,
    llm_results,
    llm_runs,
    ocr,
    prompts,
    reading,
    schemas,
    tags,
    uploads,
)
from documents.api import serializers as document_serializers

Parameters = Sequence[OpenApiParameter]
HEADER = OpenApiParameter.HEADER


@dataclass(frozen=True)
class Operation:
    """`body` is a serializer class; `media_type` that of an answer which is no JSON; `more` further answers by
    code, or by code and media type.

    `streams`: also as events. `notes` says what a view's docstring does not, and how each can be refused.
    """

    summary: str = ""
    answer: Shape | None = None
    body: Any = None
    query: Parameters = ()
    media_type: str = ""
    more: tuple[tuple[int | tuple[int, str], Shape], ...] = ()
    examples: Sequence[OpenApiExample] = ()
    streams: bool = False


def _text(name: str, description: str, **more: Any) -> OpenApiParameter:
    return OpenApiParameter(name, str, description=description, **more)


def _flag(name: str, description: str, default: bool = False) -> OpenApiParameter:
    return OpenApiParameter(name, bool, description=description, default=default)


def _done(message: str, **more: str) -> list[OpenApiExample]:
    return [OpenApiExample("Done", {**more, "message": message}, response_only=True, status_codes=["200"])]


def _window(most: int | None = 100) -> list[OpenApiParameter]:
    limit: Shape = {"type": "integer", "minimum": 1, "default": 10, **({"maximum": most} if most else {})}
    return [
        OpenApiParameter("skip", {"type": "integer", "minimum": 0, "default": 0}, description="Rows to leave out."),
        OpenApiParameter("limit", limit, description="Rows to give."),
    ]


_GRID = [
    _text("name_search", "Part of the name, literally; case does not matter."),
    _text("sort", 'JSON: `[{"field": "name", "sort": "asc"}]`. The newest come first without it.'),
    _text("filters", 'JSON: `{"items": [{"field", "operator", "value"}], "logicOperator": "and"}`.'),
]
_TAGS = _text("tag_ids", "Comma-separated; every one of them must be there.")
_REVID = _text("prompt_revid", "A prompt revision, or `default` for the summary.", required=True)
_FILE_TYPE = OpenApiParameter(
    "file_type", str, enum=["original", "pdf"], description="`pdf`: of pictures and texts a PDF of their pages."
)
_UPLOAD_KEY = _text("Idempotency-Key", "The same key again gives the document of the first time.", location=HEADER)
_ONE_ORGANIZATION = _text("organization_id", "This organization only. Not together with user_id.")
_FORM: Shape = {
    "title": "form",
    "type": "object",
    "required": ["file"],
    "properties": {
        "file": {"type": "string", "format": "binary"},
        "name": TEXT,
        "tag_ids": {"type": "string", "description": "A JSON array of ids."},
        "metadata": {"type": "string", "description": "A JSON object of texts."},
    },
}
_TOKENS = Operation("List your tokens", record(access_tokens=listed(ref("AccessToken"))))
_NEW_TOKEN = Operation("Make a token", ref("AccessToken"), tokens.NewToken)
_END_TOKEN = Operation("End a token", told("Token deleted successfully"))

_CALL_FAILURES = ((402, ref("Error")), (502, ref("Error")), (504, ref("Error")))
_CHAT = Operation(
    "Ask a model without a document", ref("Completion"), llm_calls.NewCompletion, more=_CALL_FAILURES, streams=True
)
OPERATIONS: dict[tuple[type, str], Operation] = {
    (organizations.Organizations, "GET"): Operation(
        "List organizations",
        page("organizations", "Organization"),
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
    (organizations.Organizations, "POST"): Operation(
        "Make an organization", ref("Organization"), serializers.NewOrganization
    ),
    (organizations.OneOrganization, "PUT"): Operation(
        "Change an organization", ref("Organization"), serializers.ChangedOrganization
    ),
    (organizations.OneOrganization, "DELETE"): Operation("Close an organization", record(status=TEXT)),
    (organizations.TokenOrganization, "GET"): Operation(
        "Tell which organization a token opens",
        record(organization_id=maybe(ID), organization_name=maybe(TEXT), organization_type=maybe(TEXT)),
        query=[_text("token", "The whole token. It is the credential.", required=True)],
    ),
    (users.Users, "GET"): Operation(
        "List people",
        page("users", "User"),
        query=[
            _ONE_ORGANIZATION,
            _text("user_id", "This user only."),
            _text("search_name", "Part of the name or address."),
            *_window(None),
        ],
    ),
    (users.Users, "POST"): Operation("Make a user", ref("User"), serializers.NewUser),
    (users.OneUser, "PUT"): Operation("Change a user", ref("User"), serializers.ChangedUser),
    (users.OneUser, "DELETE"): Operation("Delete a user", told("User and related data deleted successfully")),
    (tokens.AccountTokens, "GET"): _TOKENS,
    (tokens.AccountTokens, "POST"): _NEW_TOKEN,
    (tokens.AccountToken, "DELETE"): _END_TOKEN,
    (tokens.OrganizationTokens, "GET"): _TOKENS,
    (tokens.OrganizationTokens, "POST"): _NEW_TOKEN,
    (tokens.OrganizationToken, "DELETE"): _END_TOKEN,
    (documents.Documents, "GET"): Operation(
        "List documents",
        page("documents", "ListedDocument"),
        query=[*_window(1000), *_GRID, _TAGS, _text("metadata_search", "`key=value` pairs, comma-separated.")],
    ),
    (documents.Documents, "POST"): Operation(
        "Upload documents as base64",
        record(documents=listed(ref("StoredDocument")), errors=listed(ref("Refusal"))),
        document_serializers.NewDocuments,
        [_UPLOAD_KEY],
    ),
    (uploads.MultipartUpload, "POST"): Operation(
        "Upload one document as a form",
        record(document=ref("StoredDocument")),
        {"multipart/form-data": _FORM},
        [_UPLOAD_KEY],
    ),
    (documents.OneDocumentView, "GET"): Operation(
        "Get a document",
        ref("Document"),
        query=[_FILE_TYPE, _flag("include_content", "With the file as base64 in `content`.", True)],
    ),
    (documents.OneDocumentView, "PUT"): Operation(
        "Change a document", told("Document updated successfully"), document_serializers.DocumentUpdate
    ),
    (documents.OneDocumentView, "DELETE"): Operation("Delete a document", told("Document deleted successfully")),
    (documents.DocumentFile, "GET"): Operation(
        "Get a document's file", query=[_FILE_TYPE], media_type="application/octet-stream"
    ),
    (reading.ReadText, "GET"): Operation(
        "Get the text that was read",
        such_as(TEXT, "Invoice INV-7\nTotal 30.50"),
        query=[OpenApiParameter("page_num", {"type": "integer", "minimum": 1}, description="This page only.")],
        media_type="text/plain",
    ),
    (reading.ReadJson, "GET"): Operation(
        "Get what was read, as JSON",
        record(DocumentMetadata=record(Pages=WHOLE), Blocks=listed(ref("Block"))),
        query=[OpenApiParameter("format", str, enum=["plain", "gzip"], description="On the wire.")],
    ),
    (reading.ReadBlocks, "GET"): Operation("Get what was read, as a flat list of blocks", listed(ref("Block"))),
    (reading.ReadMetadata, "GET"): Operation(
        "Get how it was read", record(n_pages=WHOLE, ocr_date=TEXT, ocr_type=TEXT)
    ),
    (ocr.RunOcr, "POST"): Operation(
        "Read a document again",
        record(status=such_as(TEXT, "queued"), document_id=ID),
        query=[_flag("force", "Also when it was read already.", True), _flag("ocr_only", "Start no prompts after it.")],
    ),
    (ocr.AnalyzeOcr, "POST"): Operation(
        "Tell which documents a run over many would read",
        record(total_executions=WHOLE, executions=listed(ref("Execution"))),
        ocr.BulkAnalysis,
    ),
    (exports.MarkdownExport, "GET"): Operation(
        "Export as Markdown", such_as(TEXT, "# Invoice INV-7\n\nTotal 30.50\n"), media_type="text/markdown"
    ),
    (exports.HtmlExport, "GET"): Operation(
        "Export as HTML", such_as(TEXT, "<h1>Invoice INV-7</h1><p>Total 30.50</p>"), media_type="text/html"
    ),
    (exports.TablesExport, "GET"): Operation(
        "Export the tables",
        query=[OpenApiParameter("table_index", {"type": "integer", "minimum": 0}, description="This table only.")],
        media_type="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ),
    (tags.Tags, "GET"): Operation("List tags", query=[*_window(), *_GRID]),
    (tags.Tags, "POST"): Operation("Make a tag"),
    (tags.OneTag, "GET"): Operation("Get a tag"),
    (tags.OneTag, "PUT"): Operation("Change a tag"),
    (tags.OneTag, "DELETE"): Operation("Delete a tag", examples=_done("Tag deleted successfully")),
    (schemas.Schemas, "GET"): Operation("List schemas", page("schemas", "Schema"), query=[*_window(), *_GRID]),
    (schemas.Schemas, "POST"): Operation(
        "Make a schema, or the next version of the one with this name", ref("Schema"), schemas.SchemaConfig
    ),
    (schemas.OneSchema, "GET"): Operation("Get a schema revision", ref("Schema")),
    (schemas.OneSchema, "PUT"): Operation("Change a schema", ref("Schema"), schemas.SchemaChange),
    (schemas.OneSchema, "DELETE"): Operation("Delete a schema", told("Schema deleted successfully")),
    (schemas.SchemaVersions, "GET"): Operation("List the versions of a schema", page("schemas", "Schema")),
    (schemas.SchemaValidation, "POST"): Operation(
        "Check data against a schema revision",
        {**record(valid=TRUTH), "description": "`errors` when it is false."},
        {"application/json": record(data=ANY)},
    ),
    (prompts.Prompts, "GET"): Operation(
        "List prompts",
        page("prompts", "Prompt"),
        query=[*_window(), *_GRID, _TAGS, _text("document_id", "Prompts that share a tag with this document.")],
    ),
    (prompts.Prompts, "POST"): Operation(
        "Make a prompt, or the next version of the one with this name", ref("Prompt"), prompts.PromptConfig
    ),
    (prompts.OnePrompt, "GET"): Operation("Get a prompt revision", ref("Prompt")),
    (prompts.OnePrompt, "PUT"): Operation("Change a prompt", ref("Prompt"), prompts.PromptChange),
    (prompts.OnePrompt, "DELETE"): Operation("Delete a prompt", told("Prompt deleted successfully")),
    (prompts.PromptVersions, "GET"): Operation("List the versions of a prompt", page("prompts", "Prompt")),
    (llm_calls.OrganizationChat, "POST"): _CHAT,
    (llm_calls.AccountChat, "POST"): _CHAT,
    (llm_calls.AccountEmbedding, "POST"): Operation(
        "Try an embedding model",
        ref("Embedded"),
        llm_calls.NewEmbedding,
        more=_CALL_FAILURES,
    ),
    (llm_runs.RunPrompt, "POST"): Operation(
        "Run a prompt on a document",
        ref("RunAnswer"),
        query=[
            _text("prompt_revid", "A prompt revision, or `default` for the summary.", default="default"),
            _flag("force", "Run again although there is a result."),
            OpenApiParameter("wait", {"type": "integer", "minimum": 0, "maximum": 25}, description="Seconds at most."),
            _text("Idempotency-Key", "The same key gets the same run.", location=HEADER),
        ],
        more=((202, ref("RunUnderWay")), (402, ref("Error")), (500, ref("Error"))),
    ),
    (llm_runs.Run, "GET"): Operation("Get a run", ref("Run")),
    (llm_results.Result, "GET"): Operation(
        "Get a result",
        ref("LLMResult"),
        query=[
            _text("prompt_revid", "A prompt revision, or `default`. This or prompt_id is needed."),
            _text("prompt_id", "A prompt: its newest version that has a result."),
            _flag("prompt_revid_fallback", "Else the newest result of the same prompt."),
            _flag("fallback", "The old name of prompt_revid_fallback."),
        ],
    ),
    (llm_results.Result, "PUT"): Operation("Correct a result", ref("LLMResult"), llm_results.NewResult, [_REVID]),
    (llm_results.Result, "DELETE"): Operation(
        "Delete a result", told("LLM result deleted", status=TEXT), query=[_REVID]
    ),
    (llm_results.ResultsFile, "GET"): Operation(
        "Download the results of a document",
        record(
            document_id=ID,
            organization_id=ID,
            document_name=TEXT,
            extraction_date=TIME,
            results=listed(ref("SavedResult")),
        ),
    ),
    (llm_bulk.BulkAnalysis, "POST"): Operation(
        "Tell which runs a tag wants",
        record(total_executions=WHOLE, groups=listed(ref("RunGroup"))),
        llm_bulk.WantedBulk,
    ),
    (llm_models.OrganizationModels, "GET"): Operation(
        "List the names of models",
        record(models=TEXTS),
        query=[_flag("chat_only", "Without embedding models."), _flag("exclude_embeddings", "The same.")],
    ),
    (llm_models.AccountModels, "GET"): Operation(
        "List models",
        record(
            models=listed(ref("OldModel")),
            chat_models=listed(ref("ChatModel")),
            embedding_models=listed(ref("EmbeddingModel")),
        ),
        query=[
            _text("provider_name", "Models of this provider."),
            _flag("provider_enabled", "Models of providers with a key, or with false of those without."),
            _flag("llm_enabled", "Only those that can be used now.", True),
            _flag("chat_agent_only", "Only those that call tools."),
            _flag("ocr_only", "None: pages are read on this machine."),
        ],
    ),
    (llm_models.Providers, "GET"): Operation("List model providers", record(providers=listed(ref("Provider")))),
    (llm_models.OneProvider, "PUT"): Operation(
        "Choose a provider's models and its key",
        told("LLM provider config updated successfully"),
        llm_models.ChangedProvider,
    ),
}
