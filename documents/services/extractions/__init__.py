"""Extractions: `prepare` asks the model, `store` keeps what it said; `start` and `run_next` do both in the worker."""

from documents.services.extractions.draft import ExtractionDraft
from documents.services.extractions.drafting import prepare
from documents.services.extractions.requesting import request, wait_for
from documents.services.extractions.running import call_off, run_next, start, start_matching, take_back_lost
from documents.services.extractions.storing import newest, newest_of, newest_summary, store, withdraw, withdraw_all

__all__ = [
    "ExtractionDraft",
    "call_off",
    "newest",
    "newest_of",
    "newest_summary",
    "prepare",
    "request",
    "run_next",
    "start",
    "start_matching",
    "store",
    "take_back_lost",
    "wait_for",
    "withdraw",
    "withdraw_all",
]
