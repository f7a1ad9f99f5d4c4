"""Executors killed while an outside MCP server works: nothing leaves twice, and what nobody knows is said to be so."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from accounts.actor import Actor
from agent.calls.call_drafts import RequestedCall
from agent.models import ToolCall, Turn
from agent.outside import listing_runs, servers
from tests.chaos.killing import Victims
from tests.chaos.test_agent import approve_round, take_back_the_dead

pytestmark = [pytest.mark.chaos, pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("fork_server")]
SEED, CALLS = 20261124, 12


def test_no_letter_is_sent_twice_whoever_is_killed(actor: Actor, settings: Any, tmp_path: Path) -> None:
    sent = tmp_path / "sent.txt"
    command = (sys.executable, "-S", str(Path(__file__).with_name("outside_letters.py")), str(sent))
    settings.OUTSIDE_MCP_COMMANDS = {"letters": command}
    actor.user.is_superuser = True
    server = servers.add_server(actor, name="Letters", command="letters")
    listing_runs.run_listing(server.pk)
    tool = server.tools.get()
    servers.switch_tool(actor, tool=tool, is_on=True, digest=tool.digest)
    for number in range(CALLS):
        approve_round(actor, [RequestedCall(tool.tool, json.dumps({"text": f"letter {number}"}))])

    victims = Victims("calls", 3, life=0.6, seed=SEED, given={"OUTSIDE_MCP_COMMANDS": {"letters": command}})
    try:
        left = ToolCall.objects.filter(status__in=["approved", "executing"]).count
        victims.torment(left=left, between=take_back_the_dead)
    finally:
        victims.end()

    letters, ends = Counter(sent.read_text().splitlines()), Counter(ToolCall.objects.values_list("status", flat=True))
    print(f"{CALLS} letters, {victims.kills} kills, {dict(ends)}, {sum(letters.values())} sent")
    assert max(letters.values()) == 1 and ends.keys() <= {"succeeded", "in_doubt"} and ends["in_doubt"]
    done = {call.effective["text"] for call in ToolCall.objects.filter(status="succeeded") if call.effective}
    assert done <= letters.keys()
    in_doubt = ToolCall.objects.filter(status="in_doubt").values("turn")
    assert set(Turn.objects.filter(pk__in=in_doubt).values_list("status", "pause_reason")) == {("paused", "in_doubt")}
