"""What the code alone does not say about the routes of members, invitations and links by mail."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from drf_spectacular.utils import OpenApiExample, OpenApiParameter

from accounts.api import mails, memberships
from accounts.services.joining import HAS_ACCOUNT
from accounts.services.mail.links import CHECK_ENDED, INVITATION_ENDED, RESET_ENDED
from accounts.services.mail.outbox import NO_SERVER
from docrouter.openapi.routes.operations import Operation

Route = tuple[type, str]
_COUNT = {"type": "integer", "minimum": 0}
_QUERY = [
    OpenApiParameter("organization_id", str, description="Of this organization only."),
    OpenApiParameter("skip", {**_COUNT, "default": 0}, description="Rows to leave out."),
    OpenApiParameter("limit", {**_COUNT, "minimum": 1, "maximum": 100, "default": 10}, description="Rows to give."),
]


def _done(message: str) -> list[OpenApiExample]:
    return [OpenApiExample("Done", {"message": message}, response_only=True, status_codes=["200"])]


OPERATIONS: Mapping[Route, Operation] = {
    (memberships.OneMember, "DELETE"): Operation(
        "Remove a member, or leave",
        query=[OpenApiParameter("heir_id", str, description="The member who takes over threads about documents.")],
        examples=_done("Member removed successfully"),
    ),
    (mails.PasswordResetLink, "POST"): Operation("Make a link to a new password"),
    (mails.PasswordResets, "POST"): Operation("Ask for a link to a new password", examples=_done(mails.ASKED)),
    (mails.PasswordReset, "POST"): Operation("Set a new password", examples=_done("Password changed successfully")),
    (mails.SendVerification, "POST"): Operation("Send a link that proves an address", examples=_done(mails.SENT)),
    (mails.RegisterVerification, "POST"): Operation("Send it to a new account", examples=_done(mails.SENT)),
    (mails.Verification, "POST"): Operation("Prove an address", examples=_done("Email verified successfully")),
    (memberships.Invitations, "GET"): Operation(
        "List invitations",
        query=_QUERY,
    ),
    (memberships.Invitations, "POST"): Operation("Invite somebody"),
    (memberships.OneInvitation, "GET"): Operation("Look at an invitation"),
    (memberships.AcceptInvitation, "POST"): Operation("Accept an invitation", examples=_done(memberships.JOINED)),
    (memberships.Withdrawal, "DELETE"): Operation(
        "Withdraw an invitation", examples=_done("Invitation withdrawn successfully")
    ),
}
ABOUT: Mapping[Route, str] = {
    (
        memberships.OneMember,
        "DELETE",
    ): "Everyone may leave; admins remove others. Documents, schemas and prompts "
    "stay with the organization. The member's access tokens and rules here end. Threads about documents go to "
    "`heir_id` with their open cards; without one, nothing runs in them any more.",
    (
        mails.PasswordResets,
        "POST",
    ): "The same answer whether or not the address has an account. A second request "
    "within five minutes sends no second mail.",
    (
        mails.PasswordReset,
        "POST",
    ): "The token of the link is the credential, once. Every session of the user ends, "
    "with `end_tokens` every access token too.",
    (memberships.Invitations, "POST"): "Whether the address has an account is not told. Again for the same address it "
    "changes the role and sends the mail once more. Without a mail server `link` is what you hand over.",
}
_PROVEN = "ada@acme.example is proven already."
REFUSALS: Mapping[Route, Mapping[int, Sequence[str]]] = {
    (memberships.OneMember, "DELETE"): {
        400: ["Acme needs an admin. Make somebody else admin first."],
        404: ["Organization not found", "Member not found"],
    },
    (mails.PasswordResetLink, "POST"): {403: [mails.NO_LINK_BY_TOKEN]},
    (mails.PasswordResets, "POST"): {400: [NO_SERVER], 429: ["Too many attempts. Try again in 2 seconds."]},
    (mails.PasswordReset, "POST"): {400: ["This password is too common."], 404: [RESET_ENDED]},
    (mails.SendVerification, "POST"): {400: [NO_SERVER, _PROVEN]},
    (mails.RegisterVerification, "POST"): {400: [NO_SERVER, _PROVEN]},
    (mails.Verification, "POST"): {404: [CHECK_ENDED]},
    (memberships.Invitations, "POST"): {400: ["ada@acme.example is a member of Acme already."]},
    (memberships.OneInvitation, "GET"): {404: [INVITATION_ENDED]},
    (memberships.AcceptInvitation, "POST"): {
        400: [HAS_ACCOUNT.format(email="ada@acme.example")],
        404: [INVITATION_ENDED],
    },
}
