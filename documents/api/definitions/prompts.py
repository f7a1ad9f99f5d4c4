"""Prompts: GET takes a revision's id; PUT, DELETE and versions take the id of the prompt itself."""

from __future__ import annotations

from django.conf import settings
from django.db import transaction
from django.db.models.functions import Length
from rest_framework.request import Request

from accounts.access import fetch
from accounts.actor import Actor
from accounts.api.access import OrganizationView
from accounts.api.wire import conditions
from accounts.api.wire.answers import Message
from accounts.api.wire.described import Text, describe, describe_window
from accounts.api.wire.fields import read_list
from accounts.api.wire.grid import GRID, UNREADABLE, arrange
from accounts.api.wire.pagination import count_long_rows, read_window
from accounts.api.wire.responses import Answer
from accounts.models import Organization, Role
from documents.api import answers
from documents.api.definitions.prompt_bodies import PromptChange, PromptConfig
from documents.api.definitions.schemas import fetch_schema_version
from documents.api.document_filters import TAGS, UNKNOWN_TAGS
from documents.api.documents import fetch_document
from documents.catalog.row_versions import get_definition_version
from documents.definitions import definitions, fitting, prompts, tags
from documents.definitions.prompts import PromptContent
from documents.find import lists
from documents.models import Prompt, PromptRevision, SchemaRevision
from kit.errors import Conflict, Invalid
from kit.http.bodies import Body
from kit.json_types import JsonObject
from kit.paging import part_within
from kit.timestamps import format_timestamp
from llm import models_catalogue

DEFAULT_ID = "default"
DEFAULT_INCLUDE: answers.PromptParts = {"ocr_text": True, "metadata_keys": [], "pdf": True}


_MODEL = "Invalid model: no-such-model. The model no-such-model is not known here. Write it as provider/model."
_TAKEN = "There is a prompt named “Invoice” already. Use another name, or save a new version of it."


class Prompts(OrganizationView):
    body_kind = Body.TEXT
    roles = {"GET": Role.VIEWER, "POST": Role.BUILDER}
    bodies = {"POST": PromptConfig}

    @describe(
        "List prompts",
        query=[*describe_window(), *GRID, TAGS, Text("document_id", "Prompts that share a tag with this document.")],
        refusals={400: UNREADABLE, 404: ["Document not found"]},
    )
    def get(self, request: Request) -> Answer[answers.PromptPage]:
        """The latest revision of each."""
        document_id = request.query_params.get("document_id")
        document = fetch_document(self.actor, document_id) if document_id else None
        rows = lists.list_prompts(self.actor, tag_ids=read_list(request, "tag_ids"), document=document)
        at = read_window(request)
        rows = arrange(rows, request, lists.PROMPTS)
        part = part_within(rows, at, letters=Length("latest__content"), maximum=lists.MAX_PAGE_LETTERS)
        return Answer({"prompts": [_serialize_latest(prompt) for prompt in part.rows], **count_long_rows(part, at)})

    @describe(
        "Make a prompt, or the next version of the one with this name",
        refusals={400: [_MODEL, UNKNOWN_TAGS], 404: ["Schema not found"], 409: [_TAKEN]},
    )
    def post(self, request: Request) -> Answer[answers.Prompt]:
        """A name that is taken makes the next version of it. Without `schema_version` the schema's latest counts."""
        sent = self.read_body()
        name = " ".join(sent["name"].split())
        with transaction.atomic():
            revision = _save_by_name(self.actor, name, _read_content(self.actor, sent))
            _set_types(self.actor, revision, sent)
        return Answer(serialize_prompt(revision))


def _set_types(actor: Actor, revision: PromptRevision, sent: JsonObject) -> None:
    """They have no versions: they say when it runs, not what it asks."""
    if "document_types" in sent:
        revision.prompt = fitting.set_types(actor, prompt=revision.prompt, types=sent["document_types"])


def _save_by_name(actor: Actor, name: str, content: PromptContent) -> PromptRevision:
    """A new prompt, or the next version of the one with exactly this name; in another writing the name is taken."""
    try:
        return prompts.create(actor, name=name, **content)
    except Conflict as taken:
        other = fetch(actor, Prompt.objects.all(), (taken.winner or {}).get("prompt_id"), noun="Prompt")
        if other.name != name:
            raise
    return prompts.save_version(actor, prompt=other, always=True, **content)


