"""Tokens of the tool definitions of a request: all of them, those offered, and the guide by category to the rest."""

from __future__ import annotations

import json

from django.apps import apps

from benchmarks.instruments import embedded

if not apps.ready:
    embedded.start()

from agent.conversation import threads
from agent.policy.offered_tools import describe_offered, list_rare, list_usable
from agent.tools.help import guide_by_category
from agent.turns import turns
from benchmarks.round_trip import a_person_with_a_document

LETTERS_A_TOKEN = 4


def print_tokens() -> None:
    """Four characters are counted as a token."""
    actor, document = a_person_with_a_document()
    for name, about in (("a document", document), ("no document", None)):
        turn = turns.start(actor, thread=threads.create(actor, document=about), text="Hello")
        every, offered, rare = list_usable(turn), describe_offered(turn), list_rare(turn)
        print(f"tool definitions of a request about {name}, in tokens")
        print(f"  before categories, all {len(every)}: {_count_tokens([tool.schema() for tool in every])}")
        print(f"  after, the {len(offered)} offered: {_count_tokens(offered)}")
        print(f"  guide by category to {len(rare)} others, when asked for: {_count_tokens(guide_by_category(rare))}")


def _count_tokens(value: object) -> int:
    return len(json.dumps(value, ensure_ascii=False, default=str)) // LETTERS_A_TOKEN
