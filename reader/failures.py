"""The reader's errors: it cannot do what was asked."""

from typing import Literal

FailureKind = Literal["invalid", "too_large"]


class Unreadable(Exception):
    """One clear sentence for a person. `suspect`: the parser itself stumbled, so this process should not be kept.

    `code`: what a program can do about it (documents.models.ReasonCode), if anything.
    """

    kind: FailureKind = "invalid"

    def __init__(self, sentence: str, *, suspect: bool = False, code: str = "") -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.suspect = suspect
        self.code = code


class OverLimit(Unreadable):
    kind = "too_large"


def make_damage_error(why: str) -> Unreadable:
    return Unreadable(f"The file is damaged: {why}.", suspect=True)
