"""Bulk actions: one change for many documents, as a job with progress, stop, undo and reasons."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import QuerySet
from rest_framework import serializers
from rest_framework.request import Request

from accounts.access import fetch
from accounts.actor import Actor
from accounts.api.access import OrganizationView
from accounts.api.wire.described import Choice, Header, describe, describe_window
from accounts.api.wire.fields import ExactSerializer, StrictTextField, TrueOrFalse, read_choice
from accounts.api.wire.pagination import count_rows, read_window
from accounts.api.wire.responses import BYTES_OF_ANY, Accepted, Answer
from accounts.models import Role
from documents import bulk
from documents.api.bulk import answers
from documents.api.document_filters import BulkFilters, apply_filters
from documents.api.uploads import read_upload_key
from documents.bulk.downloads import GONE, LOST_ACCESS, NOT_YET, open_download
from documents.bulk.kinds.downloading import NEEDS
from documents.bulk.progress import estimate_seconds_left
from documents.bulk.requesting import KEY_USED, NOT_YOURS, NOTHING, NOTHING_LEFT
from documents.bulk.run_results import sum_cost_micros
from documents.models import BulkAction, BulkItem, Document
from documents.results import FORMATS, MEDIA_TYPES
from documents.results.layout import HEADERS, LISTS, MAX_COLUMNS, VALUES
from kit.errors import Invalid
from kit.http.file_answers import UnchangedFile, WholeFile
from kit.http.streamed_files import StreamedFile, answer_download
from kit.ids import is_id
from kit.json_types import JsonObject
from kit.paging import part_of
from kit.timestamps import format_timestamp

_OF_RESULTS = ("columns", "headers", "lists", "proof", "values", "schema_id")
_OF_RUNS = ("prompt_revid", "again", "anyway", "model", "hint")
ARGUMENTS = ("tag_id", "document_type", "content", "format", *_OF_RUNS, *_OF_RESULTS)
# What the agent or a page alone asks for, and what only an undo does.
NOT_ASKED_FOR = (
    BulkAction.Kind.ASK,
    BulkAction.Kind.CHANGE,
    BulkAction.Kind.JUDGE,
    BulkAction.Kind.REVERT,
    BulkAction.Kind.UNJUDGE,
    BulkAction.Kind.UNTYPE,
    BulkAction.Kind.WITHDRAW,
)
SELECTION = "Send document_ids or document_filters, one of them. An empty object of filters selects all documents."


class WantedAction(ExactSerializer):
    """`document_ids` or `document_filters`, one of them; what they select is settled when the action is asked for.

    `tag` and `untag` need `tag_id`, `type` needs `document_type`, by key or name. `run` needs `prompt_revid`; with
    `again` it also runs where that version has a result, and with `anyway` on documents that are surely of another
    type. `set_up` takes `model` and a `hint` in words. `download` takes `content` (originals, results) and `format`
    (zip, csv, xlsx, json, jsonl); for results also `columns` in order, `headers`, `lists`, `proof`, `values` and
    `schema_id`.
    """

    action = serializers.ChoiceField(choices=[each for each in BulkAction.Kind.choices if each[0] not in NOT_ASKED_FOR])
    document_ids = serializers.ListField(
        child=StrictTextField(), required=False, allow_null=True, default=None, max_length=bulk.MAX_NAMED
    )
    document_filters = BulkFilters(required=False, allow_null=True, default=None)
    tag_id = StrictTextField(required=False, allow_null=True)
    document_type = StrictTextField(required=False, allow_null=True)
    prompt_revid = StrictTextField(required=False, allow_null=True)
    model = StrictTextField(max_length=200, required=False, allow_null=True)
    hint = StrictTextField(max_length=2000, required=False, allow_null=True)
    again = TrueOrFalse(required=False, allow_null=True)
    anyway = TrueOrFalse(required=False, allow_null=True)
    content = serializers.ChoiceField(choices=["originals", "results"], required=False, allow_null=True)
    format = serializers.ChoiceField(choices=["zip", *FORMATS], required=False, allow_null=True)
    columns = serializers.ListField(child=StrictTextField(), required=False, allow_null=True, max_length=MAX_COLUMNS)
    headers = serializers.ChoiceField(choices=HEADERS, required=False, allow_null=True)
    lists = serializers.ChoiceField(choices=LISTS, required=False, allow_null=True)
    proof = TrueOrFalse(required=False, allow_null=True)
    values = serializers.ChoiceField(choices=VALUES, required=False, allow_null=True)
    schema_id = StrictTextField(required=False, allow_null=True)


class BulkActions(OrganizationView):
    """Change many documents by one job. It goes on when the client goes away; `Location` leads to its progress.

    The same `Idempotency-Key` with the same request gives the same action again, with another request 409.
    """

    roles = {"GET": Role.VIEWER, "POST": Role.VIEWER}
    bodies = {"POST": WantedAction}

    @describe(
        "List bulk actions",
        query=[
            *describe_window(),
            Choice("status", "In this state.", allowed=BulkAction.Status.values),
        ],
    )
    def get(self, request: Request) -> Answer[answers.BulkPage]:
        """Bulk actions of everybody, the newest first. They are kept for EVENT_DAYS (30)."""
        rows = BulkAction.objects.for_org(self.actor.organization)
        if status := read_choice(request, "status", "", tuple(BulkAction.Status.values)):
            rows = rows.filter(status=status)
        at = read_window(request)
        part = part_of(_with_names(rows).order_by("-created_at", "-pk"), at)
        return Answer({"bulk_actions": serialize_actions(part.rows), **count_rows(part, at)})

    @describe(
        "Change many documents",
        query=[Header("Idempotency-Key", "The same key with the same request gives the action of the first time.")],
        refusals={
            400: [SELECTION, NOTHING, NEEDS, "Invalid document IDs: ['65f1a2b3c4d5e6f708192a3b']"],
            404: ["Tag not found", "Prompt not found"],
            409: [KEY_USED],
            413: ["100,000 documents are the most of one bulk action of this kind. Narrow the filter, then go on."],
        },
    )
    def post(self, request: Request) -> Accepted[answers.BulkState]:
        sent = self.read_body()
        request_key = bulk.make_request_key(self.actor, sent, read_upload_key(request))
        action = bulk.find_by_key(self.actor, request_key) or bulk.create(
            self.actor,
            kind=sent["action"],
            arguments={name: sent[name] for name in ARGUMENTS if sent.get(name) is not None},
            documents=self._select(sent),
            named_ids=sent["document_ids"] or (),
            request_key=request_key,
        )
        return _accept(self.actor, action)

    def _select(self, sent: JsonObject) -> QuerySet[Document]:
        ids, filters = sent["document_ids"], sent["document_filters"]
        if (ids is None) == (filters is None):
            raise Invalid(SELECTION)
        rows = bulk.get_kind(sent["action"]).list_candidates(self.actor)
        if ids is None:
            return apply_filters(rows, self.actor, filters)
        return rows.filter(pk__in=[document_id for document_id in ids if is_id(document_id)])


class OneBulkAction(OrganizationView):
    """How far it has come, and its documents: those left out or failed with the reason."""

    roles = {"GET": Role.VIEWER}

    @describe(
        "Get a bulk action with its documents",
        query=[
            *describe_window(default=100, maximum=1000),
            Choice("item_status", "Documents in this state.", allowed=BulkItem.Status.values),
        ],
    )
    def get(self, request: Request, bulk_action_id: str) -> Answer[answers.WholeBulkState]:
        action = fetch_action(self.actor, bulk_action_id)
        items = BulkItem.objects.filter(action=action).select_related("document").order_by("pk")
        if status := read_choice(request, "item_status", "", tuple(BulkItem.Status.values)):
            items = items.filter(status=status)
        at = read_window(request, default=100, maximum=1000)
        part = part_of(items, at)
        whole: answers.WholeBulkState = {
            **serialize_action(action),
            "items": [_serialize_item(item) for item in part.rows],
            **count_rows(part, at),
        }
        return Answer(whole)


class BulkStop(OrganizationView):
    """What was done stays; what was not is left out. Whoever asked for it may, and admins."""

    roles = {"POST": Role.VIEWER}

    @describe("Stop a bulk action", refusals={403: [NOT_YOURS], 409: ["This bulk action has ended already."]})
    def post(self, request: Request, bulk_action_id: str) -> Answer[answers.BulkState]:
        action = bulk.stop(self.actor, action=fetch_action(self.actor, bulk_action_id))
        return Answer(serialize_action(action))


class BulkUndo(OrganizationView):
    """Another bulk action, which takes back what this one did and nobody has changed since.

    Asked again it is the same one; one that was stopped or ended early goes on with what is left.
    """

    roles = {"POST": Role.VIEWER}

    @describe(
        "Undo a bulk action",
        refusals={
            400: ["What this bulk action did cannot be undone.", NOTHING_LEFT],
            403: [NOT_YOURS],
            409: ["This bulk action is still under way. Stop it first."],
        },
    )
    def post(self, request: Request, bulk_action_id: str) -> Accepted[answers.BulkState]:
        return _accept(self.actor, bulk.undo(self.actor, action=fetch_action(self.actor, bulk_action_id)))


class BulkFile(OrganizationView):
    """The file of a download, made while it is sent. Files that are not there any more are named in `left-out.txt`.

    Results of more than 500 documents are written by a job first, and can be fetched for RESULT_FILE_DAYS (7) by
    whoever asked for them, and by admins.
    """

    roles = {"GET": Role.VIEWER}

    @describe(
        "Get the file of a download",
        files=[BYTES_OF_ANY, *MEDIA_TYPES.values()],
        refusals={
            400: ["This bulk action is no download."],
            403: [NOT_YOURS, LOST_ACCESS],
            404: [GONE],
            409: [NOT_YET],
        },
    )
    def get(self, request: Request, bulk_action_id: str) -> StreamedFile | WholeFile | UnchangedFile:
        file = open_download(self.actor, action=fetch_action(self.actor, bulk_action_id))
        return answer_download(request._request, file)


def fetch_action(actor: Actor, bulk_action_id: str) -> BulkAction:
    return fetch(actor, _with_names(BulkAction.objects.all()), bulk_action_id, noun="Bulk action")


def serialize_action(action: BulkAction) -> answers.BulkState:
    return serialize_actions([action])[0]


def serialize_actions(actions: Collection[BulkAction]) -> list[answers.BulkState]:
    costs = sum_cost_micros(actions)
    return [_serialize(action, costs.get(action.pk, 0)) for action in actions]


def _serialize(action: BulkAction, cost_micros: int) -> answers.BulkState:
    undo = getattr(action, "undo", None)
    return {
        "bulk_action_id": action.pk,
        "action": action.kind,
        "arguments": bulk.get_kind(action.kind).list_shown(action.arguments),
        "status": action.status,
        "reason": action.reason,
        "total": action.total_count,
        "done": action.done_count,
        "left_out": action.left_out_count,
        "failed": action.failed_count,
        "seconds_left": estimate_seconds_left(action),
        "cost_usd": cost_micros / 1_000_000,
        "estimate_usd": None if action.estimate_micros is None else action.estimate_micros / 1_000_000,
        "can_undo": bulk.is_undoable(action),
        "undo_of": action.undo_of_id,
        "undone_by": undo.pk if undo else None,
        "requested_by": action.requested_by.shown_name if action.requested_by else "",
        "created_at": format_timestamp(action.created_at),
        "started_at": format_timestamp(action.started_at) if action.started_at else None,
        "finished_at": format_timestamp(action.finished_at) if action.finished_at else None,
    }


def _with_names(rows: QuerySet[BulkAction, BulkAction]) -> QuerySet[BulkAction, BulkAction]:
    return rows.select_related("requested_by", "undo__undo")


def _accept(actor: Actor, action: BulkAction) -> Accepted[answers.BulkState]:
    at = f"/v0/orgs/{actor.organization.pk}/documents/bulk/{action.pk}"
    return Accepted(serialize_action(action), headers={"Location": at, "Retry-After": "1"})


def _serialize_item(item: BulkItem) -> answers.BulkItemState:
    return {
        "document_id": item.document_id,
        "document_name": item.document.name,
        "status": item.status,
        "code": item.code,
        "reason": item.reason,
    }
