"""The audit for programs."""

from __future__ import annotations

from rest_framework.request import Request

from accounts.actor import Actor
from accounts.api.access import OrganizationView
from accounts.api.wire.described import Choice, Number, Text, describe
from accounts.api.wire.errors import Unprocessable, make_fault
from accounts.api.wire.fields import read_number
from accounts.api.wire.responses import Answer
from accounts.models import AuditEntry, Role
from agent.api.overview import answers
from agent.audit import trail
from agent.audit.trail import AuditFilter, AuditLine
from agent.forms import AuditFilters
from kit.ids import is_id
from kit.timestamps import format_timestamp


class Audit(OrganizationView):
    """Every change in the organization, the newest first: who made it, by whose leave, what ran. `next` is sent back as
    `before`."""

    roles = {"GET": Role.ADMIN}

    @describe(
        "List every change",
        query=[
            Number("limit", "Entries to give.", minimum=1, maximum=100, default=10),
            Text("before", "`next` of the page before."),
            Text("user_id", "Of this user."),
            Choice("origin", "Of a person, or how else.", allowed=AuditEntry.Origin.values),
            Text("kind", "Of what was changed, such as `document` or `tool call`."),
            Text("text", "Part of the action, or the id of what was changed."),
            Text("since", "From this day on.", format="date"),
            Text("until", "Up to and with this day.", format="date"),
        ],
    )
    def get(self, request: Request) -> Answer[answers.AuditPage]:
        maximum = read_number(request, "limit", 10, minimum=1, maximum=trail.A_PAGE) or 10
        rows = trail.list_entries(self.actor, _read_filters(request))
        page = list(trail.older_than(rows, _find_last(self.actor, request))[: maximum + 1])
        entries = [_serialize(line) for line in trail.build_lines(page[:maximum])]
        return Answer({"entries": entries, "next": page[maximum - 1].pk if len(page) > maximum else None})


def _read_filters(request: Request) -> AuditFilter:
    form = AuditFilters(request.query_params)
    for name in ("since", "until"):
        if request.query_params.get(name) == "":
            raise Unprocessable([make_fault("query", name, "Enter a valid date.", "")])
    if not form.is_valid():
        raise Unprocessable(
            [
                make_fault("query", name, str(problems[0]), request.query_params.get(name, "")[:60])
                for name, problems in form.errors.items()
            ]
        )
    return AuditFilter(**form.cleaned_data)


def _find_last(actor: Actor, request: Request) -> AuditEntry | None:
    """The last one of the page before. Raises Unprocessable for one that is not there."""
    before = request.query_params.get("before")
    if not before:
        return None
    rows = AuditEntry.objects.filter(organization=actor.organization)
    entry = rows.filter(pk=before).first() if is_id(before) else None
    if entry is None:
        raise Unprocessable([make_fault("query", "before", "There is no such entry.", before[:60])])
    return entry


def _serialize(line: AuditLine) -> answers.AuditLine:
    entry, call = line.entry, line.call
    return {
        "id": entry.pk,
        "at": format_timestamp(entry.created_at),
        "action": entry.action,
        "origin": entry.origin,
        "by": line.by,
        "user_id": entry.user_id,
        "user_name": line.who,
        "target_kind": entry.target_kind,
        "target_id": entry.target_id,
        "target_name": line.name,
        "links": {"page": line.address or None, "api": None},
        "call_id": call.pk if call else None,
        "card_title": line.shown,
        "tool": call.tool if call else None,
        "arguments": call.effective or {} if call else None,
        "reason": line.reason,
        "detail": entry.detail,
    }
