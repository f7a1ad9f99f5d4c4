"""The inbox for programs, with where each item is decided."""

from __future__ import annotations

from django.urls import reverse
from rest_framework.request import Request

from accounts.actor import Actor
from accounts.api.access import OrganizationView
from accounts.api.wire.described import Choice, Flag, Number, Text, describe
from accounts.api.wire.errors import Unprocessable, make_fault
from accounts.api.wire.fields import read_choice, read_flag, read_number
from accounts.api.wire.responses import Answer
from accounts.models import Role
from agent.api.overview import answers
from agent.api.overview.actions import list_reading_actions, list_run_actions, make_action
from agent.conversation.addresses import address_of
from agent.inbox import inbox
from agent.inbox.inbox import AGES, InboxFilter
from agent.inbox.inbox_page import SECTION_OF, Item, list_page
from agent.inbox.inbox_rows import CARD, CHECKS, DOUBT, HELD, PAUSED, PROPOSAL, UNREAD, VERIFY
from agent.inbox.sections import SECTIONS
from agent.models import Thread
from documents.held_decisions import DECISIONS
from documents.models import Document, HeldRun, Proposal
from kit.errors import NotFound
from kit.timestamps import format_timestamp


class Inbox(OrganizationView):
    """All that waits for a person and that you may see, as on the page.

    Sections come one after the other, each from its oldest item. `actions` are those that your role allows; what is
    decided meanwhile is refused there with what holds now. `next` is sent back as `after`.
    """

    roles = {"GET": Role.VIEWER}

    @describe(
        "List what waits for a person, of every kind",
        query=[
            Number("limit", "Items to give.", minimum=1, maximum=100, default=10),
            Text("after", "`next` of the page before."),
            Choice("section", "Of this section.", allowed=SECTIONS),
            Flag("mine", "In your threads, or on documents that you uploaded.", default=None),
            Choice("older_than", "That have waited so long.", allowed=AGES),
        ],
    )
    def get(self, request: Request) -> Answer[answers.InboxPage]:
        narrowing = InboxFilter(
            is_mine=read_flag(request, "mine", False),
            section=read_choice(request, "section", "", tuple(SECTIONS)),
            age=read_choice(request, "older_than", "", tuple(AGES)),
            after=request.query_params.get("after", ""),
        )
        maximum = read_number(request, "limit", 10, minimum=1, maximum=100) or 10
        try:
            page = list_page(self.actor, narrowing, maximum)
        except NotFound as error:
            raise Unprocessable([make_fault("query", "after", error.sentence, narrowing.after[:60])]) from None
        return Answer(
            {
                "items": [_serialize(self.actor, item) for item in page.items],
                "next": page.after or None,
                "waiting_count": inbox.count_waiting(self.actor),
            }
        )


def _serialize(actor: Actor, item: Item) -> answers.InboxItem:
    row, subject = item.row, item.subject
    thread: Thread | None = getattr(subject, "thread", None)
    document_id = _get_document_id(item, thread)
    change = row.change
    return {
        "id": row.key,
        "kind": row.kind,
        "section": SECTION_OF[row.kind],
        "title": row.title,
        "about": row.about,
        "note": row.note,
        "change": {"old": change["old"], "new": change["new"]} if change else None,
        "since": format_timestamp(row.since),
        "document_id": document_id,
        "thread_id": thread.pk if thread else None,
        "turn_id": subject.pk if row.kind == PAUSED else getattr(subject, "turn_id", None),
        "call_id": subject.pk if row.kind in (CARD, DOUBT) else None,
        "proposal_id": subject.pk if row.kind == PROPOSAL else None,
        "links": {"page": _find_page(actor, thread, document_id), "api": _find_route(actor, item, document_id)},
        "actions": _list_actions(actor, item, document_id),
    }


def _get_document_id(item: Item, thread: Thread | None) -> str | None:
    if isinstance(item.subject, Document):
        return item.subject.pk
    if isinstance(item.subject, HeldRun):
        return item.subject.document_id
    if isinstance(item.subject, Proposal):
        return str(item.subject.lead_id) if item.subject.lead_id else None
    return thread.document_id if thread else None


def _find_page(actor: Actor, thread: Thread | None, document_id: str | None) -> str | None:
    if thread:
        return address_of(thread)
    return reverse("document", args=(actor.organization.pk, document_id)) if document_id else None


def _find_route(actor: Actor, item: Item, document_id: str | None) -> str | None:
    organization = actor.organization.pk
    if item.row.kind in (CARD, DOUBT):
        return reverse("v0-call", args=(organization, item.subject.pk))
    if item.row.kind == PAUSED:
        return reverse("v0-turn-log", args=(organization, item.subject.pk))
    route = "v0-extractions" if item.row.kind in (CHECKS, VERIFY) else "v0-document"
    return reverse(route, args=(organization, document_id)) if document_id else None


def _list_actions(actor: Actor, item: Item, document_id: str | None) -> list[answers.Action]:
    organization, kind, subject = actor.organization.pk, item.row.kind, item.subject
    if not actor.may(Role.BUILDER if kind == PROPOSAL else Role.REVIEWER):
        return []
    if kind == CARD:
        return [make_action("decide", "v0-call-decision", organization, subject.pk)]
    if kind == PROPOSAL and document_id:
        return [make_action(name, f"v0-auto-create-{name}", organization, document_id) for name in ("accept", "reject")]
    if kind == HELD:
        return [make_action(name, "v0-held-run-decision", organization, subject.pk) for name in DECISIONS]
    if kind == PAUSED:
        return [make_action(name, f"v0-turn-{name}", organization, subject.pk) for name in ("resume", "cancel")]
    if kind == UNREAD and isinstance(subject, Document):
        return list_reading_actions(organization, subject, subject.state_code)
    return list_run_actions(organization, item.failed_run) if item.failed_run else []
