"""Bulk actions: one change for many documents, as a job with a row for each of them (ADR 13)."""

from documents.bulk.kinds import KINDS, get_kind
from documents.bulk.kinds.base import MAX_NAMED
from documents.bulk.outcomes import dismiss, stop
from documents.bulk.requesting import create, find_by_key, is_undoable, is_unfinished, make_request_key, undo
from documents.bulk.working import requeue_lost_actions, run_next

__all__ = [
    "KINDS",
    "MAX_NAMED",
    "create",
    "dismiss",
    "find_by_key",
    "get_kind",
    "is_undoable",
    "is_unfinished",
    "make_request_key",
    "requeue_lost_actions",
    "run_next",
    "stop",
    "undo",
]
