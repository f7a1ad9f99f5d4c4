"""Words of the document that no view has: what a route does, and the sentences with which it is refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from accounts.api import organizations, tokens, users
from accounts.services.sign_in.passwords import GUESSABLE
from accounts.services.tokens import LIMITED, OWN_ONLY
from accounts.services.users import NO_PASSWORD_BY_TOKEN, WRONG_PASSWORD
from agent.api import auto_setup, chat, decisions, threads, turns, wishes
from agent.calls.bulk_decisions import GONE
from documents.api import document_tags, documents, saved_views, uploads
from documents.api.definitions import prompts, schemas, tags
from documents.api.llm import bare_calls, bulk_runs, catalogue, estimates, prompt_results, prompt_runs
from documents.api.parts import splitting
from documents.api.readings import exports, ocr, reading
from documents.catalog.media_types import TAKEN_IN
from documents.document_changes import NO_TAG
from documents.extractions.requesting import KEY_USED as RUN_KEY_USED
from documents.intake.splitting import NOT_READ
from documents.intake.uploads import FULL, IDENTICAL

Route = tuple[type, str]
_OWN = "Your own tokens, the newest first; of each the first ten characters."
_MADE = (
    "The token stands whole in this answer and is never shown again. `lifetime` is in days, 0 is for ever. With "
    "`role_ceiling` it acts with that role at most, with `upload_only` it uploads documents and does nothing else; "
    "such a token makes none. Made with a token, it is of the same user and ends no later than that one, also when "
    "that one is revoked."
)
_ENDED = "One of your own: by a token, itself or one that it made. It opens nothing from now on, nor do those it made."
_REVISION = "The id is that of a revision, for GET; PUT, DELETE and versions take the id that all revisions share."
_VIEW = ["The name has 100 characters; 80 are the most.", "There is no state “foo”."]
_NEXT = "A name that is taken makes the next version of it. "
_TO_TRASH = "It goes to the trash, where an admin can bring it back."

ABOUT: Mapping[Route, str] = {
    (tokens.AccountTokens, "GET"): _OWN,
    (tokens.AccountTokens, "POST"): _MADE,
    (tokens.AccountToken, "DELETE"): _ENDED,
    (tokens.OrganizationTokens, "GET"): _OWN,
    (tokens.OrganizationTokens, "POST"): _MADE + " It opens this organization's routes only, with your role.",
    (tokens.OrganizationToken, "DELETE"): _ENDED,
    (organizations.Organizations, "GET"): "Those that you belong to; for system admins all.",
    (organizations.Organizations, "POST"): "You become its admin. 25 for each person.",
    (organizations.OneOrganization, "DELETE"): "For its admins and for system admins. Nobody enters it any more.",
    (users.Users, "POST"): "For system admins, also with an account token: the password is that of a new account, "
    "which nobody has used. An organization with the address as its name is made with it.",
    (users.OneUser, "PUT"): "A password is set in a session only, one's own with `old_password`; with `end_tokens` all "
    "access tokens of the user end too. The session it is set in goes on, all others end.",
    (users.OneUser, "DELETE"): "Oneself, or for a system admin anybody. The last admin of an organization stays.",
    (documents.Documents, "GET"): "The newest first, unless `sort` says otherwise.",
    (documents.Documents, "POST"): "What can be stored is stored, and the others stand in `errors`; when there is "
    "nothing to store, it is 400. As JSON a file of MAX_UPLOAD_MB (50) fits. Every document is read after its upload.",
    (documents.OneDocumentView, "GET"): "With the file as base64, unless `include_content` is false.",
    (
        documents.OneDocumentView,
        "PUT",
    ): "What is left out stays. `tag_ids` and `metadata` replace all there was.",
    (documents.OneDocumentView, "DELETE"): f"{_TO_TRASH} All documents in it go along and come back with it.",
    (uploads.MultipartUpload, "POST"): "Up to MAX_UPLOAD_MB (50). `name` stands before the file's own.",
    (reading.ReadMetadata, "GET"): "Of the newest completed reading.",
    (exports.MarkdownExport, "GET"): "The text of all pages with its tables.",
    (exports.HtmlExport, "GET"): "The text of all pages with its tables, for saving.",
    (saved_views.SavedViews, "GET"): "Your own and those for everybody, in their order.",
    (saved_views.SavedViews, "POST"): "Your own; with `is_shared` one for everybody, which takes a builder.",
    (saved_views.OneSavedView, "GET"): "With the filters that it stands for.",
    (saved_views.OneSavedView, "PUT"): "What is left out stays as it is. One for everybody takes a builder.",
    (saved_views.OneSavedView, "DELETE"): "Documents stay as they are. One for everybody takes a builder.",
    (tags.Tags, "GET"): "The newest first, unless `sort` says otherwise.",
    (
        tags.Tags,
        "POST",
    ): "It joins documents to the prompts that run on them. Without a colour it gets the usual one.",
    (tags.OneTag, "GET"): "With its colour and description.",
    (tags.OneTag, "PUT"): "What is left out stays as it is; null clears the description.",
    (tags.OneTag, "DELETE"): "Only while no document and no revision of a prompt carries it.",
    (schemas.Schemas, "GET"): "The latest revision of each.",
    (schemas.Schemas, "POST"): _NEXT + "The inner schema is JSON Schema, Draft 7.",
    (schemas.OneSchema, "GET"): _REVISION,
    (schemas.OneSchema, "PUT"): "A new name renames; another `response_format` or `value_checks` makes a revision.",
    (schemas.OneSchema, "DELETE"): "All of its revisions, while no prompt uses one. " + _TO_TRASH,
    (schemas.SchemaVersions, "GET"): "The newest first.",
    (prompts.Prompts, "GET"): "The latest revision of each.",
    (prompts.Prompts, "POST"): _NEXT + "Without `schema_version` the schema's latest counts.",
    (prompts.OnePrompt, "GET"): _REVISION + " `default` is the summary that every organization has.",
    (
        prompts.OnePrompt,
        "PUT",
    ): "What is left out stays as it is. A new name renames; anything else that differs makes a revision.",
    (prompts.OnePrompt, "DELETE"): "All of its revisions; what they found stays. " + _TO_TRASH,
    (prompts.PromptVersions, "GET"): "The newest first.",
    (prompt_results.Result, "GET"): "What a prompt found in a document, with the corrections of people on top.",
    (prompt_results.Result, "PUT"): "The whole result with corrections; what differs is kept as edits of yours.",
    (prompt_results.Result, "DELETE"): "It is withdrawn; its history stays.",
    (
        decisions.CallDecision,
        "POST",
    ): "As it was shown: `version` and `shown_hash` stand on the card. What was "
    "approved is what runs, exactly once. `arguments` are your own in the place of the model's.",
}

_SORT = ("Invalid sort JSON", "Invalid filters JSON")
_ONE_OF_TWO = "user_id and organization_id cannot be used together"
_TAG_IDS = "Invalid tag IDs: ['65f1a2b3c4d5e6f708192aff']"
_KEY_USED = "This Idempotency-Key was used for another file already."
_IDENTICAL = IDENTICAL.format(name="copy.pdf", first="invoice.pdf")
_EXTENSION = f"Unsupported file extension .exe: notes.exe. {TAKEN_IN}"
_TOO_LARGE = "scan.pdf is larger than 50 MB, the most that is taken here."
_MODEL = "Invalid model: no-such-model. The model no-such-model is not known here. Write it as provider/model."
_TAKEN = "There is a prompt named “Invoice” already. Use another name, or save a new version of it."
_NAME = "The name has 260 characters; 200 is the most."
_WEAK = GUESSABLE.format(score=0, minimum=1)
_LAST = "This is the last system admin. Make somebody else one first."
_TOKEN = {
    400: ["A token needs a name of 1 to 200 characters."],
    403: [LIMITED, "A token cannot make one that outlives it: this one ends on 2026-12-31. It makes none any more."],
}
_ENDS = {403: [OWN_ONLY]}
_CALL = {
    400: ["claude-sonnet-4-6 cannot be used yet: set ANTHROPIC_API_KEY."],
    402: ["Insufficient SPU credits: This call may cost $0.24, and $0.00 is left of this month's budget of $50.00."],
    502: ["Anthropic could not be reached or answered with an error (529). Try again later."],
    504: ["claude-sonnet-4-6 did not answer within 25 seconds. With stream: true there is more time."],
}

# Status to sentences. What every route can say (401, 403, 404 for the ids of its path, 413, 422) is added to it.
_DECIDED: Mapping[int, Sequence[str]] = {409: ["This proposal was accepted by Ada Lovelace already."]}
REFUSALS: Mapping[Route, Mapping[int, Sequence[str]]] = {
    (tokens.AccountTokens, "POST"): _TOKEN,
    (auto_setup.AutoSetupAccept, "POST"): {400: ["The name has 201 characters; 200 is the most."], **_DECIDED},
    (auto_setup.AutoSetupReject, "POST"): {400: ["The reason has 2001 characters; 2000 is the most."], **_DECIDED},
    (auto_setup.AutoSetupRequest, "POST"): {
        400: ["claude-sonnet-4-6 cannot be used yet: set ANTHROPIC_API_KEY."],
        409: ["The automatic setup of this document is being made."],
    },
    (auto_setup.AutoSetupRetry, "POST"): {
        400: ["claude-sonnet-4-6 cannot be used yet: set ANTHROPIC_API_KEY."],
        **_DECIDED,
    },
    (tokens.OrganizationTokens, "POST"): _TOKEN,
    (organizations.Organizations, "GET"): {400: [_ONE_OF_TWO], 404: ["Organization not found", "User not found"]},
    (organizations.Organizations, "POST"): {400: ["An organization named Acme exists already."]},
    (organizations.OneOrganization, "PUT"): {
        400: [
            "Acme needs an admin. Make somebody else admin first.",
            "Invalid organization type upgrade: team cannot become individual.",
        ]
    },
    (organizations.TokenOrganization, "GET"): {401: ["Invalid token"]},
    (users.Users, "GET"): {400: [_ONE_OF_TWO], 404: ["User not found", "Organization not found"]},
    (users.Users, "POST"): {400: ["Email already registered", _WEAK]},
    (users.OneUser, "PUT"): {
        400: ["No data to update", _LAST, WRONG_PASSWORD, _WEAK],
        403: [NO_PASSWORD_BY_TOKEN, users.NO_PROMOTION_BY_TOKEN, OWN_ONLY],
    },
    (tokens.AccountToken, "DELETE"): _ENDS,
    (tokens.OrganizationToken, "DELETE"): _ENDS,
    (users.OneUser, "DELETE"): {400: [_LAST]},
    (documents.Documents, "GET"): {400: _SORT},
    (documents.Documents, "POST"): {
        400: [_EXTENSION, "Invalid base64 content: Incorrect padding", _TAG_IDS],
        409: [_KEY_USED, _IDENTICAL],
        413: [_TOO_LARGE],
        507: [FULL],
    },
    (uploads.MultipartUpload, "POST"): {
        400: ["File name is required", _EXTENSION, "tag_ids must be a JSON array of strings"],
        409: [_KEY_USED, _IDENTICAL],
        413: [_TOO_LARGE],
        415: ['Unsupported media type "application/json" in request.'],
        507: [FULL],
    },
    (documents.OneDocumentView, "GET"): {404: ["Document not found", "File not found"]},
    (documents.OneDocumentView, "PUT"): {400: [_TAG_IDS]},
    (document_tags.DocumentTags, "POST"): {404: ["Document not found", NO_TAG]},
    (splitting.SplitView, "POST"): {
        400: ["There is no page 6; the document has 5.", NOT_READ],
        409: ["“invoice.pdf” has pages 1–2 already. Move it to the trash to split them anew."],
        413: [_TOO_LARGE],
        507: [FULL],
    },
    (splitting.SplitView, "DELETE"): {409: ["It is not split any more."]},
    (documents.OneDocumentView, "DELETE"): {409: ["This document is already in the trash."]},
    (documents.DocumentFile, "GET"): {
        404: ["Document not found", "File not found"],
        412: ["The file is not the one that If-Match names."],
        416: ["The file has 2,048 bytes, and none of those that were asked for."],
    },
    (reading.ReadText, "GET"): {404: ["Document not found", reading.NO_TEXT]},
    (reading.ReadJson, "GET"): {404: ["Document not found", reading.NO_DATA]},
    (reading.ReadBlocks, "GET"): {404: ["Document not found", reading.NO_DATA]},
    (reading.ReadMetadata, "GET"): {404: ["Document not found", reading.NO_METADATA]},
    (exports.MarkdownExport, "GET"): {404: ["Document not found", reading.NO_DATA]},
    (exports.HtmlExport, "GET"): {404: ["Document not found", reading.NO_DATA]},
    (exports.TablesExport, "GET"): {
        400: ["Table index 3 is out of range: this document has 2 tables, from 0."],
        404: ["Document not found", reading.NO_DATA, "No tables found in this document"],
    },
    (ocr.RunOcr, "POST"): {400: ["Document type does not support OCR"]},
    (ocr.UnlockDocument, "POST"): {
        400: ["The password does not open this PDF.", "This document does not ask for a password."],
        409: ["This document is being read. Send the password when that has ended, if it asks for one."],
        429: ["Too many attempts. Try again in 2 seconds."],
    },
    (ocr.AnalyzeOcr, "POST"): {400: ["Invalid filters JSON"], 404: ["Tag not found"]},
    (tags.Tags, "GET"): {400: _SORT},
    (tags.Tags, "POST"): {400: ["Tag with name 'Invoices' already exists"]},
    (tags.OneTag, "PUT"): {400: ["Tag with name 'Invoices' already exists"]},
    (tags.OneTag, "DELETE"): {400: ["Cannot delete tag 'Invoices' because it is assigned to one or more documents"]},
    (schemas.Schemas, "GET"): {400: _SORT},
    (schemas.Schemas, "POST"): {400: [_NAME]},
    (schemas.OneSchema, "PUT"): {
        400: [_NAME],
        409: ["There is a schema named “Invoice” already. Use another name, or save a new version of it."],
    },
    (schemas.OneSchema, "DELETE"): {
        400: ['Cannot delete schema because it has dependent prompts:[{"name": "Invoice", "schema_version": 1}]']
    },
    (prompts.Prompts, "GET"): {400: _SORT, 404: ["Document not found"]},
    (prompts.Prompts, "POST"): {400: [_MODEL, _TAG_IDS], 404: ["Schema not found"], 409: [_TAKEN]},
    (prompts.OnePrompt, "PUT"): {400: [_MODEL, _TAG_IDS], 404: ["Prompt not found", "Schema not found"], 409: [_TAKEN]},
    (prompt_runs.RunPrompt, "POST"): {
        400: _CALL[400],
        402: _CALL[402],
        404: ["Document not found", "Prompt not found", prompt_runs.NOT_READ],
        409: [RUN_KEY_USED],
        500: ["Error processing document: The answer of claude-sonnet-4-6 broke off in the middle. Try again."],
    },
    (prompt_results.Result, "GET"): {404: ["Document not found", "LLM result not found for this document and prompt"]},
    (prompt_results.Result, "PUT"): {
        400: ["Updated result signature does not match original: the top-level names differ."],
        404: ["Document not found", "Prompt not found"],
        409: ["There is a newer run of this prompt. Load the page again and change the value there."],
    },
    (prompt_results.Result, "DELETE"): {404: ["Document not found", "Prompt not found", prompt_results.NO_RESULT]},
    (prompt_results.ResultsFile, "GET"): {404: ["Document not found", "LLM results for this document not found"]},
    (saved_views.SavedViews, "POST"): {400: _VIEW},
    (saved_views.OneSavedView, "PUT"): {400: _VIEW},
    (bulk_runs.BulkAnalysis, "POST"): {400: ["Invalid filters JSON"], 404: ["Tag not found"]},
    (estimates.CostEstimate, "POST"): {
        400: ["Send a tag_id or a prompt_revid, one of them."],
        404: ["Tag not found", "Prompt not found"],
    },
    (bare_calls.OrganizationChat, "POST"): _CALL,
    (bare_calls.AccountChat, "POST"): _CALL,
    (bare_calls.AccountEmbedding, "POST"): {**_CALL, 400: ["offline/rules writes answers; it makes no embeddings."]},
    (catalogue.OneProvider, "PUT"): {400: ["Built-in rules needs no key."]},
    (chat.Chat, "POST"): {
        400: [
            "Embedding models are not allowed for chat: text-embedding-3-small cannot write answers.",
            "auto_approve requires stream: true",
        ],
        404: ["Document not found", "Thread not found"],
        409: ["Another message has just started a turn in this thread."],
    },
    (chat.Approve, "POST"): {400: [GONE], 409: ["This call has been decided already."]},
    (chat.OneTurn, "GET"): {400: ["Last-Event-ID is of another turn."]},
    (threads.Threads, "POST"): {400: ["The title has 300 characters; 200 is the most."]},
    (wishes.Wishes, "POST"): {
        400: ["The list has 20 wishes, which is the most. Take one off, or join two."],
        403: ["This thread is Ana Adams's. Start one of your own to talk to the agent."],
    },
    (wishes.OneWish, "PUT"): {404: ["Standing wish not found"]},
    (turns.CancelTurn, "POST"): {409: ["This turn has ended already."]},
    (turns.TurnAnswer, "GET"): {404: ["Turn not found", "The turn has no answer."]},
    (turns.ResumeTurn, "POST"): {409: ["This turn is not paused."]},
    (decisions.CallDecision, "POST"): {
        400: ["document_name: File name is required"],
        409: ["This card has been decided already."],
        412: ['The card has changed: its ETag is "2.9f86d081" now. Look at it again, then decide.'],
    },
    (decisions.CallUndo, "POST"): {
        400: ["This cannot be taken back."],
        409: ["This run has been withdrawn already."],
    },
    (decisions.ChainUndo, "POST"): {
        400: ["No step of this chain can be taken back."],
        409: ["1 of 2 steps were taken back. Step 1 stays: This schema has changed since."],
    },
}
