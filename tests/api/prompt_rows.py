"""A client of /v0 that writes prompts."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from accounts.actor import Actor
from accounts.models import Organization
from documents.definitions import schemas
from documents.models import SchemaRevision
from tests.api.test_schemas import response_format
from tests.conftest import ApiClient

Client = Callable[[Actor], ApiClient]


@pytest.fixture
def path(organization: Organization) -> str:
    return f"/v0/orgs/{organization.pk}/prompts"


@pytest.fixture
def client(api_as: Client, actor: Actor) -> ApiClient:
    return api_as(actor)


@pytest.fixture
def schema(actor: Actor) -> SchemaRevision:
    first = schemas.create(actor, name="Invoice", response_format=response_format("a"), descriptions=False)
    return schemas.save_version(
        actor, schema=first.schema, response_format=response_format("a", "b"), descriptions=False
    )
