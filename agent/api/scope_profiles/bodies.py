"""The bodies of requests about scope profiles."""

from __future__ import annotations

from rest_framework import serializers

from accounts.api.wire.fields import ExactSerializer, StrictTextField
from agent.models import ScopeProfile
from agent.scope_profiles import profile_rows
from agent.turns.scope_gate import trials

MAX_MESSAGE = 10_000


def _list_field(help_text: str) -> serializers.ListField:
    return serializers.ListField(
        child=StrictTextField(),
        required=False,
        default=list,
        max_length=profile_rows.MAX_ENTRIES,
        help_text=help_text,
    )


class ScopeProfileBody(ExactSerializer):
    sentence = StrictTextField(max_length=profile_rows.MAX_SENTENCE, help_text="What the agent is for, in a sentence.")
    types = _list_field("Types of documents that are in scope.")
    tags = _list_field("Ids of tags that mark what is in scope.")
    tags_mode = serializers.ChoiceField(
        choices=ScopeProfile.TagsMode.choices,
        required=False,
        default="hint",
        help_text="required: a document needs one of the tags.",
    )
    tags_never = _list_field("Ids of tags that keep a document out.")
    topics = _list_field("Topics that general questions may be about.")
    always = _list_field("Regular expressions; a sentence that one is found in passes.")
    never = _list_field("Regular expressions; a text that one is found in never passes.")
    refusal = StrictTextField(
        max_length=profile_rows.MAX_REFUSAL,
        required=False,
        default="",
        allow_blank=True,
        help_text="Words of a refusal.",
    )
    mode = serializers.ChoiceField(choices=ScopeProfile.Mode.choices, required=False, default="off")


class EarlierMessageBody(ExactSerializer):
    role = serializers.ChoiceField(choices=["user", "assistant"])
    text = StrictTextField(max_length=MAX_MESSAGE, allow_blank=True)


class ScopeTrialBody(ExactSerializer):
    message = StrictTextField(max_length=MAX_MESSAGE, allow_blank=True, help_text="A message to the agent.")
    before = serializers.ListField(
        child=EarlierMessageBody(), required=False, default=list, max_length=2, help_text="The messages before it."
    )
    focus = serializers.ListField(
        child=StrictTextField(),
        required=False,
        default=list,
        max_length=5,
        help_text="Ids of the documents that the thread is about.",
    )
    documents = serializers.ListField(
        child=StrictTextField(),
        required=False,
        default=list,
        max_length=trials.MAX_TRIED,
        help_text="Ids of documents that a tool might bring.",
    )
