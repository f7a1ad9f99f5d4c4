"""A message that says nothing by itself, judged by the messages before it and by the thread's focus."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from agent.scope_profiles.clauses import Clause
from agent.scope_profiles.naming import name_type
from agent.scope_profiles.profile import Profile
from agent.scope_profiles.verdicts import IN, OUT, UNSURE, Verdict
from printed.matter_words import has_words
from printed.type_words import fold_line

MAX_UNKNOWN = 2
MAX_WORDS = 14
_ORDINALS = ("first", "second", "third")


@dataclass(frozen=True)
class EarlierMessage:
    role: Literal["user", "assistant"]
    text: str


@dataclass(frozen=True)
class FocusObject:
    id: str
    type: str
    title: str


@dataclass(frozen=True)
class Context:
    profile: Profile
    before: tuple[EarlierMessage, ...]
    focus: tuple[FocusObject, ...]
    judge: Callable[[Profile, str], Verdict]

    @property
    def has_foreign_focus(self) -> bool:
        return bool(self.focus) and all(is_foreign(self.profile, each) for each in self.focus)

    @cached_property
    def earlier_verdict(self) -> Verdict | None:
        """Judge the person's last message; where the answer to it refused, it was out."""
        texts = [message.text for message in self.before if message.role == "user"]
        verdict = self.judge(self.profile, texts[-1]) if texts else None
        verdict = None if verdict and verdict.rule == "greeting" else verdict
        if self.was_refused and (verdict is None or verdict.outcome != OUT):
            return Verdict(OUT, "refused before", "It goes on about what was refused.")
        return verdict

    @property
    def was_refused(self) -> bool:
        answers = [message.text for message in self.before if message.role == "assistant"]
        if not answers:
            return False
        refusal = fold_line(self.profile.refusal).strip(" .")
        return (bool(refusal) and refusal in fold_line(answers[-1])) or has_words(
            "speech", "refused", fold_line(answers[-1])
        )


def judges_by_context(clause: Clause) -> bool:
    """Whether the clause only points at what was said before."""
    words = len(clause.text.split())
    points = (
        clause.says("point")
        or clause.says("joins")
        or clause.says("other")
        or clause.says("last")
        or _find_ordinal(clause) is not None
    )
    return words <= MAX_WORDS and len(clause.unknown_words) <= (MAX_UNKNOWN if points or not clause.is_wish else 1)


def judge_by_context(context: Context, clause: Clause) -> Verdict:
    if clause.says("document") and (clause.says("other") or clause.says("newest")):
        return Verdict(UNSURE, "context", "Another document may be of any type.")
    focus, earlier = _judge_focus(context, clause), context.earlier_verdict
    for verdict in (focus, earlier):
        if verdict and verdict.outcome == OUT:
            return Verdict(OUT, "context", f"It goes on: {verdict.reason}")
    for verdict in (focus, earlier):
        if verdict and verdict.outcome == IN:
            return Verdict(IN, "context", f"It goes on: {verdict.reason}")
    return Verdict(UNSURE, "context", "It points at something that was not named.")


def _judge_focus(context: Context, clause: Clause) -> Verdict | None:
    meant = _pick_focus(context.focus, clause)
    foreign = [each for each in meant if is_foreign(context.profile, each)]
    if not meant or not all(each.type for each in meant) or 0 < len(foreign) < len(meant):
        return None
    if foreign:
        return Verdict(OUT, "focus", f"{foreign[0].title} is {name_type(foreign[0].type)}.")
    return Verdict(IN, "focus", f"{meant[0].title} is {name_type(meant[0].type)}.")


def _pick_focus(focus: tuple[FocusObject, ...], clause: Clause) -> tuple[FocusObject, ...]:
    number = _find_ordinal(clause)
    if number is not None and len(focus) > 1:
        return focus[number : number + 1]
    if clause.says("last") and len(focus) > 1:
        return focus[-1:]
    if clause.says("other") and number is None and len(focus) < 2:
        return ()
    return focus


def _find_ordinal(clause: Clause) -> int | None:
    return next((number for number, name in enumerate(_ORDINALS) if clause.says(name)), None)


def is_foreign(profile: Profile, item: FocusObject) -> bool:
    """Not where nobody knows its type."""
    return bool(item.type) and item.type not in profile.allowed
