"""What a password must be, wherever one is set: first run, administration, command line, API and account page."""

from __future__ import annotations

import re

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError

from accounts.models import User
from kit.errors import Invalid, Problem

# As many as the sign-in takes: a longer one could be set and never used.
MAX_LENGTH = 1000
_WITHOUT_MARKS = re.compile(r"[\W_]+")


class DifferentCharactersValidator:
    """Refuses a long password that is one key held down, or a few keys in turn. For AUTH_PASSWORD_VALIDATORS."""

    MINIMUM = 5

    def validate(self, password: str, user: object = None) -> None:
        if len(set(password)) < self.MINIMUM:
            raise ValidationError(
                f"This password repeats the same few characters. Use at least {self.MINIMUM} different ones.",
                code="password_too_few_characters",
            )

    def get_help_text(self) -> str:
        return f"Your password must hold at least {self.MINIMUM} different characters."


class GuessableValidator:
    """Refuses what a list of words, names, dates and keyboard rows guesses soon. For AUTH_PASSWORD_VALIDATORS.

    Marks between words, such as 12345-67890, make zxcvbn believe in a strength that no guesser finds, so the password
    is judged without them too.
    """

    # Of 0 to 4; 3 takes 10^8 guesses and more.
    MIN_SCORE = 3
    # It takes seconds for a long one of marks that may stand for letters.
    JUDGED_CHARACTERS = 40

    def validate(self, password: str, user: User | None = None) -> None:
        begin = password[: self.JUDGED_CHARACTERS]
        known = ["docrouter", *_words_about(user)]
        if any(_score(text, known) < self.MIN_SCORE for text in (begin, _WITHOUT_MARKS.sub("", begin)) if text):
            raise ValidationError(
                "This password is easy to guess. Use a few words that do not belong together, or one made at random.",
                code="password_guessable",
            )

    def get_help_text(self) -> str:
        return "Your password must not be easy to guess."


def _words_about(user: User | None) -> list[str]:
    return re.split(r"[\W_]+", f"{user.email} {user.name}") if user else []


def _score(text: str, known: list[str]) -> int:
    from zxcvbn import zxcvbn  # noqa: PLC0415 - 13 MB of words, for whoever sets a password

    score: int = zxcvbn(text, user_inputs=known)["score"]
    return score


def check_password(password: str, user: User) -> None:
    """Raises Invalid with what is wrong with the password for this user, whose address and name it must not repeat."""
    try:
        if len(password) > MAX_LENGTH:
            raise ValidationError(f"This password has {len(password)} characters; {MAX_LENGTH} is the most.")
        validate_password(password, user)
    except ValidationError as error:
        problems = [Problem("password", message) for message in error.messages]
        raise Invalid(" ".join(error.messages), problems=problems) from None
