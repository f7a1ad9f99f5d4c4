"""Joining by the link of an invitation, and the proof of an address."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import Invitation, Member, OutgoingMail, Role, User
from accounts.services import invitations, users
from accounts.services.mail import links, outbox, sending
from kit.errors import Invalid
from tests.mail_server import MailServer

EMAIL, PASSWORD = "nia@acme.example", "seven geese walk to Cuxhaven"


@pytest.fixture
def page(client: Client, actor: Actor) -> Client:
    client.force_login(actor.user)
    return client


def invite(page: Client, actor: Actor, email: str = EMAIL) -> str:
    """What the page says then."""
    sent = {"email": email, "role": "reviewer"}
    return page.post(f"/orgs/{actor.organization.pk}/settings/members/invite", sent, follow=True).text


def read_shown_link(text: str) -> str:
    (path,) = re.findall(r"http://localhost:\d+(/join/[^<]+)", text)
    return str(path)


def join(path: str, client: Client | None = None, password: str = PASSWORD) -> Any:
    return (client or Client()).post(path, {"name": "Nia", "password": password}, follow=True)


def test_who_comes_by_a_mail_makes_an_account_and_joins(page: Client, actor: Actor, mail_server: MailServer) -> None:
    text = invite(page, actor)
    assert "They get a link by email." in text and "The mail is on its way." in text and "/join/" not in text
    assert sending.send_next()
    assert "Acme invites you" in mail_server.mails[0]["Subject"]
    path, theirs = mail_server.read_link(), Client()
    opened = theirs.get(path).text
    assert "Join Acme" in opened and "I have an account" in opened
    assert "The mail went out" in page.get(f"/orgs/{actor.organization.pk}/settings/members").text
    assert "Your role in Acme is reviewer now." in join(path, theirs).text
    nia = User.objects.get(email=EMAIL)
    assert (nia.name, nia.email_verified, nia.address_unproven) == ("Nia", True, False)
    assert nia.check_password(PASSWORD) and Member.objects.get(user=nia).role == Role.REVIEWER
    assert join(path).status_code == 404
    assert theirs.get("/").status_code == 302


def test_without_a_server_the_admin_hands_the_link_over(page: Client, actor: Actor, stranger: Actor) -> None:
    """Whoever handed it over could have opened it: what others send to the address does not show up there."""
    path = read_shown_link(invite(page, actor))
    assert "Your role in Acme" in join(path).text
    nia = User.objects.get(email=EMAIL)
    assert (nia.email_verified, nia.address_unproven) == (False, True)
    theirs = invitations.invite(stranger, email=EMAIL, role=Role.VIEWER)
    assert not invitations.list_waiting(nia).exists()
    client = Client()
    client.force_login(nia)
    assert client.post(f"/account/invitations/{theirs.pk}/accept").status_code == 404
    link = links.make_invitation_link(theirs, by_mail=False).partition("localhost:8000")[2]
    assert "Your role in Other" in client.post(link, follow=True).text


def test_a_mail_that_could_not_be_sent_is_said_where_one_invites(
    page: Client, actor: Actor, mail_server: MailServer
) -> None:
    invite(page, actor)
    mail_server.answer = "550 No such mailbox"
    sending.send_next()
    text = page.get(f"/orgs/{actor.organization.pk}/settings/members").text
    assert "The mail could not be sent. The mail server refused it: 550 No such mailbox" in text
    mail_server.answer = "250 OK"
    assert "The mail is on its way." in invite(page, actor)
    assert sending.send_next() and len(mail_server.mails) == 1
    assert join(read_shown_link(text)).status_code == 200


def test_who_has_an_account_signs_in_and_accepts(page: Client, actor: Actor, client: Client) -> None:
    path = read_shown_link(invite(page, actor))
    nia = users.create(None, email=EMAIL, password=PASSWORD)
    refused = join(path)
    assert refused.status_code == 422 and "has an account already" in refused.text
    theirs = Client()
    signed_in = theirs.post("/sign-in", {"email": EMAIL, "password": PASSWORD, "next": path}, follow=True)
    assert "Join Acme" in signed_in.text and "New password" not in signed_in.text
    assert theirs.post(path).status_code == 302
    assert Member.objects.filter(user=nia).exists()


def test_nobody_else_accepts_it(page: Client, actor: Actor, stranger: Actor) -> None:
    path, other = read_shown_link(invite(page, actor)), Client()
    other.force_login(stranger.user)
    assert f"You are signed in as {stranger.user.email}" in other.get(path).text
    assert other.post(path).status_code == 403
    assert Invitation.objects.exists()


def test_a_link_ends_with_its_invitation(page: Client, actor: Actor) -> None:
    path = read_shown_link(invite(page, actor))
    Invitation.objects.update(expires_at=timezone.now())
    for answer in (Client().get(path), join(path), Client().get(path[:-1] + "_")):
        assert answer.status_code == 404 and "Ask an admin of the organization" in answer.text
    assert not User.objects.filter(email=EMAIL).exists()


def test_a_weak_password_makes_no_account(page: Client, actor: Actor) -> None:
    refused = join(read_shown_link(invite(page, actor)), password="acme")
    assert refused.status_code == 422 and "too short" in refused.text
    assert not User.objects.filter(email=EMAIL).exists()


def test_a_name_of_many_lines_makes_no_further_header(page: Client, actor: Actor, mail_server: MailServer) -> None:
    type(actor.organization).objects.update(name="Acme\r\nBcc: all@acme.example")
    invite(page, actor)
    sending.send_next()
    assert mail_server.mails[0]["Bcc"] is None


def test_inviting_again_sends_again_but_not_at_once(page: Client, actor: Actor, mail_server: MailServer) -> None:
    invite(page, actor)
    assert "Send again" in invite(page, actor)
    assert OutgoingMail.objects.count() == 1
    OutgoingMail.objects.update(created_at=timezone.now() - outbox.PAUSE)
    invite(page, actor)
    assert OutgoingMail.objects.count() == 2


def test_invitations_of_a_day_are_bounded(actor: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(invitations, "MAX_A_DAY", 1)
    invitations.invite(actor, email=EMAIL, role=Role.VIEWER)
    with pytest.raises(Invalid, match="has invited 1 times in a day"):
        invitations.invite(actor, email=EMAIL, role=Role.VIEWER)
    actor.organization.audit_entries.update(created_at=timezone.now() - timedelta(days=1))
    invitations.invite(actor, email=EMAIL, role=Role.VIEWER)


def test_withdrawn_before_it_was_sent_nothing_is_sent(actor: Actor, mail_server: MailServer) -> None:
    invitations.withdraw(actor, invitation=invitations.invite(actor, email=EMAIL, role=Role.VIEWER))
    assert not sending.send_next() and not mail_server.mails


def test_an_address_is_proven_by_a_link(page: Client, actor: Actor, mail_server: MailServer) -> None:
    assert "Nobody has proven yet" in page.get("/account").text
    assert "A link is on its way" in page.post("/account/address", follow=True).text
    sending.send_next()
    path = mail_server.read_link()
    assert "Is this your address?" in Client().get(path).text
    assert not User.objects.get(pk=actor.user.pk).email_verified
    assert "is proven to be yours" in page.post(path, follow=True).text
    assert User.objects.get(pk=actor.user.pk).email_verified
    assert "Nobody has proven yet" not in page.get("/account").text


def test_a_link_to_an_earlier_address_proves_nothing(actor: Actor) -> None:
    path = links.make_check_link(actor.user).partition("localhost:8000")[2]
    User.objects.filter(pk=actor.user.pk).update(email="other@acme.example")
    assert Client().get(path).status_code == Client().post(path).status_code == 404
    assert not User.objects.get(pk=actor.user.pk).email_verified


class TestOverTheApi:
    URL = "/v0/account/email"

    @pytest.fixture
    def admin(self, actor: Actor, signed_in: Callable, api: Callable) -> Any:
        return signed_in(api(""), actor)

    def test_an_invitation_goes_from_one_to_the_other(self, admin: Any, actor: Actor, api: Callable) -> None:
        sent = {"email": EMAIL, "organization_id": actor.organization.pk, "role": "user", "docrouter_role": "viewer"}
        made = admin.post(f"{self.URL}/invitations", sent).json()
        assert (made["email"], made["role"], made["docrouter_role"], made["mail"]) == (EMAIL, "user", "viewer", None)
        listed = admin.get(f"{self.URL}/invitations").json()
        assert (listed["invitations"], listed["total_count"]) == ([made], 1)
        at = f"{self.URL}/invitations/{made['link'].rpartition('/')[2]}"
        assert api("").get(at).json()["organization_name"] == "Acme"
        assert api("").post(f"{at}/accept", {"name": "Nia"}).status_code == 422
        assert api("").post(f"{at}/accept", {"name": "Nia", "password": PASSWORD}).status_code == 200
        assert Member.objects.get(user__email=EMAIL).role == Role.VIEWER
        assert api("").get(at).status_code == 404

    def test_the_invited_account_accepts_it_and_an_admin_withdraws_it(
        self, admin: Any, actor: Actor, stranger: Actor, signed_in: Callable, api: Callable
    ) -> None:
        for email in (stranger.user.email, EMAIL):
            admin.post(f"{self.URL}/invitations", {"email": email, "organization_id": actor.organization.pk})
        first, second = admin.get(f"{self.URL}/invitations").json()["invitations"]
        at = f"{self.URL}/invitations/{second['link'].rpartition('/')[2]}/accept"
        assert signed_in(api(""), stranger).post(at).status_code == 200
        assert actor.organization.memberships.filter(user=stranger.user).exists()
        assert admin.delete(f"/v0/account/invitations/{first['id']}").status_code == 200
        assert not Invitation.objects.exists()

    def test_only_admins_of_the_organization_invite(
        self, actor: Actor, stranger: Actor, member: Callable, api: Callable, signed_in: Callable
    ) -> None:
        sent = {"email": EMAIL, "organization_id": actor.organization.pk}
        for who in (stranger, member(Role.BUILDER)):
            assert signed_in(api(""), who).post(f"{self.URL}/invitations", sent).status_code == 403
        listed = signed_in(api(""), stranger).get(f"{self.URL}/invitations?organization_id={actor.organization.pk}")
        assert listed.json()["invitations"] == []

    def test_a_password_is_asked_for_and_set(
        self, user: User, api: Callable, mail_server: MailServer, empty_cache: None
    ) -> None:
        for email in (user.email, EMAIL):
            asked = api("").post(f"{self.URL}/passwords", {"email": email})
            assert asked.json()["message"].startswith("If this address has an account")
        while sending.send_next():
            pass
        user_id, token = mail_server.read_link().split("/")[2:]
        set_path = f"{self.URL}/passwords/{user_id}/{token}"
        assert api("").post(set_path, {"password": "short"}).status_code == 400
        assert api("").post(set_path, {"password": PASSWORD}).status_code == 200
        assert api("").post(set_path, {"password": PASSWORD}).status_code == 404

    def test_an_address_is_proven(self, admin: Any, user: User, api: Callable, mail_server: MailServer) -> None:
        assert admin.post(f"{self.URL}/verification/send/{user.pk}").json() == {"message": "Verification email sent"}
        sending.send_next()
        token = mail_server.read_link().rpartition("/")[2]
        assert api("").post(f"{self.URL}/verification/{token}").status_code == 200
        assert admin.post(f"{self.URL}/verification/register/{user.pk}").status_code == 400

    def test_a_system_admin_makes_a_link_in_a_session(self, admin: Any, user: User, stranger: Actor) -> None:
        path = f"/v0/account/users/{stranger.user.pk}/password_link"
        assert admin.post(path).status_code == 403
        User.objects.filter(pk=user.pk).update(is_superuser=True)
        assert "/new-password/" in admin.post(path).json()["link"]
