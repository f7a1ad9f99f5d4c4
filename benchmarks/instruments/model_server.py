"""A scripted model in a process of its own, so that what it costs is not counted as ours.

It proposes a schema, and once a result has come it says how many messages it was sent.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from kit.ids import new_id
from kit.processes import parents
from tests.product import ROOT, Product
from tests.scripted_model import MODEL, Json, Reply, ScriptedModel, calls, says


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
def serving_model(module: str, *arguments: str) -> Iterator[str]:
    """The address that the module prints when it runs as a program; it ends with its parent."""
    server = subprocess.Popen(
        [sys.executable, "-m", module, *arguments],
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


def proposing_model() -> AbstractContextManager[str]:
    return serving_model("benchmarks.instruments.model_server")


@contextmanager
def product_with_model(module: str, *arguments: str) -> Iterator[Product]:
    """One with data of its own, whose model is that of the module, once its workers are ready."""
    with TemporaryDirectory(prefix="docrouter-benchmark-") as folder, serving_model(module, *arguments) as base:
        names = {"MODEL_API_BASE": base, "DEFAULT_MODEL": MODEL, "MONTHLY_BUDGET_USD": "100000"}
        product = Product(Path(folder), names).start()
        try:
            product.wait_until(product.is_ready, "the workers")
            yield product
        finally:
            product.stop()


def serve(model: ScriptedModel) -> None:
    """Until standard input ends."""
    model.start()
    print(model.base_url, flush=True)
    sys.stdin.readline()


def main() -> None:
    serve(Proposing())


if __name__ == "__main__":
    main()
