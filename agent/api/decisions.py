"""Deciding a card from outside the pages, with the guards of the pages."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import fetch
from accounts.api.access import OrganizationView
from accounts.api.fields import timestamp
from accounts.models import Role
from agent.models import Decision, ToolCall
from agent.services import decisions, threads
from docrouter.kit.ids import new_id


class NewDecision(serializers.Serializer[Any]):
    """What the caller was shown stands in `version` and `shown_hash`: another version of the card is not decided."""

    kind = serializers.ChoiceField(choices=["approved", "rejected"])
    version = serializers.IntegerField(min_value=1)
    shown_hash = serializers.CharField(max_length=64)
    idempotency_key = serializers.CharField(max_length=100, required=False)
    reason = serializers.CharField(max_length=4000, required=False, allow_blank=True, default="")
    arguments = serializers.DictField(required=False, allow_null=True, default=None)


class CallDecision(OrganizationView):
    # What a card needs depends on its tool; the service asks for that role.
    roles = {"POST": Role.REVIEWER}

    def post(self, request: Request, call_id: str) -> Response:
        calls = ToolCall.objects.select_related("thread__owner", "thread__organization", "thread__document", "turn")
        call = fetch(self.actor, calls, call_id, noun="Tool call")
        threads.readable(self.actor, call.thread_id)
        wanted = NewDecision(data=request.data)
        wanted.is_valid(raise_exception=True)
        sent = {"idempotency_key": new_id(), **wanted.validated_data}
        return Response(shown(decisions.decide(self.actor, call=call, **sent)))


def shown(decision: Decision) -> dict[str, object]:
    return {
        "call_id": decision.call_id,
        "version": decision.version,
        "kind": decision.kind,
        "by": decision.user.shown_name if decision.user else "",
        "at": timestamp(decision.created_at),
        "reason": decision.reason,
        "edited": decision.edited,
    }
