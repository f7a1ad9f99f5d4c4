"""How the reader says that it cannot do what was asked."""

from typing import Literal

FailureKind = Literal["invalid", "too_large"]


class Unreadable(Exception):
    """One clear sentence for a person. `suspect`: the parser itself stumbled, so this process should not be kept."""

    kind: FailureKind = "invalid"

    def __init__(self, sentence: str, *, suspect: bool = False) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.suspect = suspect


class OverLimit(Unreadable):
    kind = "too_large"


def damaged(why: str) -> Unreadable:
    return Unreadable(f"The file is damaged: {why}.", suspect=True)
