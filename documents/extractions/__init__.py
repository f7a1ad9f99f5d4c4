"""Extractions: `prepare` asks the model, `store` keeps what it said; `start` and `run_next` do both in the worker."""

from documents.extractions.continuing import find_continuation, go_on, prepare_continuation
from documents.extractions.draft import ExtractionDraft
from documents.extractions.drafting import prepare
from documents.extractions.requesting import Rest, request, start_by_hand, wait_for
from documents.extractions.running import (
    cancel_run,
    requeue_lost_extractions,
    run_next,
    start,
)
from documents.extractions.storing import (
    get_newest,
    get_newest_of,
    get_newest_or_summary,
    get_newest_summary,
    list_newest_runs,
    require_untouched,
    store,
    withdraw,
    withdraw_all,
)
from documents.extractions.tag_runs import (
    Started,
    reconsider_held,
    reconsider_stale,
    run_held,
    start_for_tags,
    start_matching,
)

__all__ = [
    "ExtractionDraft",
    "Rest",
    "Started",
    "cancel_run",
    "find_continuation",
    "get_newest",
    "get_newest_of",
    "get_newest_or_summary",
    "get_newest_summary",
    "go_on",
    "list_newest_runs",
    "prepare",
    "prepare_continuation",
    "reconsider_held",
    "reconsider_stale",
    "request",
    "requeue_lost_extractions",
    "require_untouched",
    "run_held",
    "run_next",
    "start",
    "start_by_hand",
    "start_for_tags",
    "start_matching",
    "store",
    "wait_for",
    "withdraw",
    "withdraw_all",
]
