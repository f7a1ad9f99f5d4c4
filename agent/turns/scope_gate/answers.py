"""The text of an answer before anybody reads it: what it cites, and words that never pass."""

from __future__ import annotations

from agent.calls.screening.named_rows import find_named
from agent.models import ScopeCheck, Turn
from agent.scope_profiles.applied.foreign_documents import find_foreign
from agent.scope_profiles.applied.in_force import Scope, find_scope
from llm.client import ModelAnswer


class AnswerRefused(Exception):
    """The answer says or cites what this assistant is not for. `check` is not saved yet."""

    def __init__(self, check: ScopeCheck) -> None:
        super().__init__(check.rule)
        self.check = check


def check_answer(turn: Turn, answer: ModelAnswer) -> None:
    """Check words beside calls too. Raises AnswerRefused; for a word alone only where a profile is strict."""
    scope = find_scope(turn) if answer.text.strip() else None
    if scope is None:
        return
    named = find_named(turn.thread, answer.text)
    foreign = find_foreign(scope, named.document_ids, named.documents)
    if foreign or (scope.is_strict and scope.find_never(answer.text)):
        raise AnswerRefused(_make_check(turn, scope, list(foreign)))


def _make_check(turn: Turn, scope: Scope, ids: list[str]) -> ScopeCheck:
    return ScopeCheck(
        turn=turn,
        stage=ScopeCheck.Stage.AFTER,
        outcome=ScopeCheck.Outcome.OUT,
        is_strict=scope.is_strict,
        rule="citation" if ids else "never",
        document_ids=ids,
    )
