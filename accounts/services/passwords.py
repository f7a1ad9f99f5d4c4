"""What a password must be, wherever one is set: first run, administration, command line, API and account page."""

from __future__ import annotations

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError

from accounts.models import User
from docrouter.kit.errors import Invalid, Problem

# As many as the sign-in takes: a longer one could be set and never used.
MAX_LENGTH = 1000


class DifferentCharactersValidator:
    """Refuses a long password that is one key held down, or a few keys in turn. For AUTH_PASSWORD_VALIDATORS."""

    def __init__(self, least: int = 5) -> None:
        self.least = least

    def validate(self, password: str, user: object = None) -> None:
        if len(set(password)) < self.least:
            raise ValidationError(
                f"This password repeats the same few characters. Use at least {self.least} different ones.",
                code="password_too_few_characters",
            )

    def get_help_text(self) -> str:
        return f"Your password must hold at least {self.least} different characters."


def check_password(password: str, user: User) -> None:
    """Raises Invalid with what is wrong with the password for this user, whose address and name it must not repeat."""
    try:
        if len(password) > MAX_LENGTH:
            raise ValidationError(f"This password has {len(password)} characters; {MAX_LENGTH} is the most.")
        validate_password(password, user)
    except ValidationError as error:
        problems = [Problem("password", message) for message in error.messages]
        raise Invalid(" ".join(error.messages), problems=problems) from None
