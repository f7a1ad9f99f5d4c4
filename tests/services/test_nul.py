"""NUL that comes by a way which nobody looks at beforehand, such as a form in parts: PostgreSQL refuses it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import DataError, transaction
from django.test import Client
from django.urls import reverse

from accounts.actor import Actor
from agent.models import ToolCall
from documents.models import Tag
from kit.rows.texts import is_nul_failure

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]


def test_a_form_in_parts_with_nul_is_refused_and_no_failure(
    actor: Actor, client: Client, signed_in: Callable[[Client, Actor], Client]
) -> None:
    page = signed_in(client, actor)
    page.raise_request_exception = False
    answer = page.post(reverse("agent-begin", args=[actor.organization.pk]), {"text": "a\0b"})
    assert (answer.status_code, "Null characters are not allowed." in answer.text) == (400, True)


@pytest.mark.parametrize(
    ("model", "condition"), [(Tag, {"name": "a\0"}), (ToolCall, {"preconditions": {"name": "a\0"}})]
)
def test_it_is_known_in_texts_and_in_json(model: Any, condition: dict[str, Any]) -> None:
    with pytest.raises(DataError) as failed, transaction.atomic():
        model.objects.filter(**condition).exists()
    assert is_nul_failure(failed.value)
    assert not is_nul_failure(DataError("integer out of range"))
