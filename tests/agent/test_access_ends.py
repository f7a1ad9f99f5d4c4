"""Sockets and streams do not outlive what let them in: each act ends them at once, and nothing is sent after it."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

from collections.abc import Callable

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.hashers import make_password
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client

from accounts.actor import Actor
from accounts.models import Organization, User
from agent import consumers
from agent.models import Thread, Turn
from documents.models import Document
from kit import events
from tests.agent.access_changes import (  # noqa: F401 - some are fixtures
    PASSWORD,
    Acts,
    acts,
    cookie,
    own_layer,
    root,
    run_out_in,
    switch_off,
    turn,
    viewer,
)
from tests.agent.test_socket import address, open_socket

pytestmark = pytest.mark.django_db(transaction=True)


SIGNED_OUT, REFUSED, ROLE_CHANGED = consumers.SIGNED_OUT, consumers.REFUSED, consumers.ROLE_CHANGED


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


async def test_a_socket_closes_when_its_session_runs_out(
    viewer: Actor, cookie: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(consumers, "RECHECK_SECONDS", 3600)
    await sync_to_async(run_out_in)(2)
    async with open_socket(viewer, address(viewer), cookie=cookie) as socket:
        assert await socket.receive_output(20) == {"type": "websocket.close", "code": SIGNED_OUT}
