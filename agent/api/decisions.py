"""Cards from outside the pages, with the guards of the pages: what waits, one of them, a decision, an undo."""

from __future__ import annotations

from rest_framework import serializers
from rest_framework.request import Request

from accounts.access import fetch
from accounts.actor import Actor
from accounts.api.access import OrganizationView
from accounts.api.wire.conditions import names_etag
from accounts.api.wire.described import Header, Text, describe, describe_window
from accounts.api.wire.errors import Unprocessable, make_fault
from accounts.api.wire.fields import ExactSerializer, StrictTextField
from accounts.api.wire.pagination import count_rows, read_window
from accounts.api.wire.responses import Answer
from accounts.models import Role
from agent.api import answers
from agent.calls import bulk_decisions, decisions, undo
from agent.conversation import threads
from agent.models import Decision, ToolCall
from agent.policy.decision_rights import Barriers
from agent.policy.policy_context import decider_of, decision_on
from kit.errors import PreconditionFailed
from kit.http.bodies import Body
from kit.ids import new_id
from kit.paging import part_of
from kit.timestamps import format_timestamp

LONGEST_KEY = 100
WITHOUT_MATCH = "Needed where If-Match is not sent."


_KEY = Header("Idempotency-Key", "The same key gives the same answer.")


class NewDecision(ExactSerializer):
    """`version` and `shown_hash` name what the caller was shown, or in If-Match: no other version is decided."""

    kind = serializers.ChoiceField(choices=["approved", "rejected"])
    version = serializers.IntegerField(min_value=1, required=False, help_text=WITHOUT_MATCH)
    shown_hash = StrictTextField(max_length=64, required=False, help_text=WITHOUT_MATCH)
    idempotency_key = StrictTextField(max_length=LONGEST_KEY, required=False)
    reason = StrictTextField(max_length=4000, required=False, allow_blank=True, default="")
    arguments = serializers.DictField(required=False, allow_null=True, default=None)


class Approvals(OrganizationView):
    """Every card that waits for a person and that you may see, the oldest first, with what it shows.

    `may_decide` tells whether you can approve it now, by the checks that the decision itself makes; `why_not` says what
    you lack, or what prevents it for anybody: a rule, a document in the trash, an agent that an admin stopped. A
    card that nobody can approve now can be rejected all the same where `may_reject` says so.
    """

    roles = {"GET": Role.VIEWER}

    @describe(
        "List what waits for a person",
        query=[
            *describe_window(),
            Text("document_id", "Of threads on this document."),
            Text("thread_id", "Of this thread."),
        ],
    )
    def get(self, request: Request) -> Answer[answers.CardPage]:
        at = read_window(request)
        rows = bulk_decisions.find_waiting(self.actor)
        for name in ("document_id", "thread_id"):
            if value := request.query_params.get(name):
                rows = rows.filter(**{f"thread__{name}" if name == "document_id" else name: value})
        part, barriers = part_of(rows, at), Barriers(self.actor)
        return Answer({"approvals": [describe_card(call, barriers) for call in part.rows], **count_rows(part, at)})


class OneCall(OrganizationView):
    """One tool call: what its card shows, and its outcome. A decision can name its `ETag` in `If-Match`."""

    roles = {"GET": Role.VIEWER}

    @describe("Get a tool call", query=[Header("ETag", "Of the card, for `If-Match`.", codes=(200,))])
    def get(self, request: Request, call_id: str) -> Answer[answers.CallDetails]:
        call = _call(self.actor, call_id)
        decision = decision_on(call)
        newest = (
            call.turn.calls.filter(round=call.round, position=call.position, undoes=None).order_by("version").last()
        )
        undoing_call = ToolCall.objects.filter(undoes=call).first()
        details: answers.CallDetails = {
            **describe_card(call, Barriers(self.actor)),
            "decision": describe_decision(decision) if decision else None,
            "result": call.result,
            "newest_call_id": newest.pk if newest else call.pk,
            "may_undo": not undoing_call and not undo.why_not(self.actor, call),
            "undone_by": undoing_call.pk if undoing_call else None,
        }
        return Answer(details, headers={"ETag": etag(call)})


class CallDecision(OrganizationView):
    """Approve or reject a card as it was shown, also with `arguments` of your own, which pass the same checks. What was
    approved is what runs, exactly once.

    `If-Match` names what you were shown with the card's ETag, or by `version` and `shown_hash`. Of all who decide
    a card one wins; the others get 409 with the decision that holds in `winner`. The same `Idempotency-Key` again gives
    the same decision.
    """

    body_kind = Body.TEXT
    # What a card needs depends on its tool; the service asks for that role.
    roles = {"POST": Role.REVIEWER}
    bodies = {"POST": NewDecision}

    @describe(
        "Decide a card",
        query=[Header("If-Match", "The card's ETag."), _KEY],
        refusals={
            400: ["document_name: File name is required"],
            409: ["This card has been decided already."],
            412: ['The card has changed: its ETag is "2.9f86d081" now. Look at it again, then decide.'],
        },
    )
    def post(self, request: Request, call_id: str) -> Answer[answers.Decision]:
        call = _call(self.actor, call_id)
        sent = {**self.read_body(), **_match_version(call, request.headers.get("If-Match", ""))}
        if missing := [name for name in ("version", "shown_hash") if name not in sent]:
            raise Unprocessable([make_fault("body", name, WITHOUT_MATCH, type="missing") for name in missing])
        sent["idempotency_key"] = _key(request) or sent.get("idempotency_key") or new_id()
        return Answer(describe_decision(decisions.decide(self.actor, call=call, **sent)))


