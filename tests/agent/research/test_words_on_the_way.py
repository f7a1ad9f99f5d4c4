"""What the model says beside its calls, before its answer."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

import re
from typing import Any

import pytest

from accounts.actor import Actor
from agent.conversation.cited_messages import read_message
from agent.models import Message, Thread
from documents.models import Document
from tests.agent.research.cited_answers import answer_with, invoice, read, research, show  # noqa: F401 - fixtures
from tests.scripted_model import calls, says

pytestmark = pytest.mark.django_db(transaction=True)


def test_it_names_no_lines_and_what_they_do_not_say_is_marked(
    answer_with: Any, invoice: Document, signed_in: Any, actor: Actor, research: Thread, api_as: Any
) -> None:
    again = ("read_document", {"document": invoice.pk, "focus_query": "total"})
    answer_with(read(invoice), calls(again, text="It is 99.00 so far [D1:1.1, D1:1.2]. I go on."), says("Done."))
    page = show(signed_in, actor, research)
    assert re.findall(r'<mark class="doubt">(.*?)</mark>', page) == ["It is 99.00 so far."]
    message = Message.objects.filter(thread=research, role="assistant").order_by("number")[1]
    assert read_message(message).text == "It is 99.00 so far. [unsupported] I go on."
    path = f"/v0/orgs/{actor.organization.pk}/chat/threads/{research.pk}"
    assert "99.00 so far. [unsupported] I go on." in api_as(actor).get(path).text


def test_what_they_say_stands_as_plain_words(
    answer_with: Any, invoice: Document, signed_in: Any, actor: Actor, research: Thread
) -> None:
    again = ("read_document", {"document": invoice.pk, "focus_query": "total"})
    said = "It is 39.80 so far [D1:1.2], and 39.80 of acme.pdf are due."
    answer_with(read(invoice), calls(again, text=said), says("Done."))
    page = show(signed_in, actor, research)
    assert "It is 39.80 so far, and 39.80 of" in page and "doubt" not in page and "data-source" not in page
