"""What clients send to talk to the agent: messages and decisions, checked."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from accounts.api.wire.fields import RequestBody, StrictTextField, TrueOrFalse
from agent.conversation import mentions
from agent.models import Turn
from documents.find import scopes

_TEXT_PART = {"type": {"const": "text"}, "text": {"type": "string"}}
_MENTION = {
    "type": {"type": "string", "enum": list(mentions.KINDS)},
    "id": {"type": "string", "minLength": 1, "maxLength": mentions.MAX_ID},
}

_SCOPE = {
    "document_ids": {
        "type": "array",
        "items": {"type": "string", "minLength": 1, "maxLength": scopes.MAX_ID},
        "maxItems": scopes.MAX_CHOSEN,
    },
    "query": {"type": "string", "maxLength": 2000, "description": "Instead of ids: filters of the documents list."},
}


@extend_schema_field(
    {
        "oneOf": [
            {"type": "string"},
            {"type": "array", "items": {"type": "object", "properties": _TEXT_PART, "required": ["text"]}},
        ]
    }
)
class ContentField(serializers.JSONField):
    """Text, or a list of its parts."""


@extend_schema_field({"type": "array", "items": {"type": "object", "properties": _MENTION, "required": list(_MENTION)}})
class MentionsField(serializers.JSONField):
    """What a person named with @; the service checks it."""


@extend_schema_field({"type": "object", "properties": _SCOPE, "additionalProperties": False})
class ScopeField(serializers.JSONField):
    """Which documents a message is about; the service checks it."""


class ChatMessage(RequestBody):
    """`content` is text, or a list of parts as {"type": "text", "text": "…"}."""

    role = StrictTextField(max_length=20)
    content = ContentField(required=False, allow_null=True, default=None)

    def validate_content(self, sent: object) -> str:
        if isinstance(sent, list):
            texts = [part.get("text") for part in sent if isinstance(part, dict) and part.get("type", "text") == "text"]
            known = [text for text in texts if isinstance(text, str)]
            if len(known) == len(sent):
                return "\n".join(known)
            raise ValidationError("Parts of a message must be text.")
        if sent is not None and not isinstance(sent, str):
            raise ValidationError("Input should be a valid string")
        return sent or ""


class NewChat(RequestBody):
    messages = ChatMessage(many=True)
    mentions = MentionsField(required=False, allow_null=True, default=None)
    scope = ScopeField(required=False, allow_null=True, default=None)
    depth = serializers.ChoiceField(["", *Turn.Depth.values], required=False, allow_null=True, default=None)
    model = StrictTextField(required=False, allow_null=True, allow_blank=True, default="", max_length=200)
    stream = TrueOrFalse(required=False, default=False)
    auto_approve = TrueOrFalse(required=False, default=False)
    auto_approved_tools = serializers.ListField(
        child=StrictTextField(max_length=100), required=False, allow_null=True, default=None, max_length=100
    )
    thread_id = StrictTextField(required=False, allow_null=True, allow_blank=True, default="", max_length=100)
    truncate_thread_to_message_count = serializers.IntegerField(
        required=False, allow_null=True, default=None, min_value=0
    )


class Approval(RequestBody):
    """`arguments` replace those that the card shows; `reason` is read by the model."""

    call_id = StrictTextField(max_length=100)
    approved = TrueOrFalse()
    arguments = serializers.DictField(required=False, allow_null=True, default=None)
    reason = StrictTextField(max_length=4000, required=False, allow_null=True, allow_blank=True, default="")


class NewApprovals(RequestBody):
    turn_id = StrictTextField(max_length=100)
    approvals = Approval(many=True)
    thread_id = StrictTextField(required=False, allow_null=True, allow_blank=True, default="", max_length=100)
    stream = TrueOrFalse(required=False, default=False)

    def validate_approvals(self, sent: list[Any]) -> list[object]:
        """Each call once. The same decision twice is one; two different ones are none."""
        by_call: dict[str, Any] = {}
        for each in sent:
            if by_call.setdefault(each["call_id"], each) != each:
                raise ValidationError(f"The call {each['call_id']} has two different decisions.")
        return list(by_call.values())
