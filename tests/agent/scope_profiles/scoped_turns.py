"""Words and requests of turns under the profile that the fixtures make."""

from __future__ import annotations

import json

from tests.scripted_model import ScriptedModel, calls

SEARCH = calls(("search_documents", {"query": "copper"}))
NAMED = "Pole extension is a delivery note; this assistant is for invoices and receipts."


def read_sent(model: ScriptedModel) -> str:
    return json.dumps([request["messages"] for request in model.requests])
