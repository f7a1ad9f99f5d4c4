"""What the model says beside its calls, before its answer."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

from typing import Any

import pytest

from accounts.actor import Actor
from agent.conversation.cited_messages import read_message
from agent.models import Message, Thread
from documents.models import Document
from tests.agent.research.cited_answers import answer_with, invoice, read, research, show  # noqa: F401 - fixtures
from tests.scripted_model import calls, says

pytestmark = pytest.mark.django_db(transaction=True)


def test_it_names_no_lines_since_nobody_has_checked_them(
    answer_with: Any, invoice: Document, signed_in: Any, actor: Actor, research: Thread
) -> None:
    again = ("read_document", {"document": invoice.pk, "focus_query": "total"})
    answer_with(read(invoice), calls(again, text="It is 99.00 so far [D1:1.1, D1:1.2]. I go on."), says("Done."))
    page = show(signed_in, actor, research)
    assert "It is 99.00 so far. I go on." in page
    said = Message.objects.filter(thread=research, role="assistant").order_by("number")[1]
    assert read_message(said).text == "It is 99.00 so far. I go on."
