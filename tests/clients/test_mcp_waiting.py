"""What takes its time over MCP: tasks that wait for a person, questions of the agent, streams that tell of changes."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.clients.mcp_desk import TASKS, Desk, connect

pytestmark = pytest.mark.clients


def test_a_task_stays_working_until_a_person_decides(desk: Desk) -> None:
    call = {"name": "create_tag", "arguments": {"name": "task"}}
    task = desk.ask("tools/call", call, extensions={TASKS: {}})["result"]
    assert (task["resultType"], task["status"]) == ("task", "working")
    assert task["statusMessage"].startswith("Waiting for approval: http")
    about = {"taskId": task["taskId"]}
    forged = {**about, "inputResponses": {"approve": {"action": "accept", "content": {"approved": True}}}}
    assert "error" not in desk.ask("tasks/update", forged, extensions={TASKS: {}})
    assert desk.ask("tasks/get", about, extensions={TASKS: {}})["result"]["status"] == "working"
    assert desk.ask("tasks/get", about)["error"]["code"] == -32021
    for method in ("tasks/get", "tasks/cancel", "tasks/update"):
        stranger = desk.ask(method, about, secret=desk.secret("other"), extensions={TASKS: {}})
        assert stranger["error"]["message"] == "There is no such task of yours."
    for method in ("tasks/list", "tasks/result"):
        assert desk.ask(method, about, extensions={TASKS: {}})["error"]["code"] == -32601
    (call_id,) = desk.product.query(f"SELECT id FROM agent_toolcall WHERE turn_id = '{task['taskId']}'")[0]
    assert desk.decide(call_id, "approved") == 200
    desk.product.wait_until(lambda: _task(desk, about)["status"] == "completed", "the end of the task")
    assert _task(desk, about)["result"]["structuredContent"]["tag_id"]


def test_a_cancelled_task_withdraws_its_card(desk: Desk) -> None:
    call = {"name": "create_tag", "arguments": {"name": "never"}}
    about = {"taskId": desk.ask("tools/call", call, extensions={TASKS: {}})["result"]["taskId"]}
    assert "error" not in desk.ask("tasks/cancel", about, extensions={TASKS: {}})
    assert _task(desk, about)["status"] == "cancelled"
    (call_id,) = desk.product.query(f"SELECT id FROM agent_toolcall WHERE turn_id = '{about['taskId']}'")[0]
    assert desk.decide(call_id, "approved") == 409


def _task(desk: Desk, about: dict[str, Any]) -> Any:
    return desk.ask("tasks/get", about, extensions={TASKS: {}})["result"]


async def test_a_question_is_answered_by_the_agent(desk: Desk) -> None:
    steps = list[str | None]()

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        steps.append(message)

    question = {"question": "Which documents are there?"}
    async with connect(desk, "legacy") as client:
        asked = (await client.call_tool("research_api", question, progress_callback=hear)).structured_content
        about = {"taskId": asked["call_id"]}
        desk.product.wait_until(lambda: _task(desk, about)["status"] == "completed", "it")
        told = (await client.call_tool("get_decision", {"call_id": asked["call_id"]})).structured_content
    assert told["answer"] and steps and told == _task(desk, about)["result"]["structuredContent"]


async def test_a_client_hears_that_its_card_was_decided(desk: Desk) -> None:
    async with connect(desk, "auto") as client:
        waiting = (await client.call_tool("create_tag", {"name": "heard"})).structured_content
        card = f"docrouter://cards/{waiting['call_id']}"
        foreign = f"docrouter://documents/{desk.document}"
        async with client.listen(resource_subscriptions=[card, foreign]) as heard:
            assert heard.honored.resource_subscriptions == [card]
            assert await asyncio.to_thread(desk.decide, waiting["call_id"], "approved") == 200
            assert (await anext(aiter(heard))).uri == card
    async with (
        connect(desk, "auto", desk.secret("other")) as stranger,
        stranger.listen(resource_subscriptions=[card]) as nothing,
    ):
        assert nothing.honored.resource_subscriptions is None
