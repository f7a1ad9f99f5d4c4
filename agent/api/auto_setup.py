"""Automatic setup of a document: its log, and the decision on what it left."""

from __future__ import annotations

from rest_framework import serializers
from rest_framework.request import Request

from accounts.access import fetch
from accounts.actor import Actor
from accounts.api.access import OrganizationView
from accounts.api.wire.described import describe
from accounts.api.wire.fields import ExactSerializer, StrictTextField
from accounts.api.wire.responses import Answer, JsonLines
from accounts.models import Role
from agent.api import setup_answers
from agent.api.line_answers import LogLine
from agent.api.turns import log_of
from agent.models import Turn
from documents.api.serializers import serialize_auto_setup
from documents.autosetup import asking, proposals, trials
from documents.autosetup.siblings import MAX_SIBLINGS, list_siblings_of
from documents.extractions.proof_notes import describe_proof
from documents.models import AutoSetup, Document, Proposal, ProposalSibling, Tag
from documents.reading.reading import get_newest
from documents.values import strip_row_ids
from kit.errors import NotFound

NEVER_ASKED = "Automatic setup was not asked for this document"


_DECIDED = {409: ["This proposal was accepted by Ada Lovelace already."]}
_NO_KEY = "claude-sonnet-4-6 cannot be used yet: set ANTHROPIC_API_KEY."


class Acceptance(ExactSerializer):
    tag_id = StrictTextField(max_length=24, required=False, allow_null=True)
    tag_name = StrictTextField(max_length=200, required=False, allow_blank=True, default="")
    sibling_ids = serializers.ListField(
        child=StrictTextField(max_length=24), required=False, default=list, max_length=MAX_SIBLINGS
    )


class Rejection(ExactSerializer):
    reason = StrictTextField(max_length=2000, required=False, allow_blank=True, default="")


class Again(ExactSerializer):
    model = StrictTextField(max_length=200, required=False, allow_blank=True, default="")
    hint = StrictTextField(max_length=asking.MAX_HINT, required=False, allow_blank=True)


class AutoSetupLog(OrganizationView):
    """What the headless turn did, one JSON object a line; also while it is under way. 404 before it has begun."""

    roles = {"GET": Role.VIEWER}

    @describe("Get what the automatic setup did")
    def get(self, request: Request, document_id: str) -> JsonLines[LogLine]:
        setup = _auto(self.actor, document_id)
        lead = setup.proposal.members.exclude(turn_id="").first() if setup.proposal else None
        turn_id = setup.turn_id or (lead.turn_id if lead else "")
        rows = Turn.objects.for_org(self.actor.organization).select_related("thread", "started_by")
        turn = rows.filter(pk=turn_id).first()
        if turn is None:
            raise NotFound("The automatic setup of this document has not begun")
        return log_of(turn)


class AutoSetupSiblings(OrganizationView):
    """Documents like the one that the automatic setup studied: what its newest prompt brought of each, and of which
    pages the agent has read the text.

    `values` are null where it was not tried, and once the proposal is decided.
    """

    roles = {"GET": Role.VIEWER}

    @describe("Get what the automatic setup has tried its prompt on")
    def get(self, request: Request, document_id: str) -> Answer[setup_answers.SetupSiblings]:
        setup = _auto(self.actor, document_id)
        if setup.proposal is None:
            raise NotFound("The automatic setup of this document has not begun")
        lead = setup.proposal.lead
        newest = get_newest(lead) if lead else None
        return Answer(
            {
                "document_id": lead.pk if lead else None,
                "page_count": (newest.page_count or 0) if newest else 0,
                "pages_read": setup.proposal.pages_read,
                "siblings": [_serialize_sibling(row) for row in list_siblings_of(setup.proposal)],
            }
        )


class AutoSetupRequest(OrganizationView):
    """Ask for the automatic setup of a document, the first time or again, also after a decision.

    `hint` is what the agent should know, in words; `model` another than the default. Without them those of the last
    time stand; an empty `hint` takes the earlier away. The first time takes a reviewer, any further one a builder. 409
    while it is under way.
    """

    roles = {"POST": Role.REVIEWER}
    bodies = {"POST": Again}

    @describe(
        "Ask for the automatic setup",
        refusals={
            400: [_NO_KEY],
            409: ["The automatic setup of this document is being made."],
        },
    )
    def post(self, request: Request, document_id: str) -> Answer[setup_answers.Setup]:
        document, sent = fetch(self.actor, Document.objects.all(), document_id, noun="Document"), self.read_body()
        asking.ask(self.actor, document=document, model=sent["model"], hint=sent.get("hint"))
        return _now(self.actor, document_id)


