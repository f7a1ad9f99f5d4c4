"""Links by mail: the proof of an address, and a new password."""

from __future__ import annotations

from rest_framework.request import Request

from accounts.api import account_answers as answers
from accounts.api.access import AccountView, OpenView
from accounts.api.users import find_user
from accounts.api.wire.answers import Message
from accounts.api.wire.described import describe
from accounts.api.wire.fields import RequestBody, StrictTextField, TrueOrFalse
from accounts.api.wire.responses import Answer
from accounts.services import addresses, password_resets
from accounts.services.mail.links import CHECK_ENDED, RESET_ENDED
from accounts.services.mail.outbox import NO_SERVER
from kit.errors import Denied
from kit.http.client_address import client_address

NO_LINK_BY_TOKEN = "No token makes a link to a password. Sign in and make it in the administration."  # noqa: S105
SENT = "Verification email sent"
ASKED = "If this address has an account, a link to a new password is on its way."


_PROVEN = "ada@acme.example is proven already."


class ForgottenPassword(RequestBody):
    email = StrictTextField(max_length=254)


class NewPassword(RequestBody):
    password = StrictTextField(trim_whitespace=False)
    end_tokens = TrueOrFalse(required=False, default=False)


class SendVerification(AccountView):
    """To your own address, or for a system admin to anybody's."""

    @describe("Send a link that proves an address", refusals={400: [NO_SERVER, _PROVEN]})
    def post(self, request: Request, user_id: str) -> Answer[Message]:
        if user_id != self.user.pk:
            self.require_system_admin()
        addresses.send_check(self.user, user=find_user(user_id))
        return Answer({"message": SENT})


class RegisterVerification(SendVerification):
    """Send a proof of the address, under the name that clients use after an account is made."""

    summaries = {"POST": "Send it to a new account"}


class Verification(OpenView):
    """The token of the link is the credential."""

    @describe("Prove an address", refusals={404: [CHECK_ENDED]})
    def post(self, request: Request, token: str) -> Answer[Message]:
        addresses.prove(token)
        return Answer({"message": "Email verified successfully"})


class PasswordResets(OpenView):
    """The answer does not tell whether the address has an account."""

    bodies = {"POST": ForgottenPassword}

    @describe(
        "Ask for a link to a new password",
        refusals={400: [NO_SERVER], 429: ["Too many attempts. Try again in 2 seconds."]},
    )
    def post(self, request: Request) -> Answer[Message]:
        """The answer does not tell whether the address has an account. A second request within five minutes sends no
        second mail.
        """
        password_resets.request_link(self.read_body()["email"], address=client_address(request))
        return Answer({"message": ASKED})


class PasswordReset(OpenView):
    """The token of the link is the credential, once."""

    bodies = {"POST": NewPassword}

    @describe("Set a new password", refusals={400: ["This password is too common."], 404: [RESET_ENDED]})
    def post(self, request: Request, user_id: str, token: str) -> Answer[Message]:
        """The token of the link is the credential, once. Every session of the user ends, with `end_tokens` every access
        token too.
        """
        body = self.read_body()
        password_resets.set_password(user_id, token, new=body["password"], end_tokens=body["end_tokens"])
        return Answer({"message": "Password changed successfully"})


class PasswordResetLink(AccountView):
    """For a system admin to hand over, where no mail is sent. In a session only."""

    @describe("Make a link to a new password", refusals={403: [NO_LINK_BY_TOKEN]})
    def post(self, request: Request, user_id: str) -> Answer[answers.Link]:
        self.require_system_admin()
        if request.auth is not None:
            raise Denied(NO_LINK_BY_TOKEN)
        return Answer({"link": password_resets.make_link(self.user, user=find_user(user_id))})
