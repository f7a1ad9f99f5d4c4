"""People: known by e-mail, in lower case."""

from __future__ import annotations

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import IntegrityError, transaction

from accounts.models import User
from accounts.services import audit
from docrouter.kit.errors import Conflict, Invalid, Problem


def create(
    creator: User | None, *, email: str, password: str | None, name: str = "", is_superuser: bool = False
) -> User:
    """A new person. Without a password they cannot sign in by one. Raises Invalid or Conflict."""
    email = checked_email(email)
    if password is not None:
        check_password(password, User(email=email, name=name))
    make = User.objects.create_superuser if is_superuser else User.objects.create_user
    try:
        with transaction.atomic():
            user = make(email, password, name=name.strip())
            audit.record_outside(creator, "created", user, superuser=is_superuser)
    except IntegrityError:
        raise Conflict("Email already registered") from None
    return user


def checked_email(email: str) -> str:
    email = User.objects.normalize_email(email)
    try:
        validate_email(email)
    except ValidationError:
        sentence = f"{email or 'Nothing'} is not an e-mail address."
        raise Invalid(sentence, problems=[Problem("email", sentence)]) from None
    return email


def check_password(password: str, user: User) -> None:
    """Raises Invalid with what is wrong with the password."""
    try:
        validate_password(password, user)
    except ValidationError as error:
        problems = [Problem("password", message) for message in error.messages]
        raise Invalid(" ".join(error.messages), problems=problems) from None