def _read_content(actor: Actor, sent: JsonObject, current: SchemaRevision | None = None) -> PromptContent:
    """The content that a body names, checked; every id is looked up."""
    if sent.get("kb_id"):
        raise Invalid(f"Knowledge base {sent['kb_id']} not found")
    changes = PromptContent()
    if "content" in sent:
        changes["content"] = sent["content"].replace("\0", "")
    if "model" in sent:
        changes["model"] = _resolve_model(sent["model"] or "")
    if "tag_ids" in sent:
        changes["tags"] = tags.require_tags(actor, sent["tag_ids"] or [])
    if "peer_match_keys" in sent:
        changes["peer_match_keys"] = sent["peer_match_keys"] or []
    if "include" in sent:
        changes["include"] = _clean_include(sent["include"])
    if "schema_id" in sent or sent.get("schema_version") is not None:
        changes["schema_revision"] = _fetch_schema_revision(actor, sent, current)
    return changes


def _fetch_schema_revision(actor: Actor, sent: JsonObject, current: SchemaRevision | None) -> SchemaRevision | None:
    """A version alone is one of the schema that the prompt has."""
    version = sent.get("schema_version")
    schema_id = sent.get("schema_id", current and current.schema_id)
    if schema_id:
        return fetch_schema_version(actor, schema_id, version)
    if "schema_id" not in sent:
        raise Invalid(f"schema_version is {version}, but the prompt has no schema: send schema_id with it.")
    return None


def _resolve_model(name: str) -> str:
    if name:
        try:
            models_catalogue.check_usable(name)
        except Invalid as error:
            if error.code == "unknown_model":
                raise
            raise Invalid(f"Invalid model: {name}. {error.sentence}", code=error.code) from None
    return name


def _clean_include(sent: JsonObject | None) -> JsonObject:
    """Nothing is kept of what is usual, so that a prompt made elsewhere and sent back unchanged is the same."""
    return {} if sent is None or dict(sent) == DEFAULT_INCLUDE else dict(sent)


class OnePrompt(OrganizationView):
    body_kind = Body.TEXT
    is_conditional = True
    roles = {"GET": Role.VIEWER, "PUT": Role.BUILDER, "DELETE": Role.BUILDER}
    bodies = {"PUT": PromptChange}

    @describe("Get a prompt revision")
    def get(self, request: Request, prompt_id: str) -> Answer[answers.Prompt] | conditions.NotModified:
        """The id is that of a revision, for GET; PUT, DELETE and versions take the id that all revisions share.
        `default` is the summary that every organization has.
        """
        if prompt_id == DEFAULT_ID:
            default = conditions.Representation(_serialize_default(self.actor.organization), DEFAULT_ID)
            return conditions.answer_unless_known(request, default)
        return conditions.answer_unless_known(request, represent(fetch_revision(self.actor, prompt_id)))

    @describe("Change a prompt", refusals={400: [_MODEL, UNKNOWN_TAGS], 404: ["Schema not found"], 409: [_TAKEN]})
    def put(self, request: Request, prompt_id: str) -> Answer[answers.Prompt]:
        """A field that is left out stays as it is. A new name renames; anything else that differs makes a revision."""
        prompt = _fetch_prompt(self.actor, prompt_id)
        latest = prompt.latest
        sent = self.read_body()
        changes = _read_content(self.actor, sent, latest.schema_revision if latest else None)
        if latest and changes.get("model") == _get_model_name(latest):
            changes["model"] = latest.model
        expected = conditions.read_expected_versions(request)
        with conditions.name_winner(lambda: _represent_newest(self.actor, prompt_id)), transaction.atomic():
            revision = prompts.save_version(
                self.actor, prompt=prompt, name=sent.get("name"), expected_versions=expected, **changes
            )
            _set_types(self.actor, revision, sent)
        return conditions.answer(represent(revision))

    @describe("Delete a prompt")
    def delete(self, request: Request, prompt_id: str) -> Answer[Message]:
        """All of its revisions; what they found stays. It goes to the trash, where an admin can bring it back."""
        prompt, expected = _fetch_prompt(self.actor, prompt_id), conditions.read_expected_versions(request)
        with conditions.name_winner(lambda: _represent_newest(self.actor, prompt_id)):
            prompts.trash(self.actor, head=prompt, expected_versions=expected)
        return Answer({"message": "Prompt deleted successfully"})


