"""A scripted model in a process of its own: it lists documents, answers, and judges what is unclear as in scope."""

from __future__ import annotations

import json

from benchmarks.instruments.model_server import serve
from tests.scripted_model import Json, Reply, ScriptedModel, calls, says

VERDICT = {"verdict": "in_scope", "rule": "purpose", "reason": "It is about invoices."}


class Judging(ScriptedModel):
    def next_reply(self, body: Json, headers: dict[str, str]) -> Reply:
        if body.get("response_format"):
            return says(json.dumps(VERDICT))
        if body["messages"][-1]["role"] == "tool":
            return says("I have looked at the list.")
        return calls(("list_documents", {}))


if __name__ == "__main__":
    serve(Judging())
