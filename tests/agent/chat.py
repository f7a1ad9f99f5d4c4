"""The chat routes of one document, as one caller uses them."""

from __future__ import annotations

from typing import Any

from documents.models import Document
from tests.conftest import ApiClient

NOTE = ("note", {"text": "x"})
LOOK = ("look", {"word": "y"})
UNKNOWN = "0123456789abcdef01234567"


class Chat:
    """The routes of one document, as one caller."""

    def __init__(self, api: ApiClient, document: Document) -> None:
        self.api = api
        self.org = f"/v0/orgs/{document.organization_id}"
        self.base = f"{self.org}/documents/{document.pk}/chat"

    def say(self, text: str = "Hello", **more: Any) -> Any:
        return self.api.post(self.base, {"messages": [{"role": "user", "content": text}], **more})

    def approve(self, turn_id: str, *approvals: Any, **more: Any) -> Any:
        listed = [{"call_id": call_id, "approved": approved, **rest} for call_id, approved, rest in approvals]
        return self.api.post(f"{self.base}/approve", {"turn_id": turn_id, "approvals": listed, **more})

    def get(self, path: str) -> Any:
        return self.api.get(f"{self.base}/{path}")


class AgentChat(Chat):
    """The routes without a document, as one caller."""

    def __init__(self, api: ApiClient, organization_id: str) -> None:
        self.api = api
        self.org = f"/v0/orgs/{organization_id}"
        self.base = f"{self.org}/chat"


def yes(call: Any, **more: Any) -> tuple[str, bool, Any]:
    return call["id"], True, more


def no(call: Any, **more: Any) -> tuple[str, bool, Any]:
    return call["id"], False, more
