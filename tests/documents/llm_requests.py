"""A request to a model, and an organization that pays."""

from __future__ import annotations

from typing import Any

import pytest

from accounts.models import Organization
from llm.client import ModelRequest
from llm.money.spending import BudgetAccount

TOOLS = [{"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": {}}}}]


@pytest.fixture
def account() -> BudgetAccount:
    return BudgetAccount(Organization.objects.create(name="Acme"), "agent", "turn")


def request(**changes: Any) -> ModelRequest:
    return ModelRequest(**{"model": "openai/scripted", "messages": [{"role": "user", "content": "Hi"}], **changes})
