"""The check before a turn: whether its request, and what it is given to work on, is what the assistant is for.

Patterns and rules come first and cost no call; a small model judges what they leave unclear. What stays unclear goes
on to the check of what tools bring.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.db.models import QuerySet

from agent import focus
from agent.models import ScopeCheck, Turn
from agent.policy import agent_settings
from agent.policy.turn_limits import turn_limit
from agent.scope_profiles.applied import classifier, refusal_words
from agent.scope_profiles.applied.classifier import ClassifierFailed
from agent.scope_profiles.applied.foreign_documents import ForeignDocument, find_foreign, join_sentences
from agent.scope_profiles.applied.in_force import Scope, find_scope
from agent.scope_profiles.requests import Request
from agent.scope_profiles.verdicts import IN, OUT, UNSURE, Verdict
from agent.turns.scope_gate.asked import find_message, list_given, read_request
from kit.rows.fixed_select import FixedSelect
from llm.money.spending import BudgetAccount

log = logging.getLogger(__name__)
ASKS_NOTHING = ("greeting", "product")
"""Rules of requests that ask for no document, so that they are answered in any thread."""


class OutOfScope(Exception):
    """The turn ends before its first round, with the sentence. `check` is not saved yet."""

    def __init__(self, sentence: str, check: ScopeCheck) -> None:
        super().__init__(sentence)
        self.sentence, self.check = sentence, check


@dataclass(frozen=True)
class _Decision:
    """`model` is the one that was asked, `failure` why it decided nothing."""

    verdict: Verdict
    model: str = ""
    failure: str = ""


def check_request(turn: Turn, *, cancelled: Callable[[], bool]) -> bool:
    """Whether its text is held until it has passed. The request is judged once, before the first round.

    Raises OutOfScope, and Cancelled.
    """
    scope = find_scope(turn)
    if scope is None:
        return False
    if not turn.round and not _select_checks.list(turn.pk):
        _check(turn, scope, cancelled)
    return scope.is_strict


@FixedSelect
def _select_checks(turn: str) -> QuerySet[ScopeCheck]:
    return ScopeCheck.objects.filter(turn=turn, stage=ScopeCheck.Stage.BEFORE)


def _check(turn: Turn, scope: Scope, cancelled: Callable[[], bool]) -> None:
    began, asked = time.monotonic(), find_message(turn)
    request, given = read_request(turn, asked), find_foreign(scope, list_given(turn, asked))
    decided = _decide(turn, scope, request, cancelled)
    check = _make_check(turn, scope, decided, given)
    refusal = _word_refusal(turn, scope, request, decided, given)
    if refusal and check.outcome != ScopeCheck.Outcome.FAILED:
        check.outcome = ScopeCheck.Outcome.OUT
    check.worked_ms = round((time.monotonic() - began) * 1000)
    if refusal:
        raise OutOfScope(refusal, check)
    check.save(force_insert=True)
    focus.drop_documents(turn.thread, given)


def _decide(turn: Turn, scope: Scope, request: Request, cancelled: Callable[[], bool]) -> _Decision:
    if turn.origin == Turn.Origin.HEADLESS:  # the words of its request are ours
        return _Decision(Verdict(IN, "setup", "Automatic setup is judged by its document."))
    verdict = scope.judge_request(request)
    house = agent_settings.get_joined_settings(turn.thread.organization)
    model = house.scope_model
    if verdict.outcome != UNSURE or not classifier.has_classifier(model):
        return _Decision(verdict)
    try:
        judged = classifier.classify(
            scope.profiles,
            request,
            model=model,
            account=_make_account(turn),
            seconds=house.tool_seconds,
            cancelled=cancelled,
        )
    except ClassifierFailed as failure:
        goes_on = "so it is refused" if scope.is_strict else "so it goes on unjudged"
        log.warning("the request of turn %s was not judged, %s: %s", turn.pk, goes_on, failure)
        return _Decision(verdict, model, failure=str(failure))
    return _Decision(judged, model)


def _make_account(turn: Turn) -> BudgetAccount:
    return BudgetAccount(
        organization=turn.thread.organization,
        purpose=classifier.PURPOSE,
        subject_id=turn.pk,
        user=turn.started_by,
        limit=turn_limit(turn),
        tool=classifier.TOOL,
    )


def _make_check(turn: Turn, scope: Scope, decided: _Decision, given: Mapping[str, ForeignDocument]) -> ScopeCheck:
    return ScopeCheck(
        turn=turn,
        stage=ScopeCheck.Stage.BEFORE,
        outcome=ScopeCheck.Outcome.FAILED if decided.failure else decided.verdict.outcome,
        is_strict=scope.is_strict,
        model=decided.model,
        rule=decided.verdict.rule[:200],
        reason=(decided.failure or decided.verdict.reason)[:500],
        document_ids=list(given),
    )


def _word_refusal(
    turn: Turn, scope: Scope, request: Request, decided: _Decision, given: Mapping[str, ForeignDocument]
) -> str:
    """Empty for a request that may go on."""
    named = join_sentences(given.values())
    if decided.verdict.outcome == OUT:
        words = refusal_words.describe_refusal(scope.find_refusing_request(request))
        return f"{named} {refusal_words.OPEN_PAGES} {words}" if named else words
    if decided.failure and scope.is_strict:
        return refusal_words.LATE
    is_refused = scope.is_strict or turn.origin == Turn.Origin.HEADLESS
    if named and is_refused and decided.verdict.rule not in ASKS_NOTHING:
        return f"{named} {refusal_words.OPEN_PAGES}"
    return ""
