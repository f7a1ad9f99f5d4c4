"""What ends the access of people who have a page open."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async
from channels.layers import channel_layers
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import AccessToken, Member, Role, User
from accounts.services import members, organizations, tokens, users
from agent.models import Thread, Turn
from agent.turns import turns
from documents.models import Document
from tests.agent.test_socket import cookie_of

PASSWORD = "another sentence here"


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


def switch_off(user: User) -> None:
    User.objects.filter(pk=user.pk).update(is_active=False)


def run_out_in(seconds: float) -> None:
    Session.objects.update(expire_date=timezone.now() + timedelta(seconds=seconds))


@pytest.fixture
async def turn(actor: Actor, document: Document, thread: Thread) -> Turn:
    """One that no worker takes up, so that a stream of it waits."""
    return await sync_to_async(turns.start)(actor, thread=thread, text="Hello")
