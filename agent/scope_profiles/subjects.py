"""A clause judged by the types and matters that it names."""

from __future__ import annotations

from agent.scope_profiles.clauses import Clause
from agent.scope_profiles.context import Context
from agent.scope_profiles.matters import MATTERS, TRADE, WORLD, Matter
from agent.scope_profiles.naming import name_types
from agent.scope_profiles.profile import Profile
from agent.scope_profiles.verdicts import IN, OUT, UNSURE, Verdict

_OPPOSITES = {"customer": "purchases", "supplier": "sales"}


def judge_types(profile: Profile, clause: Clause) -> Verdict | None:
    own, foreign = clause.types & profile.allowed, clause.types - profile.allowed
    if clause.types & profile.meaning.foreign_types:
        return Verdict(
            OUT, "type", f"The profile keeps {name_types(clause.types & profile.meaning.foreign_types)} out."
        )
    if foreign:
        return _judge_foreign(profile, clause, own=own, foreign=foreign)
    if not own:
        return None
    if matter := find_foreign_matter(profile, clause):
        return _judge_foreign_matter(profile, clause, own, matter)
    if WORLD in clause.matters:
        return Verdict(UNSURE, "type", f"It names {name_types(own)}, and something that no document is asked for.")
    return Verdict(IN, "type", f"It asks about {name_types(own)}.")


def _judge_foreign(profile: Profile, clause: Clause, *, own: frozenset[str], foreign: frozenset[str]) -> Verdict:
    is_compared = clause.says("compare") and (own or _list_own_matters(profile, clause) or clause.says("point"))
    if (own or is_compared) and WORLD not in clause.matters:
        return Verdict(UNSURE, "comparison", f"It names {name_types(foreign)} beside what this assistant is for.")
    return Verdict(OUT, "type", f"It asks about {name_types(foreign)}.")


def _judge_foreign_matter(profile: Profile, clause: Clause, own: frozenset[str], matter: str) -> Verdict:
    """Invoices are about anything; what a contract or a letter is about tells whether it belongs."""
    reason = f"It names {name_types(own)}, but is about {matter}."
    if matter in _OPPOSITES or (MATTERS[matter].subject and not own & TRADE and not MATTERS[matter].alone):
        return Verdict(OUT, "subject", reason)
    if matter in profile.meaning.foreign_matters:
        return Verdict(UNSURE, "subject", reason)
    return Verdict(UNSURE if MATTERS[matter].alone else IN, "subject", reason)


def judge_matters(profile: Profile, clause: Clause, context: Context) -> Verdict | None:
    topic = profile.matches_topic(clause.text)
    foreign = find_foreign_matter(profile, clause)
    own = _list_own_matters(profile, clause)
    if WORLD in clause.matters and not topic:
        outcome = UNSURE if own else OUT
        return Verdict(outcome, "world", "It asks for something that no document of this assistant tells.")
    if topic and not foreign:
        return Verdict(IN, "topic", f"It is about {topic}.")
    if foreign:
        is_mixed = topic or (own and not MATTERS[foreign].alone)
        return Verdict(UNSURE if is_mixed else OUT, "subject", f"It is about {foreign}.")
    if own and any(not _may_tell(profile, name) for name in clause.matters):
        return Verdict(UNSURE, "subject", f"It is about {', '.join(sorted(own))}, and about something else.")
    if own:
        return _weigh_focus(context, clause, Verdict(IN, "subject", f"It is about {', '.join(sorted(own))}."))
    if clause.matters and not any(_may_tell(profile, name) for name in clause.matters):
        outcome = UNSURE if profile.shares_words(clause.text) else OUT
        return Verdict(outcome, "subject", f"It is about {', '.join(sorted(clause.matters))}.")
    return None


def _weigh_focus(context: Context, clause: Clause, verdict: Verdict) -> Verdict:
    """A question about a sum is about the thing in focus where the clause names nothing else."""
    if clause.is_wish and context.has_foreign_focus:
        return Verdict(UNSURE, "focus", "It may be about something that this assistant is not for.")
    return verdict


def find_foreign_matter(profile: Profile, clause: Clause) -> str:
    """The first matter that no allowed type tells of, or that belongs to a subject which the profile does not name."""
    names = sorted(clause.matters & set(MATTERS), key=lambda name: not MATTERS[name].alone)
    return next((name for name in names if is_foreign_matter(profile, name)), "")


def is_foreign_matter(profile: Profile, name: str) -> bool:
    meaning, matter = profile.meaning, MATTERS[name]
    if name in meaning.foreign_matters:
        return True
    if name in meaning.matters:
        return False
    if name in _OPPOSITES and _OPPOSITES[name] in meaning.subjects:
        return True
    if not matter.subject or matter.subject in meaning.subjects:
        return False
    tellers = (matter.of | matter.also) & profile.allowed
    return not tellers or bool(meaning.subjects and not tellers & TRADE and not _is_related(meaning.subjects, matter))


def _is_related(subjects: frozenset[str], matter: Matter) -> bool:
    return matter.subject == "identity" and "staff" in subjects


def _list_own_matters(profile: Profile, clause: Clause) -> list[str]:
    known = [name for name in clause.matters if name in MATTERS]
    return [name for name in known if not is_foreign_matter(profile, name) and _tells(profile, name)]


def _tells(profile: Profile, name: str) -> bool:
    matter = MATTERS[name]
    return name in profile.meaning.matters or bool(matter.of & profile.allowed)


def _may_tell(profile: Profile, name: str) -> bool:
    matter = MATTERS[name]
    return name in profile.meaning.matters or bool((matter.of | matter.also) & profile.allowed)
