"""The entry of a refusal in the audit log, which keeps for admins the ids of what was refused."""

from __future__ import annotations

from accounts.services import audit
from agent.models import ScopeCheck


def record_refusal(check: ScopeCheck) -> None:
    """In the transaction of the refusal. The assistant itself refused, so no person stands there."""
    audit.record_outside(
        None,
        "kept out of scope",
        check.turn,
        organization=check.turn.thread.organization,
        stage=check.stage,
        rule=check.rule,
        documents=check.document_ids,
    )
