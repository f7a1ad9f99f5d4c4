"""Members of an organization: invitations, opened by whoever has their link, and members who leave.

Roles are changed with the organization.
"""

from __future__ import annotations

from django.db.models import QuerySet
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request

from accounts.access import enter
from accounts.actor import Actor
from accounts.api import account_answers as answers
from accounts.api.access import HAS_CEILING, NOT_A_MEMBER, NOT_AN_ADMIN, AccountView, OpenView, OrganizationView
from accounts.api.wire.answers import Message
from accounts.api.wire.described import Text, describe, describe_window
from accounts.api.wire.errors import Unprocessable, make_fault
from accounts.api.wire.fields import RequestBody, StrictTextField
from accounts.api.wire.pagination import count_rows, read_window
from accounts.api.wire.responses import Answer
from accounts.models import AccessToken, Invitation, Role, User
from accounts.services import invitations, joining, members
from accounts.services.joining import HAS_ACCOUNT
from accounts.services.mail import links
from accounts.services.mail.links import INVITATION_ENDED
from kit.errors import Conflict, Denied, Invalid, NotFound
from kit.ids import is_id
from kit.paging import part_of
from kit.timestamps import format_timestamp

JOINED = "Invitation accepted successfully"


class NewInvitation(RequestBody):
    """`user` is a builder, as in lists of members; `docrouter_role` says it exactly."""

    email = StrictTextField(max_length=254)
    organization_id = StrictTextField()
    role = serializers.ChoiceField(choices=["admin", "user"], default="user")
    docrouter_role = serializers.ChoiceField(choices=Role.choices, required=False, allow_null=True)


class InvitationAcceptance(RequestBody):
    """Name and password of a new account. A request signed in with the invited account has neither."""

    name = StrictTextField(max_length=200, allow_blank=True, required=False, default="")
    password = StrictTextField(trim_whitespace=False, required=False)


class Invitations(AccountView):
    """Invitations of the organizations of which you are an admin. A token with a role ceiling gets no links."""

    bodies = {"POST": NewInvitation}

    @describe("List invitations", query=[Text("organization_id", "Of this organization only."), *describe_window()])
    def get(self, request: Request) -> Answer[answers.InvitationPage]:
        at = read_window(request)
        token = request.auth if isinstance(request.auth, AccessToken) else None
        rows = _list_own(self.user, request.query_params.get("organization_id"))
        if token and not token.limit(Role.ADMIN).covers(Role.ADMIN):
            rows = rows.none()
        rows = rows.select_related("organization").prefetch_related("mails").order_by("-created_at", "-pk")
        part = part_of(rows, at)
        # A link gives the role that it names, which would be a way around the token's own.
        with_link = not (token and token.is_limited)
        sent = [_serialize_sent(row, with_link=with_link) for row in part.rows]
        return Answer({"invitations": sent, **count_rows(part, at)})

    @describe("Invite somebody", refusals={400: ["ada@acme.example is a member of Acme already."]})
    def post(self, request: Request) -> Answer[answers.SentInvitation]:
        """Whether the address has an account is not told. Again for the same address it changes the role and sends the
        mail once more. Without a mail server `link` is what you hand over.
        """
        body = self.read_body()
        role = Role(body.get("docrouter_role") or (Role.ADMIN if body["role"] == "admin" else Role.BUILDER))
        actor = _enter_as_admin(self.user, body["organization_id"])
        try:
            invitation = invitations.invite(actor, email=body["email"], role=role)
        except Conflict as error:
            raise Invalid(error.sentence) from None
        return Answer(_serialize_sent(invitation))


class OneInvitation(OpenView):
    """The invitation behind a link. The token of the link is the credential."""

    @describe("Look at an invitation", refusals={404: [INVITATION_ENDED]})
    def get(self, request: Request, token: str) -> Answer[answers.Invitation]:
        return Answer(_serialize(links.find_invitation(token).invitation))


