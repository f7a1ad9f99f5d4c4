"""A talk with the offline model whose tools answer as told."""

import json

from agent.calls.outcomes import WHY_REJECTED
from agent.conversation.model_input.context import PREAMBLE
from documents.reading.page_text import MarkedText, make_data_block
from offline_model import ChatRequest, answer
from tests.documents import offline_cases as cases

SETUP_TOOLS = ["get_ocr_text", "validate_schema", "create_schema", "create_prompt", "run_extraction"]


EDIT_TOOLS = ["get_extraction_result", "update_extraction_field"]


VALUES = {
    "vendor": "Ostrava Tools s.r.o.",
    "invoice_number": "INV-2025-49883",
    "invoice_date": "2026-04-04",
    "due_date": "2026-12-27",
    "tax": None,
    "total": 17116.55,
    "line_items": [{"sku": "X4514", "quantity": 15}, {"sku": "B6390", "quantity": 10}],
}


SHOWN = {"extraction_id": "e1", "prompt_revid": "q1", "result": VALUES, "unsure": {"vendor": "inferred"}}


WHY = "why"
REJECTED = "The user rejected this call; it was not run.{} Do not propose the same again."


WORKING = {
    "validate_schema": {"valid": True, "problems": []},
    "create_schema": {"schema_id": "s1", "schema_revid": "r1", "schema_version": 1},
    "create_prompt": {"prompt_id": "p1", "prompt_revid": "q1", "prompt_version": 1},
    "run_extraction": SHOWN,
    "update_extraction_field": SHOWN,
    "get_extraction_result": SHOWN,
}


class Talk:
    """A thread with the offline model; `results` answers its calls, lists one after the other."""

    def __init__(
        self, text=cases.INVOICE, tools=SETUP_TOOLS + EDIT_TOOLS, values=None, state="", mode="ask", **results
    ):
        self.tools = [{"type": "function", "function": {"name": name, "parameters": {}}} for name in tools]
        self.results = {**WORKING, **results}
        self.context = [
            make_data_block("document", MarkedText(f'<page number="1">\n{text}</page>', [1]), name="f", pages=1)
        ]
        self.context += [make_data_block("working_state", state)] if state else []
        self.context += [make_data_block("current_extraction", json.dumps(values))] if values else []
        self.system = f"You are the agent.\nMode: {mode}. As said."
        self.said = []
        self.calls = []

    def ask(self, request):
        """The texts of the turn; `calls` keeps (tool, arguments) of every turn."""
        self.said.append({"role": "user", "content": request})
        texts = []
        while True:
            reply = answer(ChatRequest([*self.open_talk(), *self.said], self.tools))
            texts.append(reply.text)
            if not reply.call:
                self.said.append({"role": "assistant", "content": reply.text})
                return texts
            self.run(reply)

    def open_talk(self):
        context = "\n\n".join([PREAMBLE, *self.context])
        return [{"role": "system", "content": self.system}, {"role": "user", "content": context}]

    def run(self, reply):
        assert reply.call.name in {tool["function"]["name"] for tool in self.tools}
        assert (reply.call.name, reply.call.arguments) not in self.calls, "the same call twice"
        self.calls.append((reply.call.name, reply.call.arguments))
        results = self.results[reply.call.name]
        result = results.pop(0) if isinstance(results, list) else results
        function = {"name": reply.call.name, "arguments": reply.call.as_json}
        call = {"id": reply.call_id, "type": "function", "function": function}
        self.said.append({"role": "assistant", "content": reply.text, "tool_calls": [call]})
        self.said += list_answers(reply.call_id, result)

    def names(self):
        return [name for name, _ in self.calls]

    def last(self, name):
        return next(arguments for called, arguments in reversed(self.calls) if called == name)

    def fields(self):
        return self.last("create_schema")["response_format"]["json_schema"]["schema"]


def list_answers(call_id, result):
    """The result of a call, and what the person says after it."""
    reason = result.get(WHY) if isinstance(result, dict) else None
    sent = {key: value for key, value in result.items() if key != WHY} if reason else result
    spoken = [{"role": "user", "content": f"{WHY_REJECTED} call 1 (a tool): {reason}"}] if reason else []
    return [{"role": "tool", "tool_call_id": call_id, "content": json.dumps(sent)}, *spoken]


def reject(reason=""):
    """A result, with the reason that the person's next message gives."""
    why = " Why is in their next message." if reason else " No reason was given."
    return {"error": REJECTED.format(why), **({WHY: reason} if reason else {})}
