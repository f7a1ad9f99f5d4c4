"""Sockets and streams do not outlive what let them in: each act ends them at once, and nothing is sent after it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async
from channels.layers import channel_layers
from django.contrib.auth.hashers import make_password
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import AccessToken, Member, Organization, Role, User
from accounts.services import members, organizations, tokens, users
from agent import consumers
from agent.api import streams
from agent.models import Thread, Turn
from agent.turns import turns
from documents.models import Document
from kit import events
from tests.agent.sse import open_stream as opened_stream
from tests.agent.test_chat_stream_ends import sockets_in
from tests.agent.test_socket import address, cookie_of, open_socket

pytestmark = pytest.mark.django_db(transaction=True)
PASSWORD = "another sentence here"
SIGNED_OUT, REFUSED, ROLE_CHANGED = consumers.SIGNED_OUT, consumers.REFUSED, consumers.ROLE_CHANGED
UNKNOWN_TOKEN = "Invalid authentication credentials: invalid token"
NOT_A_MEMBER = "You are not a member of this organization"
SESSION_ENDED = "Your session has ended. Sign in again."


@pytest.fixture(autouse=True)
def own_layer() -> None:
    """The locks of a channel layer belong to the event loop that made them, and each test has its own loop."""
    channel_layers.backends.clear()


@pytest.fixture
def root(db: None) -> User:
    return users.create(None, email="root@acme.example", password=None, is_superuser=True)


class Acts:
    """What ends or changes the access of `viewer`, each through the door or service that people use."""

    def __init__(self, admin: Actor, root: User, viewer: Actor, cookie: str) -> None:
        self.admin, self.viewer, self.cookie = admin, viewer, cookie
        self.administration = Client()
        self.administration.force_login(root)
        self.member = Member.objects.get(organization=admin.organization, user=viewer.user)

    def sign_out(self) -> None:
        assert Client(headers={"cookie": self.cookie}).post("/sign-out").status_code == 302

    def change_own_password(self) -> None:
        stored = users.hash_new_password(self.viewer.user, user=self.viewer.user, new=PASSWORD, old="")
        users.change(self.viewer.user, user=self.viewer.user, password_hash=stored)

    def set_password_in_the_administration(self) -> None:
        form = {"usable_password": "true", "password1": PASSWORD, "password2": PASSWORD}
        path = reverse("admin:auth_user_password_change", args=[self.viewer.user.pk])
        assert self.administration.post(path, form).status_code == 302

    def switch_off(self) -> None:
        path = reverse("admin:accounts_user_change", args=[self.viewer.user.pk])
        assert self.administration.post(path, {"email": self.viewer.user.email}).status_code == 302

    def delete_user(self) -> None:
        users.delete(self.viewer.user, user=self.viewer.user)

    def end_session(self) -> None:
        Session.objects.all().delete()

    def remove(self) -> None:
        members.remove(self.admin, member=self.member)

    def leave(self) -> None:
        members.remove(self.viewer, member=self.member)

    def replace_members(self) -> None:
        members.replace(self.admin, roles={self.admin.user.pk: Role.ADMIN})

    def close_organization(self) -> None:
        organizations.close(self.admin)

    def change_role(self) -> None:
        members.change_role(self.admin, member=self.member, role=Role.BUILDER)

    def change_role_in_the_administration(self) -> None:
        path = reverse("admin:accounts_member_change", args=[self.member.pk])
        assert self.administration.post(path, {"role": "reviewer"}).status_code == 302

    def revoke_tokens(self) -> None:
        for token in AccessToken.objects.filter(user=self.viewer.user):
            tokens.revoke(self.viewer.user, token=token)


@pytest.fixture
async def viewer(member: Callable[[Role], Actor]) -> Actor:
    return await sync_to_async(member)(Role.VIEWER)


@pytest.fixture
async def cookie(viewer: Actor) -> str:
    return str(await sync_to_async(cookie_of)(viewer))


@pytest.fixture
async def acts(actor: Actor, root: User, viewer: Actor, cookie: str) -> Acts:
    return await sync_to_async(Acts)(actor, root, viewer, cookie)


async def tell_everything(organization: Organization, document: Document, thread: Thread) -> None:
    for group in (
        events.organization_group(organization.pk),
        events.document_group(document.pk),
        events.thread_group(thread.pk),
    ):
        await events.send_async(group, {"kind": "delta", "text": "SECRET"})


@pytest.mark.parametrize(
    ("act", "code"),
    [
        ("sign_out", SIGNED_OUT),
        ("change_own_password", SIGNED_OUT),
        ("set_password_in_the_administration", SIGNED_OUT),
        ("switch_off", SIGNED_OUT),
        ("delete_user", SIGNED_OUT),
        ("end_session", SIGNED_OUT),
        ("remove", REFUSED),
        ("leave", REFUSED),
        ("replace_members", REFUSED),
        ("close_organization", REFUSED),
        ("change_role", ROLE_CHANGED),
        ("change_role_in_the_administration", ROLE_CHANGED),
    ],
)
async def test_it_closes_the_socket_at_once_and_sends_nothing_more(
    acts: Acts, actor: Actor, viewer: Actor, cookie: str, document: Document, thread: Thread, act: str, code: int
) -> None:
    async with open_socket(viewer, address(actor, document, thread), cookie=cookie) as socket:
        await sync_to_async(getattr(acts, act))()
        await tell_everything(actor.organization, document, thread)
        assert await socket.receive_output(5) == {"type": "websocket.close", "code": code}
        await tell_everything(actor.organization, document, thread)
        assert await socket.receive_nothing(0.05)


async def test_it_leaves_the_other_sessions_and_other_people_connected(
    acts: Acts, actor: Actor, viewer: Actor, cookie: str, document: Document
) -> None:
    there = address(actor, document)
    async with (
        open_socket(viewer, there, cookie=cookie) as ended,
        open_socket(viewer, there) as mine,
        open_socket(actor, there) as yours,
    ):
        await sync_to_async(acts.sign_out)()
        assert (await ended.receive_output(5))["code"] == SIGNED_OUT
        await events.send_async(events.document_group(document.pk), {"kind": "still here"})
        assert await mine.receive_json_from(5) == await yours.receive_json_from(5) == {"kind": "still here"}


async def test_a_new_password_ends_every_session_but_the_one_it_was_set_in(
    actor: Actor, viewer: Actor, cookie: str, document: Document
) -> None:
    """The page it was set in has a new cookie, with which its socket comes back."""
    there, browser = address(actor, document), Client()

    def set_password() -> str:
        browser.force_login(viewer.user)
        own = f"/v0/account/users/{viewer.user.pk}"
        assert browser.put(own, {"password": PASSWORD}, content_type="application/json").status_code == 200
        return f"sessionid={browser.cookies['sessionid'].value}"

    async with open_socket(viewer, there, cookie=cookie) as other:
        renewed = await sync_to_async(set_password)()
        assert (await other.receive_output(5))["code"] == SIGNED_OUT
    async with open_socket(viewer, there, cookie=cookie) as other:
        assert other is None
    async with open_socket(viewer, there, cookie=renewed) as own:
        assert own is not None


def end_session(user: User) -> None:
    Session.objects.all()._raw_delete("default")


def change_password(user: User) -> None:
    User.objects.filter(pk=user.pk).update(password=make_password(PASSWORD))


def switch_off(user: User) -> None:
    User.objects.filter(pk=user.pk).update(is_active=False)


@pytest.mark.parametrize("change_rows", [end_session, change_password, switch_off])
async def test_the_recheck_finds_what_nobody_told(
    viewer: Actor, cookie: str, monkeypatch: pytest.MonkeyPatch, change_rows: Callable[[User], None]
) -> None:
    monkeypatch.setattr(consumers, "RECHECK_SECONDS", 0.05)
    async with open_socket(viewer, address(viewer), cookie=cookie) as socket:
        await sync_to_async(change_rows)(viewer.user)
        assert await socket.receive_output(5) == {"type": "websocket.close", "code": SIGNED_OUT}


async def test_a_socket_that_cannot_be_looked_at_again_closes(
    viewer: Actor, cookie: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(consumers, "RECHECK_SECONDS", 0.05)
    async with open_socket(viewer, address(viewer), cookie=cookie) as socket:
        await sync_to_async(rename_table)("django_session", "set_aside")
        try:
            assert await socket.receive_output(5) == {"type": "websocket.close", "code": consumers.FAILED}
        finally:
            await sync_to_async(rename_table)("set_aside", "django_session")


def rename_table(name: str, to: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER TABLE {name} RENAME TO {to}")


async def test_a_socket_that_is_closing_replays_nothing(
    acts: Acts, actor: Actor, viewer: Actor, cookie: str, thread: Thread, turn: Turn
) -> None:
    async with open_socket(viewer, address(actor, None, thread), cookie=cookie) as socket:
        await sync_to_async(acts.sign_out)()
        assert (await socket.receive_output(5))["code"] == SIGNED_OUT
        await socket.send_to(text_data='{"kind": "hello", "last_seq": 0}')
        assert await socket.receive_nothing(0.1)


async def test_a_socket_stays_while_its_session_is_used_and_lives_longer(
    actor: Actor, viewer: Actor, cookie: str
) -> None:
    await sync_to_async(run_out_in)(60)
    async with open_socket(viewer, address(viewer), cookie=cookie) as socket:
        await sync_to_async(run_out_in)(3600)
        await events.send_async(events.user_group(viewer.user.pk), {"kind": events.ACCESS_CHANGED})
        await events.send_async(events.organization_group(actor.organization.pk), {"kind": "still here"})
        assert await socket.receive_json_from(5) == {"kind": "still here"}


def run_out_in(seconds: float) -> None:
    Session.objects.update(expire_date=timezone.now() + timedelta(seconds=seconds))


async def test_a_socket_closes_when_its_session_runs_out(
    viewer: Actor, cookie: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(consumers, "RECHECK_SECONDS", 3600)
    await sync_to_async(run_out_in)(2)
    async with open_socket(viewer, address(viewer), cookie=cookie) as socket:
        assert await socket.receive_output(20) == {"type": "websocket.close", "code": SIGNED_OUT}


@pytest.mark.parametrize("by", ["token", "session"])
async def test_a_stream_ends_when_what_opened_it_runs_out(
    viewer: Actor, cookie: str, document: Document, turn: Turn, by: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "RECHECK_SECONDS", 3600)
    token, secret = await sync_to_async(tokens.create)(viewer.user, name="k")
    ends = {"expires_at": timezone.now() + timedelta(seconds=2)}
    await sync_to_async(AccessToken.objects.filter(pk=token.pk).update)(**ends)
    await sync_to_async(run_out_in)(2)
    sentence, known = (
        ("API token expired", {"secret": secret}) if by == "token" else (SESSION_ENDED, {"cookie": cookie})
    )
    async with opened_stream(stream_of(turn, document), **known) as reader:
        async with asyncio.timeout(20):
            assert (await reader.rest())[-1] == {"type": "error", "error": sentence}


@pytest.fixture
async def turn(actor: Actor, document: Document, thread: Thread) -> Turn:
    """One that no worker takes up, so that a stream of it waits."""
    return await sync_to_async(turns.start)(actor, thread=thread, text="Hello")


def stream_of(turn: Turn, document: Document) -> str:
    return f"/v0/orgs/{document.organization_id}/documents/{document.pk}/chat/turns/{turn.pk}"


@pytest.mark.parametrize(
    ("act", "sentences"),
    [
        ("sign_out", {SESSION_ENDED}),
        ("change_own_password", {SESSION_ENDED}),
        ("switch_off", {SESSION_ENDED}),
        ("delete_user", {SESSION_ENDED, NOT_A_MEMBER}),  # one who looks meanwhile may see either first
        ("remove", {NOT_A_MEMBER}),
        ("close_organization", {NOT_A_MEMBER}),
    ],
)
async def test_a_stream_ends_with_the_session_that_opened_it(
    acts: Acts, viewer: Actor, cookie: str, document: Document, turn: Turn, act: str, sentences: set[str]
) -> None:
    async with opened_stream(stream_of(turn, document), cookie=cookie) as reader:
        async with asyncio.timeout(20):
            await until_it_listens(viewer.user)
            await sync_to_async(getattr(acts, act))()
            assert (await reader.rest())[-1] in [{"type": "error", "error": sentence} for sentence in sentences]


@pytest.mark.parametrize(
    ("act", "sentence"),
    [("revoke_tokens", UNKNOWN_TOKEN), ("switch_off", UNKNOWN_TOKEN), ("remove", NOT_A_MEMBER)],
)
async def test_a_stream_ends_with_the_token_that_opened_it(
    acts: Acts, viewer: Actor, document: Document, turn: Turn, act: str, sentence: str
) -> None:
    _, secret = await sync_to_async(tokens.create)(viewer.user, name="k")
    async with opened_stream(stream_of(turn, document), secret) as reader:
        async with asyncio.timeout(20):
            await until_it_listens(viewer.user)
            await sync_to_async(getattr(acts, act))()
            assert (await reader.rest())[-1] == {"type": "error", "error": sentence}


async def until_it_listens(user: User) -> None:
    async with asyncio.timeout(10):
        while not await sockets_in(events.user_group(user.pk)):
            await asyncio.sleep(0.01)
