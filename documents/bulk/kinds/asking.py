"""Asking each of many documents the same question. The answer stands in a thread, which may be private."""

from __future__ import annotations

from accounts.actor import Actor
from accounts.models import Role
from documents.bulk.kinds.base import ActionOver, BulkKind, Change
from documents.models import BulkAction, BulkItem
from kit.errors import Invalid
from kit.json_types import JsonObject

BY_THE_AGENT = "Documents are asked by the agent, once a person has approved the cost. Ask it."


class Ask(BulkKind):
    """Its items are answered by `documents.bulk.answering`: a model is not asked inside of a transaction."""

    kind, role, is_shared = BulkAction.Kind.ASK, Role.REVIEWER, True
    title, progress_title = "Ask documents a question", "Asking documents a question"

    def clean(self, actor: Actor, sent: JsonObject) -> JsonObject:
        raise Invalid(BY_THE_AGENT)

    def list_shown(self, arguments: JsonObject) -> JsonObject:
        return {}

    def list_audited(self, arguments: JsonObject) -> JsonObject:
        return {}

    def apply(self, actor: Actor, item: BulkItem, arguments: JsonObject) -> Change:
        raise ActionOver(BY_THE_AGENT)
