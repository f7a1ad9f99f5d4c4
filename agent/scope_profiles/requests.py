"""The check before a turn, by patterns and rules alone: is this message for the assistant, not for it, or unsure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from agent.scope_profiles.clauses import MAX_LETTERS, Clause, split_clauses
from agent.scope_profiles.context import Context, EarlierMessage, FocusObject, judge_by_context, judges_by_context
from agent.scope_profiles.matters import WORLD
from agent.scope_profiles.profile import Profile
from agent.scope_profiles.subjects import find_foreign_matter, judge_matters, judge_types
from agent.scope_profiles.verdicts import IN, OUT, UNSURE, Verdict, join_verdicts


@dataclass(frozen=True)
class Request:
    text: str
    before: tuple[EarlierMessage, ...] = ()
    focus: tuple[FocusObject, ...] = ()


def check_request(profile: Profile, request: Request) -> Verdict:
    """A pattern that never passes beats one that always does; no message changes the profile."""
    if pattern := profile.matches_never(request.text):
        return Verdict(OUT, "never", f"The message has what never passes here: {pattern}.")
    clauses = split_clauses(request.text)
    if any(clause.claims_a_right for clause in clauses):
        return Verdict(OUT, "claim", "The message wants to change what this assistant is for; no message does.")
    verdicts = _judge_clauses(profile, clauses, request)
    if len(request.text) > MAX_LETTERS:
        verdicts.append(Verdict(UNSURE, "length", f"Only its first {MAX_LETTERS:,} letters were judged."))
    return join_verdicts(verdicts) if verdicts else Verdict(UNSURE, "nothing", "The message names nothing.")


def _judge_clauses(profile: Profile, clauses: Sequence[Clause], request: Request) -> list[Verdict]:
    verdicts: list[Verdict] = []
    context = Context(profile, request.before, request.focus, _judge_earlier)
    silent: list[Clause] = []
    for clause in clauses:
        verdict = _judge_clause(profile, clause, context, verdicts[-1] if verdicts else None)
        if verdict:
            verdicts.append(replace(verdict, words=clause.raw))
        else:
            silent.append(clause)
    if silent and all(verdict.rule == "greeting" for verdict in verdicts):
        verdicts.append(_judge_silent(context, silent))
    return verdicts


def _judge_silent(context: Context, clauses: Sequence[Clause]) -> Verdict:
    if all(map(judges_by_context, clauses)):
        return judge_by_context(context, clauses[0])
    return Verdict(UNSURE, "unknown", "No rule knows what the message is about.")


def _judge_earlier(profile: Profile, text: str) -> Verdict:
    return check_request(profile, Request(text))


def _judge_clause(profile: Profile, clause: Clause, context: Context, earlier: Verdict | None) -> Verdict | None:
    """Nothing where the clause asks for nothing and names nothing."""
    if pattern := profile.matches_always(clause.raw):
        return _judge_always(profile, clause, pattern)
    return (
        _judge_courtesy(profile, clause)
        or judge_types(profile, clause)
        or judge_matters(profile, clause, context)
        or _judge_silence(profile, clause, context, earlier)
    )


def _judge_always(profile: Profile, clause: Clause, pattern: str) -> Verdict:
    if WORLD in clause.matters or (clause.types - profile.allowed and clause.says("joins")):
        return Verdict(UNSURE, "always", f"It has what always passes here ({pattern}), and something else beside it.")
    return Verdict(IN, "always", f"The sentence has what always passes here: {pattern}.")


def _judge_courtesy(profile: Profile, clause: Clause) -> Verdict | None:
    if clause.is_courtesy:
        return Verdict(IN, "greeting", "A greeting or thanks.")
    if clause.says("refusal") or (clause.says("how") and clause.says("rules")):
        return Verdict(IN, "product", "A question about what the assistant is for.")
    if not clause.says("product") or WORLD in clause.matters:
        return None
    if clause.types - profile.allowed or find_foreign_matter(profile, clause):
        return Verdict(UNSURE, "product", "It asks about the product, and names what this assistant is not for.")
    return Verdict(IN, "product", "A question about the product or about what the assistant is for.")


def _judge_silence(profile: Profile, clause: Clause, context: Context, earlier: Verdict | None) -> Verdict | None:
    """A clause that names nothing goes on about the one before it, in this message or in the thread."""
    if not clause.is_wish:
        return None
    if earlier and len(clause.unknown_words) <= 1 and clause.says("point"):
        return None
    if earlier is None and judges_by_context(clause):
        return judge_by_context(context, clause)
    if not (clause.unknown_words or clause.is_question):
        return None
    return Verdict(UNSURE, "unknown", "No rule knows what this is about.")
