"""Asking the agent to set up many documents. Look-alikes share a proposal, as those that are uploaded together do."""

from __future__ import annotations

from accounts.actor import Actor
from accounts.models import Role
from documents.autosetup import auto_setup, proposals
from documents.bulk.kinds.base import BulkKind, Change, get_document
from documents.models import AutoSetup, BulkAction, BulkItem
from kit import jobs
from kit.jobs import Job
from kit.json_types import JsonObject


class SetUp(BulkKind):
    kind, role = BulkAction.Kind.SET_UP, Role.REVIEWER
    title, progress_title = "Set up", "Asking for the setup"

    def apply(self, actor: Actor, item: BulkItem, arguments: JsonObject) -> Change:
        """One that failed or was skipped is asked for again, which needs a builder as it does on its page."""
        document = get_document(item)
        setup = AutoSetup.objects.filter(document=document).first()
        if setup is None:
            auto_setup.request_auto_setup(actor, document=document)
            jobs.enqueue(Job.FOLLOW_READINGS, document.pk)
        elif setup.status in (AutoSetup.Status.FAILED, AutoSetup.Status.SKIPPED):
            proposals.retry(actor, setup=setup)
        else:
            raise proposals.make_decided_conflict(setup)
        return Change()