class PromptVersions(OrganizationView):
    roles = {"GET": Role.VIEWER}

    @describe("List the versions of a prompt", query=describe_window(default=1000, maximum=1000))
    def get(self, request: Request, prompt_id: str) -> Answer[answers.PromptPage]:
        """The newest first."""
        accepted = _fetch_prompt(self.actor, prompt_id).revisions.filter(status=PromptRevision.Status.ACCEPTED)
        rows = accepted.select_related("prompt", "schema_revision").prefetch_related("tags")
        at = read_window(request, default=1000, maximum=1000)
        part = part_within(rows.order_by("-number"), at, letters=Length("content"), maximum=lists.MAX_PAGE_LETTERS)
        return Answer({"prompts": [serialize_prompt(revision) for revision in part.rows], **count_long_rows(part, at)})


def _fetch_prompt(actor: Actor, prompt_id: str) -> Prompt:
    return fetch(actor, Prompt.objects.select_related("latest__schema_revision"), prompt_id, noun="Prompt")


def fetch_revision(actor: Actor, revid: str) -> PromptRevision:
    """A revision of a prompt that is not in the trash. Raises NotFound."""
    rows = PromptRevision.objects.filter(prompt__trashed_at=None)
    return fetch(actor, rows.select_related("prompt", "schema_revision"), revid, noun="Prompt")


def _serialize_latest(prompt: Prompt) -> answers.Prompt:
    assert prompt.latest is not None  # noqa: S101 - the list leaves out prompts without one
    prompt.latest.prompt = prompt
    return serialize_prompt(prompt.latest)


def represent(revision: PromptRevision) -> conditions.Representation[answers.Prompt]:
    return conditions.Representation(serialize_prompt(revision), get_definition_version(revision.prompt, revision))


def _represent_newest(actor: Actor, prompt_id: str) -> conditions.Representation[answers.Prompt]:
    return represent(definitions.get_newest_revision(_fetch_prompt(actor, prompt_id)))


def serialize_prompt(revision: PromptRevision) -> answers.Prompt:
    schema = revision.schema_revision
    return {
        "name": revision.prompt.name,
        "content": revision.content,
        "schema_id": schema.schema_id if schema else None,
        "schema_version": schema.number if schema else None,
        "tag_ids": [tag.pk for tag in revision.tags.all()],
        "model": _get_model_name(revision),
        "kb_id": None,
        "peer_match_keys": revision.peer_match_keys,
        "include": {**DEFAULT_INCLUDE, **revision.include},
        "prompt_revid": revision.pk,
        "prompt_id": revision.prompt_id,
        "prompt_version": revision.number,
        "created_at": format_timestamp(revision.created_at),
        "created_by": revision.created_by_id or "",
        "status": revision.status,
        "document_types": revision.prompt.type_keys,
    }


def _get_model_name(revision: PromptRevision) -> str:
    """Clients want a name: where none is chosen, that of the model that runs."""
    return revision.model or settings.EXTRACTION_MODEL


def _serialize_default(organization: Organization) -> answers.Prompt:
    """The prompt that every organization has without a row: a summary."""
    return {
        "name": prompts.DEFAULT_NAME,
        "content": prompts.DEFAULT_CONTENT,
        "schema_id": None,
        "schema_version": None,
        "tag_ids": [],
        "model": settings.EXTRACTION_MODEL,
        "kb_id": None,
        "peer_match_keys": [],
        "include": DEFAULT_INCLUDE,
        "prompt_revid": DEFAULT_ID,
        "prompt_id": DEFAULT_ID,
        "prompt_version": 1,
        "created_at": format_timestamp(organization.created_at),
        "created_by": "",
        "status": PromptRevision.Status.ACCEPTED,
        "document_types": [],
    }
