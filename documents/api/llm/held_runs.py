"""Runs by tag that are held, since the document is surely of another type than the prompt is for."""

from __future__ import annotations

from rest_framework import serializers
from rest_framework.request import Request

from accounts.access import fetch
from accounts.api.access import OrganizationView
from accounts.api.wire.described import Choice, Text, describe, describe_window
from accounts.api.wire.fields import ExactSerializer, read_choice
from accounts.api.wire.pagination import count_rows, read_window
from accounts.api.wire.responses import Answer
from accounts.models import Role
from documents import held_decisions
from documents.api.documents import fetch_document
from documents.api.llm import held_answers as answers
from documents.models import HeldRun
from kit.paging import part_of
from kit.timestamps import format_timestamp

NOT_THERE = "Held run not found"
DECIDED = "This held run was decided already: run anyway by Ada."


class HeldDecision(ExactSerializer):
    """`run`: the prompt runs anyway, and is not asked about on this document again. `untag`: the tags that asked for
    it leave the document."""

    decision = serializers.ChoiceField(choices=held_decisions.DECISIONS)


class HeldRuns(OrganizationView):
    roles = {"GET": Role.VIEWER}

    @describe(
        "List held runs",
        query=[
            *describe_window(),
            Choice("status", "In this state; without it those that wait.", allowed=HeldRun.Status.values),
            Text("document_id", "On this document."),
        ],
        refusals={404: ["Document not found"]},
    )
    def get(self, request: Request) -> Answer[answers.HeldRunPage]:
        """A prompt that a tag asks for does not run on a document that is surely of another type: it waits here, the
        oldest first. It ends by itself when the type is changed to one that fits, or the tag is removed."""
        status = read_choice(request, "status", HeldRun.Status.WAITING, tuple(HeldRun.Status.values))
        rows = HeldRun.objects.for_org(self.actor.organization).filter(status=status, document__trashed_at=None)
        rows = rows.filter_waiting() if status == HeldRun.Status.WAITING else rows
        if document_id := request.query_params.get("document_id"):
            rows = rows.filter(document=fetch_document(self.actor, document_id))
        at = read_window(request)
        related = rows.select_related("document", "prompt", "document_type", "decided_by")
        part = part_of(related.order_by("created_at", "pk"), at)
        return Answer({"held_runs": [serialize_held(held_run) for held_run in part.rows], **count_rows(part, at)})


class HeldRunDecision(OrganizationView):
    roles = {"POST": Role.REVIEWER}
    bodies = {"POST": HeldDecision}

    @describe("Decide a held run", refusals={404: [NOT_THERE], 409: [DECIDED]})
    def post(self, request: Request, held_run_id: str) -> Answer[answers.HeldRun]:
        """One of all who decide at once does; the others get 409 with what was decided."""
        rows = HeldRun.objects.filter(document__trashed_at=None)
        related = rows.select_related("document", "prompt__latest", "document_type", "decided_by")
        held_run = fetch(self.actor, related, held_run_id, noun="Held run")
        return Answer(serialize_held(held_decisions.decide(self.actor, held_run=held_run, **self.read_body())))


def serialize_held(held_run: HeldRun) -> answers.HeldRun:
    return {
        "held_run_id": held_run.pk,
        "document_id": held_run.document_id,
        "document_name": held_run.document.name,
        "document_type": held_run.document_type.key if held_run.document_type else None,
        "prompt_id": held_run.prompt_id,
        "prompt_name": held_run.prompt.name,
        "status": held_run.status,
        "reason": held_run.reason,
        "created_at": format_timestamp(held_run.created_at),
        "decided_by": held_run.decided_by.shown_name if held_run.decided_by else None,
        "decided_at": format_timestamp(held_run.decided_at) if held_run.decided_at else None,
    }
