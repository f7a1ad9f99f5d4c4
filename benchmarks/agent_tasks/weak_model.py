"""The good model's answers as a weak one without tools writes them: loosely, after a look for further tools."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import cycle

from benchmarks.agent_tasks.good_model import GoodModel, Script, list_offered
from benchmarks.agent_tasks.request import Request
from tests.scripted_answers import make_whole
from tests.scripted_model import Json, Reply, says

Call = tuple[str, Json]
PROSE = "Sure, I can do that. First I would look at the document, then I would call the tools."


class WeakModel(GoodModel):
    """It begins each task with prose, so that it has to be asked for JSON, and writes each answer in another form."""

    def start_script(self) -> None:
        super().start_script()
        self.waiting: Reply | None = None
        self.has_called = False

    def play(self, script: Callable[[], Script]) -> None:
        self.forms, self.has_stumbled = cycle((write_fenced, write_lone, write_with_commas)), False
        super().play(script)

    def next_step(self, request: Request) -> Reply:
        if not self.has_stumbled:
            self.has_stumbled = True
            return says(PROSE)
        if self.waiting:
            return self.finish(self.waiting, request)
        if self.has_called:
            self.has_called = False
            return says(json.dumps({"response": "That is all."}))
        return super().next_step(request)

    def finish(self, reply: Reply, request: Request) -> Reply:
        """One look for each tool that is not among those of the request, and then the calls."""
        message = make_whole(reply)["choices"][0]["message"]
        functions = [call["function"] for call in message.get("tool_calls") or ()]
        calls = [(each["name"], json.loads(each["arguments"])) for each in functions if each["name"] != "end_turn"]
        missing = {name for name, _ in calls} - list_offered(request, {name for name, _ in calls})
        self.waiting = reply if missing else None
        self.has_called = not missing and len(calls) < len(functions)  # in place of end_turn
        if missing:
            calls = [("find_tools", {"query": sorted(missing)[0].replace("_", " ")})]
        return says(next(self.forms)([loosen(call) for call in calls], message["content"] or ""))


def loosen(call: Call) -> Call:
    """With a bare JSON Schema in place of a response format."""
    name, arguments = call
    form = arguments.get("response_format", {}).get("json_schema")
    return (name, {**arguments, "response_format": form["schema"]}) if form else call


def write_fenced(calls: list[Call], text: str) -> str:
    listed = [{"name": name, "arguments": arguments} for name, arguments in calls]
    return f"Here you are:\n```json\n{json.dumps({'tool_calls': listed, 'response': text}, indent=1)}\n```"


def write_lone(calls: list[Call], text: str) -> str:
    """A call alone stands for the whole answer."""
    if len(calls) != 1:
        return write_with_commas(calls, text)
    return json.dumps({"tool": calls[0][0], "args": calls[0][1]})


def write_with_commas(calls: list[Call], text: str) -> str:
    listed = [{"tool": name, "args": arguments} for name, arguments in calls]
    written = json.dumps({"thinking": "", "tool_calls": listed, "response": text})
    return written.replace("}]", "},]").removesuffix("}") + ",}"
