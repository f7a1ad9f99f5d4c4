"""Values in a request: long lists in short, and nothing twice."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

import json
import re

import pytest

from accounts.actor import Actor
from agent.conversation import messages
from agent.conversation.model_input.shown_values import VALUES, Shown, hide_shown
from agent.conversation.model_input.state import build_state
from agent.models import Thread, ToolCall, Turn
from agent.tools.values.described_extractions import describe_extraction
from documents.models import Document, Extraction, PromptRevision
from documents.values import add_row_ids, find_where, map_wire_paths
from tests.agent.other_documents import extract, revision  # noqa: F401 - it is a fixture
from tests.agent.tool_documents import Do

pytestmark = pytest.mark.django_db


def make_turn(thread: Thread, text: str) -> Turn:
    turn = Turn.objects.create(
        thread=thread, number=1, model="m", max_rounds=10, limit_micros=1_000_000, code_version="test"
    )
    messages.write(turn, role="user", blocks=[{"type": "text", "text": text}])
    return turn


def test_a_run_that_the_state_shows_is_not_repeated_and_a_long_list_is_shown_by_its_ends(
    actor: Actor, thread: Thread, document: Document, revision: PromptRevision
) -> None:
    items = [{"sku": f"A{number:03}", "amount": number} for number in range(800)]
    run = extract(document, revision, **add_row_ids({"vendor": "ACME", "line_items": items}))
    places = {find_where(run.current, f"line_items.{at}.sku"): f"1.{at + 1}" for at in (0, 6, 400, 799)}
    run.provenance = {where: {"page": 1, "blocks": [line], "state": "exact"} for where, line in places.items()}
    run.save()
    thread.working_state = {"extraction_id": run.pk}
    turn = make_turn(thread, "What about A105 and A400?")
    message, shown = build_state(turn, 24_000)
    (values,) = re.findall(r"<data kind=\"current_extraction\".*?>\n(.*)\n", str(message["content"]))
    (lines,) = re.findall(r"\nlines: (.*)\n", str(message["content"]))
    assert set(json.loads(lines)) == {f"line_items[sku={sku}]" for sku in ("A000", "A400", "A799")}
    block = json.loads(values)
    assert (block["line_items"]["rows"], block["line_items"]["named_by"]) == (800, "sku")
    assert [row["sku"] for row in block["line_items"]["named"]] == ["A105", "A400"]
    assert len(block["line_items"]["first"]) == len(block["line_items"]["last"]) == 5
    result = describe_extraction(thread, Extraction.objects.get(pk=run.pk))
    assert result["summary"] == "1 value, 800 rows of line_items; 100 or more unsure; 0 of 0 pages seen"
    call = ToolCall(tool="run_extraction", status="succeeded", wire_id="abcdefghi", turn=turn, result=result)
    assert list(result)[3] == "summary" and VALUES not in hide_shown(call, shown).result
    of_other = ToolCall(tool="run_extraction", wire_id="abcdefghi", turn=turn, result={**result, "document_name": "b"})
    told = hide_shown(of_other, shown).result
    assert len(told["result"]["line_items"]["first"]) == 5 and "read_result(call_id=" in told["more"]
    earlier = ToolCall(tool="run_extraction", wire_id="abcdefghi", turn=turn, result={**result, "extraction_id": "b"})
    assert "An earlier run" in hide_shown(earlier, shown).result["values"]
    asked = ToolCall(tool="get_extraction_result", wire_id="abcdefghi", turn=turn, result=result)
    assert "first" in hide_shown(asked, shown).result["result"]["line_items"]


def test_concise_values_keep_the_ends_of_a_long_list_and_every_doubt(
    document: Document, revision: PromptRevision, do: Do, thread: Thread
) -> None:
    items = [{"sku": f"A{number:03}", "amount": number} for number in range(800)]
    found = {"words": "x", "blocks": ["1.1"], "state": "exact"}
    stored = add_row_ids({"vendor": "ACME", "line_items": items})
    run = extract(document, revision, **stored)
    paths = {path: where for where, path in map_wire_paths(run.current).items()}
    sure = {where: found for path, where in paths.items() if path != "line_items.400.amount"}
    Extraction.objects.filter(pk=run.pk).update(provenance=sure, coverage=[1], page_count=1)
    short, full = (do("get_extraction_result", detail=detail).result for detail in ("concise", "full"))
    assert do("get_extraction_result").result == short and "is concise or full" in str(
        do("get_extraction_result", detail="all").result
    )
    rows = short["result"]["line_items"]
    assert (rows["rows"], [row["sku"] for row in rows["first"] + rows["last"]][4:6]) == (800, ["A004", "A795"])
    assert rows["doubtful"] == {"400": {"sku": "A400", "amount": 400}}
    assert short["unsure"] == full["unsure"] == {"line_items[sku=A400].amount": "It was not looked up on the pages."}
    assert short["summary"] == full["summary"] and len(full["result"]["line_items"]) == 800
    assert "pages_seen" not in short and full["pages_seen"] == [1] and "full" in short["more"]
    assert set(short.get("lines", {})) <= set(full.get("lines", {}))
    turn = thread.turns.order_by("number")[0]
    call = ToolCall(tool="get_extraction_result", wire_id="abcdefghi", turn=turn, result=full)
    call.effective = {"detail": "full"}
    assert len(hide_shown(call, Shown(turn_id=turn.pk)).result["result"]["line_items"]) == 800  # type: ignore[index]
