"""Bulk actions: one change for many documents, as a job with a row for each of them (ADR 13)."""

from documents.bulk.kinds import KINDS, get_kind
from documents.bulk.outcomes import dismiss, stop
from documents.bulk.requesting import create, find_by_key, hash_request, is_undoable, undo
from documents.bulk.working import requeue_lost_actions, run_next

__all__ = [
    "KINDS",
    "create",
    "dismiss",
    "find_by_key",
    "get_kind",
    "hash_request",
    "is_undoable",
    "requeue_lost_actions",
    "run_next",
    "stop",
    "undo",
]
