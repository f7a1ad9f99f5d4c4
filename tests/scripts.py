"""Code that runs in a process of the product, with nothing but its environment."""

from __future__ import annotations

START = """
import os
os.environ["DJANGO_SETTINGS_MODULE"] = "docrouter.settings"
import django; django.setup()
"""
PEOPLE = f"""{START}
from accounts.access import enter
from accounts.services import organizations, users
user = users.create(None, email=f"{{os.getpid()}}@example.com", password=None, name="A")
actor = enter(user, organizations.create(user, name=f"Acme {{os.getpid()}}", type="team").pk)
"""
UPLOAD = f"""{PEOPLE}
from django.core.files.base import ContentFile
from documents.intake import uploads
uploads.store(actor, name="note.txt", content=ContentFile(b"Total: 12.50 EUR"))
"""
APPROVE = f"""{PEOPLE}
import json
from agent.models import Message, Turn
from agent.calls import call_drafts, decisions, proposed_calls
from agent.conversation import threads
thread = threads.create(actor)
turn = Turn.objects.create(
    thread=thread, number=1, model="offline/rules", max_rounds=1, limit_micros=1, round=1, code_version="test",
    status=Turn.Status.AWAITING_APPROVAL,
)
message = Message.objects.create(thread=thread, turn=turn, number=1, round=1, role="assistant")
total = {{"type": "number", "description": "What is to be paid."}}
schema = {{"type": "object", "properties": {{"total": total}}, "required": ["total"], "additionalProperties": False}}
response_format = {{"type": "json_schema", "json_schema": {{"name": "Invoice", "schema": schema, "strict": True}}}}
arguments = json.dumps({{"name": "Invoice", "response_format": response_format}})
[call] = proposed_calls.propose_round(
    turn, message=message, requested=[call_drafts.RequestedCall("create_schema", arguments)]
)
decisions.decide(
    actor, call=call, kind="approved", version=call.version, shown_hash=call.shown_hash, idempotency_key="once"
)
"""
