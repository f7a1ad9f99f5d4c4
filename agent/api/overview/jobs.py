"""The jobs for programs, with where a failed one is tried again."""

from __future__ import annotations

from django.urls import reverse
from rest_framework.request import Request

from accounts.actor import Actor
from accounts.api.access import OrganizationView
from accounts.api.wire.described import Choice, Number, Text, describe
from accounts.api.wire.errors import Unprocessable, make_fault
from accounts.api.wire.fields import read_choice, read_number
from accounts.api.wire.responses import Answer
from accounts.models import Role
from agent import job_list
from agent.api.overview import answers
from agent.api.overview.actions import list_reading_actions, list_run_actions, make_action
from agent.job_list import BULK, EXTRACTION, FAILED, TURN, JobFilter
from agent.models import Turn
from documents.models import AutoSetup, Extraction, Reading
from kit.errors import NotFound
from kit.timestamps import format_timestamp


class Jobs(OrganizationView):
    """What workers have to do for the organization: readings, runs of prompts, automatic setups, turns of
    the agent and bulk actions.

    Those that wait, that are under way, and that failed while nothing newer has taken their place. Success
    is seen at what it made. `actions` are those that your role allows. `next` is sent back as `after`.
    """

    roles = {"GET": Role.VIEWER}

    @describe(
        "List what the workers have to do",
        query=[
            Number("limit", "Jobs to give.", minimum=1, maximum=100, default=10),
            Text("after", "`next` of the page before."),
            Choice("kind", "Of this kind.", allowed=job_list.KINDS),
            Choice("status", "In this state.", allowed=job_list.STATUSES),
            Text("document_id", "On this document."),
        ],
    )
    def get(self, request: Request) -> Answer[answers.JobPage]:
        narrowing = JobFilter(
            kind=read_choice(request, "kind", "", tuple(job_list.KINDS)),
            status=read_choice(request, "status", "", tuple(job_list.STATUSES)),
            document_id=request.query_params.get("document_id", ""),
            after=request.query_params.get("after", ""),
        )
        maximum = read_number(request, "limit", 10, minimum=1, maximum=100) or 10
        try:
            page = job_list.list_page(self.actor, narrowing, maximum)
        except NotFound as error:
            raise Unprocessable([make_fault("query", "after", error.sentence, narrowing.after[:60])]) from None
        return Answer({"jobs": [_serialize(self.actor, job) for job in page.jobs], "next": page.after or None})


def _serialize(actor: Actor, job: job_list.Job) -> answers.Job:
    row, document = job.row, job.document
    finished_at = getattr(row, "finished_at", None)
    return {
        "id": job.key,
        "kind": job.kind,
        "status": job.status,
        "title": job.title,
        "progress": None if job.done is None else {"done": job.done, "total": job.whole},
        "error": job.error,
        "waits_for_budget": getattr(row, "waits_for_budget", False),
        "attempt": getattr(row, "attempt", 0),
        "document_id": document.pk if document else None,
        "thread_id": _get_thread_id(job),
        "created_at": format_timestamp(row.created_at),
        "finished_at": format_timestamp(finished_at) if finished_at else None,
        "links": _find_links(actor, job),
        "actions": _list_actions(actor, job),
    }


def _get_thread_id(job: job_list.Job) -> str | None:
    return job.row.thread_id or None if isinstance(job.row, Turn | AutoSetup) else None


def _find_links(actor: Actor, job: job_list.Job) -> answers.Links:
    organization, document = actor.organization.pk, job.document
    page = reverse("document", args=(organization, document.pk)) if document else None
    if job.kind == EXTRACTION:
        return {"page": page, "api": reverse("v0-llm-run-status", args=(organization, job.row.pk))}
    if job.kind == BULK:
        return {"page": None, "api": reverse("v0-bulk-action", args=(organization, job.row.pk))}
    if job.kind == TURN:
        return {"page": page, "api": reverse("v0-turn-log", args=(organization, job.row.pk))}
    return {"page": page, "api": reverse("v0-document", args=(organization, document.pk)) if document else None}


def _list_actions(actor: Actor, job: job_list.Job) -> list[answers.Action]:
    organization, document = actor.organization.pk, job.document
    has_failed = job.status == FAILED
    if not actor.may(Role.REVIEWER):
        return []
    if job.kind == TURN:
        return [] if has_failed else [make_action("cancel", "v0-turn-cancel", organization, job.row.pk)]
    if job.kind == BULK:
        return [] if has_failed else [make_action("stop", "v0-bulk-stop", organization, job.row.pk)]
    if not has_failed or document is None:
        return []
    if isinstance(job.row, Reading):
        return list_reading_actions(organization, document, job.row.reason_code)
    if isinstance(job.row, Extraction):
        return list_run_actions(organization, job.row)
    may_build = actor.may(Role.BUILDER)
    return [make_action("retry", "v0-auto-create-retry", organization, document.pk)] if may_build else []
