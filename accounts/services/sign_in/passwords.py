"""Rules for passwords, wherever one is set: first run, administration, command line, API and account page."""

from __future__ import annotations

import re
from typing import cast

from django.conf import settings
from django.contrib.auth.password_validation import get_password_validators, validate_password
from django.core.exceptions import ValidationError

from accounts.models import User
from kit.errors import Invalid, Problem

# As many as the sign-in takes: a longer one could be set and never used.
MAX_LENGTH = 1000
GUESSABLE = (
    "This password is easy to guess. Use a few words that do not belong together, or one made at random. (Of 0 to 4 it"
    " scores {score}; {minimum} is needed.)"
)
GUESSABLE_RULE = "accounts.services.sign_in.passwords.GuessableValidator"
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

    # It takes seconds for a long one of marks that may stand for letters.
    JUDGED_CHARACTERS = 40

    def __init__(self, setting: str = "PASSWORD_SCORE") -> None:
        self.setting = setting

    def validate(self, password: str, user: User | None = None) -> None:
        minimum: int = getattr(settings, self.setting)
        begin = password[: self.JUDGED_CHARACTERS]
        known = ["docrouter", *_words_about(user)]
        score = min(_score(text, known) for text in {begin, _WITHOUT_MARKS.sub("", begin) or begin})
        if score < minimum:
            raise ValidationError(GUESSABLE.format(score=score, minimum=minimum), code="password_guessable")

    def get_help_text(self) -> str:
        return "Your password must not be easy to guess."


def _words_about(user: User | None) -> list[str]:
    return re.split(r"[\W_]+", f"{user.email} {user.name}") if user else []


def _score(text: str, known: list[str]) -> int:
    from zxcvbn import zxcvbn  # noqa: PLC0415 - 13 MB of words, for whoever sets a password

    score: int = zxcvbn(text, user_inputs=known)["score"]
    return score


def _list_rules(is_first: bool) -> list[dict[str, object]]:
    options = {"OPTIONS": {"setting": "FIRST_PASSWORD_SCORE"}} if is_first else {}
    rules = cast(list[dict[str, object]], settings.AUTH_PASSWORD_VALIDATORS)
    return [{**rule, **options} if rule["NAME"] == GUESSABLE_RULE else rule for rule in rules]


def check_password(password: str, user: User, *, is_first: bool = False) -> None:
    """Raises Invalid with what is wrong with the password for this user, whose address and name it must not repeat.

    `is_first`: a token of a system admin gives it to somebody who has never signed in.
    """
    try:
        if len(password) > MAX_LENGTH:
            raise ValidationError(f"This password has {len(password)} characters; {MAX_LENGTH} is the most.")
        validate_password(password, user, password_validators=get_password_validators(_list_rules(is_first)))
    except ValidationError as error:
        problems = [Problem("password", message) for message in error.messages]
        raise Invalid(" ".join(error.messages), problems=problems) from None
