"""People: known by e-mail, in lower case."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.contrib.auth.hashers import make_password
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import Member, Organization, Role, User
from accounts.services import audit, members, organizations, tokens
from accounts.services.sign_in import hashing, throttle
from accounts.services.sign_in.passwords import check_password
from kit.errors import Conflict, Denied, Invalid, NotFound, Problem

OWN = frozenset({"name", "has_seen_tour", "theme", "format_locale"})
NO_PASSWORD_BY_TOKEN = (
    "No token sets the password of somebody who has signed in. Sign in and change it on your account page; a system "  # noqa: S105
    "admin's token gives a first one to who has never signed in."
)
WRONG_PASSWORD = "The old password is wrong. Nothing was changed."  # noqa: S105 - a sentence


def create(
    creator: User | None, *, email: str, password: str | None, name: str = "", is_superuser: bool = False
) -> User:
    """A new person. Without a password they cannot sign in by one. Raises Invalid or Conflict."""
    email = clean_email(email)
    return store(creator, email, hash_first_password(email, name, password), name, is_superuser=is_superuser)


def create_with_organization(
    creator: User, *, email: str, password: str, name: str = "", by_token: bool = False
) -> User:
    """A new person and an organization of their own, named by the address."""
    email = clean_email(email)
    password_hash = hash_first_password(email, name, password, by_token=by_token)
    with transaction.atomic():
        user = store(creator, email, password_hash, name)
        organizations.create(user, name=user.email)
    return user


def hash_first_password(email: str, name: str, password: str | None, *, by_token: bool = False) -> str:
    """Hash what `store` keeps: slow on purpose, so outside of transactions. Raises Invalid for a weak one."""
    if password is not None:
        check_password(password, User(email=email, name=name), is_first=by_token)
    return make_password(password)


def store(
    creator: User | None,
    email: str,
    password_hash: str,
    name: str,
    *,
    is_superuser: bool = False,
    **proof: bool,
) -> User:
    """`proof` is what is known of the address: email_verified, address_unproven. Raises Conflict for a taken one."""
    rights = {"is_staff": is_superuser, "is_superuser": is_superuser}
    user = User(email=email, password=password_hash, name=name.strip(), **rights, **proof)
    try:
        with transaction.atomic():
            user.save()
            audit.record_outside(creator, "created", user, superuser=is_superuser)
    except IntegrityError:
        raise Conflict("Email already registered") from None
    return user


@transaction.atomic
def change(
    changer: User,
    *,
    user: User,
    password_hash: str = "",
    end_tokens: bool = False,
    by_token: bool = False,
    **changes: Any,
) -> User:
    """Changes of what is in OWN by themselves; of is_superuser and email_verified by system admins.

    `password_hash` comes from `hash_new_password`, or `by_token` from `hash_first_password_of`; it ends every session
    of the user, and with `end_tokens` the access tokens too. Raises Denied, or Invalid when no system admin would be
    left.
    """
    _check_changer(changer, user)
    if not changer.is_superuser and not changes.keys() <= OWN:
        raise Denied("Admin access required")
    user = _lock_with_system_admins(user)
    if by_token and password_hash:
        require_never_signed_in(user)
    if changes.get("is_superuser") is False:
        _refuse_last_system_admin(user)
    if "is_superuser" in changes:
        user.is_staff = changes["is_superuser"]
    user.password = password_hash or user.password
    for field, value in changes.items():
        setattr(user, field, value)
    user.save()
    ended = tokens.revoke_all(changer, user=user) if end_tokens else 0
    fields = sorted([*changes, *(["password"] if password_hash else [])])
    audit.record_outside(changer, "changed", user, fields=fields, tokens_ended=ended)
    return user


def hash_new_password(changer: User, *, user: User, new: str, old: str) -> str:
    """Hash what `change` stores: one's own password with the old one, that of another by a system admin.

    Slow on purpose, so it stands outside of the transaction. Raises Denied, Invalid for a wrong old password or a
    weak new one, or TooMany after several wrong ones.
    """
    _check_changer(changer, user)
    with hashing.take_place(changer.pk):
        if changer.pk == user.pk and user.has_usable_password():
            attempt = throttle.begin_attempt("password", account=user.pk)
            if not user.check_password(old):
                raise Invalid(WRONG_PASSWORD, problems=[Problem("old_password", WRONG_PASSWORD)])
            attempt.succeed()
        check_password(new, user)
        return make_password(new)


def hash_first_password_of(changer: User, *, user: User, new: str) -> str:
    """Hash what `change` stores `by_token`: a system admin's token gives it to somebody who has never signed in.

    Raises Denied, or Invalid for a weak one.
    """
    if not changer.is_superuser:
        raise Denied(NO_PASSWORD_BY_TOKEN)
    require_never_signed_in(user)
    with hashing.take_place(changer.pk):
        check_password(new, user, is_first=True)
        return make_password(new)


def require_never_signed_in(user: User) -> None:
    """Nor be known in another way: no token takes an account over. Raises Denied."""
    if user.last_login or user.is_superuser or user.access_tokens.exists():
        raise Denied(NO_PASSWORD_BY_TOKEN)


def _check_changer(changer: User, user: User) -> None:
    if not changer.is_superuser and changer.pk != user.pk:
        raise Denied("Admin access required")


@transaction.atomic
def delete(deleter: User, *, user: User) -> None:
    """Ends the account: name, address, password, tokens and memberships go; what they decided stays, without a name.

    Organizations of which they are the only member are closed. Raises Denied, or Invalid when others of an organization
    or the whole installation would be left without an admin.
    """
    _check_changer(deleter, user)
    user = _lock_with_system_admins(user)
    if user.deleted_at:
        raise NotFound("User not found")
    _refuse_last_system_admin(user)
    for membership in user.memberships.select_related("organization", "user"):
        _leave(Actor(user, membership.organization, Role(membership.role)), membership)
    tokens.delete_all(user.access_tokens.all())
    audit.record_outside(deleter, "deleted", user)
    user.email, user.name, user.deleted_at = f"{user.pk}@deleted.invalid", "Deleted user", timezone.now()
    user.is_active = user.is_staff = user.is_superuser = False
    user.set_unusable_password()
    user.save()


def _leave(actor: Actor, membership: Member) -> None:
    Organization.objects.select_for_update(no_key=True).get(pk=actor.organization.pk)
    if actor.organization.memberships.exclude(pk=membership.pk).exists():
        members.remove(actor, member=membership)
    else:
        organizations.close(replace(actor, role=Role.ADMIN))


def require_another_system_admin(user: User) -> None:
    """In the transaction that takes this right from the user. Raises Invalid for the last one who has it."""
    _refuse_last_system_admin(_lock_with_system_admins(user))


def _lock_with_system_admins(user: User) -> User:
    """The user's row as it is now. Of two system admins who end each other's right at once, one is refused."""
    # NO KEY, as for the organizations: whoever makes a token at this moment refers to the row.
    rows = User.objects.select_for_update(no_key=True).order_by("pk")
    locked = {row.pk: row for row in rows.filter(Q(pk=user.pk) | Q(is_superuser=True, is_active=True))}
    return locked[user.pk]


def _refuse_last_system_admin(user: User) -> None:
    if user.is_superuser and not User.objects.filter(is_superuser=True, is_active=True).exclude(pk=user.pk).exists():
        raise Invalid("This is the last system admin. Make somebody else one first.")


def clean_email(email: str) -> str:
    email = User.objects.normalize_email(email)
    try:
        validate_email(email)
    except ValidationError:
        sentence = f"{email or 'Nothing'} is not an e-mail address."
        raise Invalid(sentence, problems=[Problem("email", sentence)]) from None
    return email
