"""People, for themselves, for those they work with, and for system admins."""

from __future__ import annotations

from collections.abc import Mapping

from django.contrib.auth import update_session_auth_hash
from django.db.models import Q, QuerySet
from rest_framework.request import Request

from accounts.api import account_answers as answers
from accounts.api.access import NOT_A_MEMBER, AccountView
from accounts.api.organizations import ONE_OF_TWO, ONE_ORGANIZATION
from accounts.api.serializers import ChangedUser, NewUser
from accounts.api.wire.answers import Message
from accounts.api.wire.described import Text, describe, describe_window
from accounts.api.wire.pagination import count_rows, read_window
from accounts.api.wire.responses import Answer
from accounts.models import Member, User
from accounts.services import users
from accounts.services.sign_in.passwords import GUESSABLE
from accounts.services.tokens import OWN_ONLY
from accounts.services.users import NO_PASSWORD_BY_TOKEN, WRONG_PASSWORD
from kit.errors import Conflict, Denied, Invalid, NotFound
from kit.ids import is_id
from kit.paging import part_of
from kit.timestamps import format_timestamp

NO_PROMOTION_BY_TOKEN = "A token makes nobody a system admin. Sign in to do that."  # noqa: S105 - a sentence


_WEAK = GUESSABLE.format(score=0, minimum=1)
_LAST = "This is the last system admin. Make somebody else one first."


class Users(AccountView):
    """Everybody, for a system admin; else oneself and the members of one's organizations."""

    bodies = {"POST": NewUser}

    @describe(
        "List people",
        query=[
            ONE_ORGANIZATION,
            Text("user_id", "This user only."),
            Text("search_name", "Part of the name or address."),
            *describe_window(maximum=None),
        ],
        refusals={400: [ONE_OF_TWO], 404: ["User not found", "Organization not found"]},
    )
    def get(self, request: Request) -> Answer[answers.UserPage]:
        at = read_window(request, maximum=None)
        part = part_of(_list_visible(self, request).order_by("-created_at", "-pk"), at)
        return Answer({"users": [serialize_user(row, listed=True) for row in part.rows], **count_rows(part, at)})

    @describe("Make a user", refusals={400: ["Email already registered", _WEAK]})
    def post(self, request: Request) -> Answer[answers.User]:
        """For system admins, also with an account token: the password is that of a new account, which nobody has used.
        An organization with the address as its name is made with it.
        """
        self.require_system_admin()
        body = self.read_body()
        try:
            by_token = request.auth is not None
            return Answer(serialize_user(users.create_with_organization(self.user, **body, by_token=by_token)))
        except Conflict as error:
            raise Invalid(error.sentence) from None


class OneUser(AccountView):
    """Oneself, or for a system admin anybody."""

    bodies = {"PUT": ChangedUser}

    @describe(
        "Change a user",
        refusals={
            400: ["No data to update", _LAST, WRONG_PASSWORD, _WEAK],
            403: [NO_PASSWORD_BY_TOKEN, NO_PROMOTION_BY_TOKEN, OWN_ONLY],
        },
    )
    def put(self, request: Request, user_id: str) -> Answer[answers.User]:
        """A password is set in a session only, one's own with `old_password`; with `end_tokens` all access tokens of
        the user end too. The session it is set in goes on, all others end.
        """
        user = self._get_allowed_user(user_id)
        changes = self.read_body()
        if not changes:
            raise Invalid("No data to update")
        if by_token := request.auth is not None:
            _check_token_may(changes, user)
        if role := changes.pop("role", None):
            changes["is_superuser"] = role == "admin"
        new, old = changes.pop("password", None), changes.pop("old_password", "")
        if new is not None and by_token:
            changes["password_hash"] = users.hash_first_password_of(self.user, user=user, new=new)
        elif new is not None:
            changes["password_hash"] = users.hash_new_password(self.user, user=user, new=new, old=old)
        changed = users.change(self.user, user=user, by_token=by_token, **changes)
        if new is not None and not by_token:
            update_session_auth_hash(request, changed)  # the session it was done in goes on; the others end
        return Answer(serialize_user(changed))

    @describe("Delete a user", refusals={400: [_LAST]})
    def delete(self, request: Request, user_id: str) -> Answer[Message]:
        """Oneself, or for a system admin anybody. The last admin of an organization stays."""
        users.delete(self.user, user=self._get_allowed_user(user_id))
        return Answer({"message": "User and related data deleted successfully"})

    def _get_allowed_user(self, user_id: str) -> User:
        if user_id != self.user.pk:
            self.require_system_admin()
        return find_user(user_id)


def _check_token_may(changes: Mapping[str, object], user: User) -> None:
    """Raises Denied for what is changed in a session only."""
    if changes.get("end_tokens"):
        raise Denied(OWN_ONLY)
    if changes.get("role") == "admin" and not user.is_superuser:
        raise Denied(NO_PROMOTION_BY_TOKEN)


def _list_visible(view: AccountView, request: Request) -> QuerySet[User]:
    query, asker = request.query_params, view.user
    user_id, organization_id = query.get("user_id"), query.get("organization_id")
    if user_id and organization_id:
        raise Invalid("user_id and organization_id cannot be used together")
    rows = User.objects.filter(deleted_at=None)
    if not view.is_system_admin:
        own = Member.objects.filter(user=asker).values("organization_id")
        rows = rows.filter(Q(pk=asker.pk) | Q(pk__in=Member.objects.filter(organization__in=own).values("user_id")))
    if user_id:
        rows = rows.filter(pk=user_id if is_id(user_id) else None)
        if not rows.exists():
            raise NotFound("User not found")
    if organization_id:
        rows = rows.filter(pk__in=_list_member_ids(view, organization_id))
    if search := query.get("search_name", "").strip():
        rows = rows.filter(Q(name__icontains=search) | Q(email__icontains=search))
    return rows


def _list_member_ids(view: AccountView, organization_id: str) -> list[str]:
    members = Member.objects.filter(organization_id=organization_id if is_id(organization_id) else None)
    user_ids = list(members.values_list("user_id", flat=True))
    if not user_ids and (view.is_system_admin or not is_id(organization_id)):
        raise NotFound("Organization not found")
    if view.user.pk not in user_ids and not view.is_system_admin:
        raise Denied(NOT_A_MEMBER)
    return user_ids


def find_user(user_id: str) -> User:
    """Raises NotFound."""
    user = User.objects.filter(pk=user_id, deleted_at=None).first() if is_id(user_id) else None
    if user is None:
        raise NotFound("User not found")
    return user


def serialize_user(row: User, *, listed: bool = False) -> answers.User:
    answer: answers.User = {
        "id": row.pk,
        "email": row.email,
        "name": row.name,
        "role": "admin" if row.is_superuser else "user",
        "email_verified": row.email_verified,
        "created_at": format_timestamp(row.created_at),
        "has_password": row.has_usable_password(),
        "has_seen_tour": None if listed else row.has_seen_tour,
    }
    if not listed:
        answer |= {"theme": row.theme, "format_locale": row.format_locale}
    return answer
