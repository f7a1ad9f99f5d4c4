"""What most tests start from: an organization with its people, and clients that call as one of them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from rest_framework.test import APIClient

from accounts.access import enter
from accounts.actor import Actor
from accounts.models import Member, Organization, Role, User
from accounts.services import organizations, tokens, users
from kit.rows.models import fold_case
from tests import migrated
from tests.page_client import PageClient
from tests.repeated_rows import RepeatedRows, copy_row


@pytest.fixture(scope="session")
def django_db_keepdb() -> bool:
    """The file lies in a folder of this run alone, and stands there before the fixture below makes a database."""
    return connection.vendor == "sqlite"


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> None:
    """Tests begin on a copy of a database that has been migrated before."""
    test_settings = connection.settings_dict["TEST"]
    if connection.vendor == "sqlite":
        migrated.copy_sqlite(Path(test_settings["NAME"]))
    else:
        test_settings["TEMPLATE"] = os.environ.get("TESTS_DATABASE_TEMPLATE")


class ApiClient(APIClient):
    """Sends and reads JSON, as the published clients do."""

    default_format = "json"


_people, _organizations = RepeatedRows[User](), RepeatedRows[Organization]()


def _user(email: str) -> User:
    name = email.partition("@")[0].title()
    return _people.make(lambda: users.create(None, email=email, password=None, name=name), email, name)


def _organization(admin: User, name: str) -> Organization:
    create = partial(organizations.create, admin, name=name, type="team")
    return _organizations.make(create, admin.pk, name, fold_case(name))


@pytest.fixture
def user(db: None) -> User:
    """The admin of `organization`."""
    return _user("admin@acme.example")


@pytest.fixture
def organization(user: User) -> Organization:
    return _organization(user, "Acme")


@pytest.fixture
def actor(user: User, organization: Organization) -> Actor:
    """The admin of `organization`, acting in it."""
    return Actor(user, copy_row(organization), Role.ADMIN)


@pytest.fixture
def member(organization: Organization) -> Callable[[Role], Actor]:
    """`member(Role.VIEWER)`: a new member of `organization` with that role."""

    def make(role: Role, email: str = "") -> Actor:
        person = _user(email or f"{role.value}-{organization.memberships.count()}@acme.example")
        Member.objects.create(organization=organization, user=person, role=role)
        return enter(person, organization.pk)

    return make


@pytest.fixture
def stranger(db: None) -> Actor:
    """The admin of `other_organization`, who has no part in `organization`."""
    person = _user("admin@other.example")
    return Actor(person, _organization(person, "Other"), Role.ADMIN)


@pytest.fixture
def other_organization(stranger: Actor) -> Organization:
    return stranger.organization


@pytest.fixture
def api() -> Callable[[str], ApiClient]:
    """`api(secret)`: a client with that Bearer token; `api("")` has no credentials."""

    def make(secret: str) -> ApiClient:
        client = ApiClient()
        if secret:
            client.credentials(HTTP_AUTHORIZATION=f"Bearer {secret}")
        return client

    return make


@pytest.fixture
def api_as(api: Callable[[str], ApiClient]) -> Callable[[Actor], ApiClient]:
    """`api_as(actor)`: a client with a fresh token of the actor's organization."""

    def make(actor: Actor) -> ApiClient:
        _, secret = tokens.create(actor.user, name="Test token", organization=actor.organization)
        return api(secret)

    return make


@pytest.fixture
def client() -> PageClient:
    return PageClient()


@pytest.fixture
def signed_in() -> Callable[[Client, Actor], Client]:
    """`signed_in(client, actor)`: the client with the actor's browser session."""

    def sign_in(client: Client, actor: Actor) -> Client:
        client.force_login(actor.user)
        return client

    return sign_in


@pytest.fixture
def empty_cache() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()
