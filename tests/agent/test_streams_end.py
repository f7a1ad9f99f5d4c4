"""A stream ends with what opened it."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import AccessToken, User
from accounts.services import tokens
from agent.api import streams
from agent.models import Turn
from documents.models import Document
from kit import events
from tests.agent.access_changes import (  # noqa: F401 - some are fixtures
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
from tests.agent.sse import open_stream as opened_stream
from tests.agent.test_chat_stream_ends import sockets_in

pytestmark = pytest.mark.django_db(transaction=True)


UNKNOWN_TOKEN = "Invalid authentication credentials: invalid token"


NOT_A_MEMBER = "You are not a member of this organization"


SESSION_ENDED = "Your session has ended. Sign in again."


@pytest.mark.parametrize("by", ["token", "session"])
async def test_a_stream_ends_when_what_opened_it_runs_out(
    viewer: Actor, cookie: str, document: Document, turn: Turn, by: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "RECHECK_SECONDS", 3600)
    token, secret = await sync_to_async(tokens.create)(viewer.user, name="k")
    ends = {"expires_at": timezone.now() + timedelta(seconds=4)}
    await sync_to_async(AccessToken.objects.filter(pk=token.pk).update)(**ends)
    await sync_to_async(run_out_in)(4)
    sentence, known = (
        ("API token expired", {"secret": secret}) if by == "token" else (SESSION_ENDED, {"cookie": cookie})
    )
    async with opened_stream(stream_of(turn, document), **known) as reader:
        async with asyncio.timeout(20):
            assert (await reader.rest())[-1] == {"type": "error", "error": sentence}


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
