"""A scripted model in a process of its own, so that what it costs is not counted as ours.

It proposes a schema, and once a result has come it says how many messages it was sent.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from kit.ids import new_id
from kit.processes import parents
from tests.product import ROOT
from tests.scripted_model import Json, Reply, ScriptedModel, calls, says


def make_format(field: str) -> Json:
    inner = {"type": "object", "properties": {field: {"type": "string", "description": "A."}}, "required": [field]}
    return {"type": "json_schema", "json_schema": {"name": "a", "schema": inner}}


class Proposing(ScriptedModel):
    def next_reply(self, body: Json, headers: dict[str, str]) -> Reply:
        if body["messages"][-1]["role"] == "tool":
            return says("Done after ", str(len(body["messages"])), " messages.")
        name = new_id()  # and fields of its own: of the same ones each schema would be the twin of all before it
        call = ("create_schema", {"name": f"Schema {name}", "response_format": make_format(f"field_{name}")})
        return calls(call, text="I propose this.")


@contextmanager
def proposing_model() -> Iterator[str]:
    """The address of one that runs."""
    command = [sys.executable, "-m", "benchmarks.instruments.model_server"]
    server = subprocess.Popen(
        command,
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=parents.die_with_parent(),
    )
    assert server.stdout
    try:
        yield server.stdout.readline().strip()
    finally:
        server.kill()
        server.wait()


def main() -> None:
    model = Proposing()
    model.start()
    print(model.base_url, flush=True)
    sys.stdin.readline()


if __name__ == "__main__":
    main()
