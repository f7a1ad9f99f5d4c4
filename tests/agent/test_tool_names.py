"""Tools that had other names: whoever knows these means the tools of today."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.db import connection

from accounts.actor import Actor
from agent.calls import execution
from agent.models import AgentSettings, Rule, Thread, ToolCall, Turn
from agent.policy import rules
from agent.toolkit.old_names import OLD_NAMES
from agent.toolkit.registry import registry
from tests.agent.chat import Chat
from tests.agent.conftest import propose_all
from tests.agent.decision_rows import say
from tests.scripted_model import ScriptedModel, says

pytestmark = [pytest.mark.django_db, pytest.mark.servers]


def test_each_tool_is_called_by_a_verb_and_its_noun() -> None:
    assert [
        tool.name for tool in registry if "_" not in tool.name and tool.name not in ("look", "note", "draft", "send")
    ] == []
    assert all(registry.find(old).name == new for old, new in OLD_NAMES.items())
    assert import_module("agent.migrations.0033_tool_names").NAMES == OLD_NAMES


def test_a_model_that_writes_an_old_name_calls_the_tool(thread: Thread) -> None:
    (call,) = propose_all(thread, ("calculate", {"expression": "1 + 2"}))
    execution.execute(call.pk, holder="test")
    call.refresh_from_db()
    assert (call.tool, call.status, call.result) == ("calculate_expression", "succeeded", {"value": "3"})


def test_rules_and_clients_that_name_it_so_hold(
    actor: Actor, thread: Thread, chat: Chat, scripted_model: ScriptedModel
) -> None:
    rule = rules.create_rule(actor, scope="organization", tool="calculate", verdict="deny")
    (call,) = propose_all(thread, ("calculate", {"expression": "1 + 2"}))
    assert (rule.tool, call.status) == ("calculate_expression", "denied")
    scripted_model.will(says("Yes."))
    Turn.objects.update(status="completed")
    chat.say(auto_approved_tools=["verify", "nothing"])
    assert Turn.objects.latest("created_at").auto_approved == ["verify_values"]


def test_rows_that_hold_an_old_name_take_the_new_one_and_cards_still_hold(
    actor: Actor, thread: Thread, document: Any
) -> None:
    (call,) = propose_all(
        thread, ("update_document", {"document_name": "b.pdf"}), auto_approved=["verify", "check_values"]
    )
    ToolCall.objects.update(tool="check")
    Rule.objects.create(organization=actor.organization, scope="organization", tool="verify", verdict="ask")
    AgentSettings.objects.create(organization=actor.organization, disabled_tools=["calculate", "create_tag"])
    Thread.objects.update(working_state={"tools": "restore view_page", "extraction_id": "1"})
    import_module("agent.migrations.0033_tool_names").rename(apps, connection.schema_editor())
    assert set(ToolCall.objects.values_list("tool", flat=True)) == {"check_values"}
    assert Rule.objects.get().tool == "verify_values"
    assert AgentSettings.objects.get().disabled_tools == ["calculate_expression", "create_tag"]
    assert Turn.objects.get().auto_approved == ["verify_values", "check_values"]
    assert Thread.objects.get().working_state == {"tools": "restore_documents view_page", "extraction_id": "1"}
    ToolCall.objects.update(tool="update_document")
    say(actor, call)
    call.refresh_from_db()
    assert call.status == "approved"