class AutoSetupAccept(OrganizationView):
    """Accept the proposal of the document's group, for all of it. With a tag the prompt runs on what has that tag.

    `sibling_ids` are documents that it was tried on: they get what came of that as an extraction, and the tag.
    409 with the decision when it was decided before.
    """

    roles = {"POST": Role.BUILDER}
    bodies = {"POST": Acceptance}

    @describe(
        "Accept what the automatic setup proposes",
        refusals={400: ["The name has 201 characters; 200 is the most."], **_DECIDED},
    )
    def post(self, request: Request, document_id: str) -> Answer[setup_answers.Setup]:
        setup, sent = _auto(self.actor, document_id), self.read_body()
        tag = None
        if sent.get("tag_id"):
            tag = fetch(self.actor, Tag.objects.all(), sent["tag_id"], noun="Tag")
        proposals.accept(
            self.actor,
            proposal=_proposal(setup),
            tag=tag,
            tag_name=sent["tag_name"],
            siblings=sent["sibling_ids"],
        )
        return _now(self.actor, document_id)


class AutoSetupReject(OrganizationView):
    """Reject the proposal of the document's group: what its run made goes unless something else uses it."""

    roles = {"POST": Role.BUILDER}
    bodies = {"POST": Rejection}

    @describe(
        "Reject what the automatic setup proposes",
        refusals={400: ["The reason has 2001 characters; 2000 is the most."], **_DECIDED},
    )
    def post(self, request: Request, document_id: str) -> Answer[setup_answers.Setup]:
        setup, sent = _auto(self.actor, document_id), self.read_body()
        proposals.reject(self.actor, proposal=_proposal(setup), reason=sent["reason"])
        return _now(self.actor, document_id)


class AutoSetupRetry(OrganizationView):
    """Ask once more, perhaps with another model or hint; without one the earlier one is used.

    A proposal that waits is dropped first. After a rejection, and where nobody asked before, it asks as
    `POST …/auto_create` does. 409 with the decision once a proposal was accepted.
    """

    roles = {"POST": Role.BUILDER}
    bodies = {"POST": Again}

    @describe(
        "Retry the automatic setup",
        refusals={400: [_NO_KEY], **_DECIDED},
    )
    def post(self, request: Request, document_id: str) -> Answer[setup_answers.Setup]:
        document, sent = fetch(self.actor, Document.objects.all(), document_id, noun="Document"), self.read_body()
        setup = AutoSetup.objects.filter(document=document, status=AutoSetup.Status.ACCEPTED).first()
        if setup is not None:
            raise proposals.make_decided_conflict(setup)
        asking.ask(self.actor, document=document, model=sent["model"], hint=sent.get("hint"))
        return _now(self.actor, document_id)


def _auto(actor: Actor, document_id: str) -> AutoSetup:
    document = fetch(actor, Document.objects.all(), document_id, noun="Document")
    rows = AutoSetup.objects.select_related("proposal__lead", "decided_by", "document__organization", "requested_by")
    setup = rows.filter(document=document).first()
    if setup is None:
        raise NotFound(NEVER_ASKED)
    return setup


def _serialize_sibling(row: ProposalSibling) -> setup_answers.SetupSibling:
    run = trials.make_unsaved_run(row)
    proof = describe_proof(run) if run else {}
    return {
        "document_id": row.document_id,
        "document_name": row.document.name,
        "likeness": row.likeness,
        "page_count": row.page_count,
        "pages_read": row.pages_read,
        "prompt_revid": row.prompt_revision_id,
        "reason": row.reason or None,
        "values": strip_row_ids(run.current) if run else None,
        "unsure": proof.get("unsure", {}),
        "empty": proof.get("empty", []),
    }


def _proposal(setup: AutoSetup) -> Proposal:
    if setup.proposal is None or setup.status in (AutoSetup.Status.FAILED, AutoSetup.Status.SKIPPED):
        raise proposals.make_decided_conflict(setup)
    return setup.proposal


def _now(actor: Actor, document_id: str) -> Answer[setup_answers.Setup]:
    return Answer({"document_id": document_id, "auto_create": serialize_auto_setup(_auto(actor, document_id))})
