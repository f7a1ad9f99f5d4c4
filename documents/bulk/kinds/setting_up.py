"""Asking the agent to set up many documents. Look-alikes share a proposal, as those that are uploaded together do."""

from __future__ import annotations

from django.db.models import Count, QuerySet

from accounts.actor import Actor
from accounts.models import Role
from documents.autosetup import asking, proposals
from documents.bulk.kinds.base import BulkKind, Change, get_document
from documents.models import AutoSetup, BulkAction, BulkItem
from kit.errors import Invalid
from kit.json_types import JsonObject
from llm import models_catalogue

Setup = AutoSetup.Status
UNDER_WAY = (Setup.QUEUED, Setup.RUNNING)
OUTCOMES = {
    Setup.PROPOSED: "with a proposal",
    Setup.ACCEPTED: "accepted",
    Setup.REJECTED: "rejected",
    Setup.SKIPPED: "skipped",
    Setup.FAILED: "failed",
}


class SetUp(BulkKind):
    """With a `hint` or another `model` where they are given; with a hint each document gets a proposal of its own."""

    kind, role = BulkAction.Kind.SET_UP, Role.REVIEWER
    title, progress_title = "Set up", "Setting up"

    def clean(self, actor: Actor, sent: JsonObject) -> JsonObject:
        if set(sent) - {"model", "hint"} or not all(isinstance(value, str) for value in sent.values()):
            raise Invalid("This bulk action takes model and hint, and nothing else.")
        if model := str(sent.get("model", "")):
            models_catalogue.check_usable(model)
        return {**sent, "hint": asking.clean_hint(str(sent["hint"]))} if "hint" in sent else sent

    def apply(self, actor: Actor, item: BulkItem, arguments: JsonObject) -> Change:
        """Where it failed, was skipped or rejected it is asked for again, which needs a builder as on its page.

        A proposal that waits or was accepted is somebody's work: to drop one takes a look at its own page.
        """
        document = get_document(item)
        setup = AutoSetup.objects.select_related("decided_by").filter(document=document).first()
        if setup is not None and setup.status in (AutoSetup.Status.PROPOSED, AutoSetup.Status.ACCEPTED):
            raise proposals.make_decided_conflict(setup)
        hint = str(arguments["hint"]) if "hint" in arguments else None
        asking.ask(actor, document=document, model=str(arguments.get("model", "")), hint=hint)
        return Change()

    def count_under_way(self, action: BulkAction) -> int:
        return _list_setups(action).filter(status__in=UNDER_WAY).count()

    def describe_outcome(self, action: BulkAction) -> str:
        rows = _list_setups(action).order_by().values_list("status").annotate(count=Count("pk"))
        counts = dict(rows)
        return ", ".join(f"{counts[status]:,} {words}" for status, words in OUTCOMES.items() if status in counts)


def _list_setups(action: BulkAction) -> QuerySet[AutoSetup]:
    done = BulkItem.objects.filter(action=action, status=BulkItem.Status.DONE)
    return AutoSetup.objects.filter(document__in=done.values("document"), document__trashed_at=None)