class CallUndo(OrganizationView):
    """Take back what a call did: a call of your own, through the same guards. The agent is told. Money stays spent.

    409 when somebody has changed since what it did; 400 for a call that cannot be taken back.
    """

    roles = {"POST": Role.REVIEWER}

    @describe(
        "Undo a call",
        query=[_KEY],
        refusals={400: ["This cannot be taken back."], 409: ["This run has been withdrawn already."]},
    )
    def post(self, request: Request, call_id: str) -> Answer[answers.Undo]:
        call = _call(self.actor, call_id)
        return Answer(_serialize_undo(undo.undo_call(self.actor, call=call, idempotency_key=_key(request) or new_id())))


class ChainUndo(OrganizationView):
    """Take back the chain that this call is a step of, from its end. The same key again gives the same undos.

    409 at the first step that somebody has changed since: it and those before it stay. 400 when there is none to take
    back.
    """

    roles = {"POST": Role.REVIEWER}

    @describe(
        "Undo a chain of calls",
        query=[_KEY],
        refusals={
            400: ["No step of this chain can be taken back."],
            409: ["1 of 2 steps were taken back. Step 1 stays: This schema has changed since."],
        },
    )
    def post(self, request: Request, call_id: str) -> Answer[answers.UndoneChain]:
        call = _call(self.actor, call_id)
        undone = undo.undo_chain(self.actor, call=call, idempotency_key=_key(request) or new_id())
        return Answer({"undone": [_serialize_undo(each) for each in undone]})


def _serialize_undo(undone: ToolCall) -> answers.Undo:
    return {
        "call_id": undone.pk,
        "undoes": str(undone.undoes_id),
        "status": undone.status,
        "result": undone.result,
    }


def etag(call: ToolCall) -> str:
    """Of what a decision is about. It stays when the card is decided."""
    return f'"{call.version}.{call.shown_hash}"'


def describe_card(call: ToolCall, barriers: Barriers) -> answers.Card:
    """What the card shows to the actor of `barriers`."""
    thread, pending = call.thread, call.status == ToolCall.Status.PENDING
    why_not = (barriers.to_approve(call) or str(call.preview.get("problem", ""))) if pending else ""
    return {
        "call_id": call.pk,
        "turn_id": call.turn_id,
        "thread_id": call.thread_id,
        "thread_title": thread.title,
        "document_id": thread.document_id,
        "document_name": thread.document.name if thread.document else None,
        "owner": thread.owner.shown_name,
        "tool": call.tool,
        "status": call.status,
        "title": call.preview.get("title") or call.tool,
        "why_asks": call.why_asks,
        "access": call.access,
        "reach": call.reach,
        "chain": _describe_chain(call),
        "arguments": call.effective or {},
        "preview": call.preview,
        "version": call.version,
        "shown_hash": call.shown_hash,
        "etag": etag(call),
        "may_decide": pending and not why_not,
        "why_not": why_not,
        "may_reject": pending and not (why_not and barriers.to_decide(call)),
        "expires_at": format_timestamp(call.expires_at) if call.expires_at else None,
        "created_at": format_timestamp(call.created_at),
    }


def _describe_chain(call: ToolCall) -> answers.CallChain | None:
    if not call.chain_step:
        return None
    chain_id = f"{call.turn_id}.{call.round}.{call.chain}"
    return {"id": chain_id, "step": call.chain_step, "builds_on": call.builds_on}


def describe_decision(decision: Decision) -> answers.Decision:
    return {
        "call_id": decision.call_id,
        "version": decision.version,
        "kind": decision.kind,
        "by": decider_of(decision),
        "at": format_timestamp(decision.created_at),
        "reason": decision.reason,
        "edited": decision.edited,
    }


def _call(actor: Actor, call_id: str) -> ToolCall:
    calls = ToolCall.objects.select_related("thread__owner", "thread__organization", "thread__document", "turn")
    call = fetch(actor, calls, call_id, noun="Tool call")
    threads.fetch_readable(actor, call.thread_id)
    return call


def _match_version(call: ToolCall, match: str) -> dict[str, object]:
    """The version and hash that If-Match names, which for `*` are those of now."""
    if not match:
        return {}
    if not names_etag(match, etag(call)) and call.status == ToolCall.Status.PENDING:
        raise PreconditionFailed(f"The card has changed: its ETag is {etag(call)} now. Look at it again, then decide.")
    return {"version": call.version, "shown_hash": call.shown_hash}


def _key(request: Request) -> str:
    key = request.headers.get("Idempotency-Key", "").strip()
    if len(key) > LONGEST_KEY:
        message = f"String should have at most {LONGEST_KEY} characters"
        raise Unprocessable([make_fault("header", "Idempotency-Key", message, type="string_too_long")])
    return key