class Withdrawal(AccountView):
    """Its link and what waits to be sent end with it."""

    @describe("Withdraw an invitation")
    def delete(self, request: Request, invitation_id: str) -> Answer[Message]:
        rows = _list_own(self.user, None).select_related("organization")
        invitation = rows.filter(pk=invitation_id).first() if is_id(invitation_id) else None
        if invitation is None:
            raise NotFound("Invitation not found")
        invitations.withdraw(_enter_as_admin(self.user, invitation.organization_id), invitation=invitation)
        return Answer({"message": "Invitation withdrawn successfully"})


class AcceptInvitation(AccountView):
    """With the invited account; or with none, whose name and password are sent. The token of the link is needed too."""

    permission_classes = (AllowAny,)
    bodies = {"POST": InvitationAcceptance}

    @describe(
        "Accept an invitation", refusals={400: [HAS_ACCOUNT.format(email="ada@acme.example")], 404: [INVITATION_ENDED]}
    )
    def post(self, request: Request, token: str) -> Answer[Message]:
        body, opened = self.read_body(), links.find_invitation(token)
        if isinstance(request.user, User) and request.user.email == opened.invitation.email:
            joining.accept(request.user, opened)
        elif "password" in body:
            joining.join(opened, name=body["name"], password=body["password"])
        else:
            raise Unprocessable([make_fault("body", "password", "Field required", type="missing")])
        return Answer({"message": JOINED})


class OneMember(OrganizationView):
    """Everyone may leave; admins remove others."""

    roles = {"DELETE": Role.VIEWER}

    def check_limits(self, token: AccessToken, method: str) -> None:
        super().check_limits(token, method)
        raise Denied(HAS_CEILING)

    @describe(
        "Remove a member, or leave",
        query=[Text("heir_id", "The member who takes over threads about documents.")],
        refusals={400: ["Acme needs an admin. Make somebody else admin first."]},
    )
    def delete(self, request: Request, user_id: str) -> Answer[Message]:
        """Everyone may leave; admins remove others. Documents, schemas and prompts stay with the organization. The
        member's access tokens and rules here end. Threads about documents go to `heir_id` with their open cards;
        without one, nothing runs in them any more.
        """
        if user_id != self.actor.user.pk and not self.actor.may(Role.ADMIN):
            raise Denied(NOT_AN_ADMIN)
        member = self.actor.organization.memberships.filter(user_id=user_id).first()
        if member is None:
            raise NotFound("Member not found")
        members.remove(self.actor, member=member, heir_id=request.query_params.get("heir_id", ""))
        return Answer({"message": "Member removed successfully"})


def _enter_as_admin(user: User, organization_id: str) -> Actor:
    try:
        actor = enter(user, organization_id)
    except NotFound:
        raise Denied(NOT_A_MEMBER) from None
    if not actor.may(Role.ADMIN):
        raise Denied(NOT_AN_ADMIN)
    return actor


def _list_own(user: User, organization_id: str | None) -> QuerySet[Invitation]:
    own = user.memberships.filter(role=Role.ADMIN).values("organization_id")
    rows = Invitation.objects.open().filter(organization__in=own)
    return rows.filter(organization=organization_id) if organization_id else rows


def _serialize(row: Invitation) -> answers.Invitation:
    return {
        "id": row.pk,
        "email": row.email,
        "organization_id": row.organization_id,
        "organization_name": row.organization.name,
        "role": "admin" if row.role == Role.ADMIN else "user",
        "docrouter_role": row.role,
        "created_at": format_timestamp(row.created_at),
        "expires_at": format_timestamp(row.expires_at),
    }


def _serialize_sent(row: Invitation, *, with_link: bool = True) -> answers.SentInvitation:
    sent = invitations.describe_sent(row)
    mail: answers.Mail | None = {"status": sent.mail.status, "reason": sent.mail.reason or None} if sent.mail else None
    return {**_serialize(row), "mail": mail, "link": (sent.link or None) if with_link else None}
