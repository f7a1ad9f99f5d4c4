"""Where a thread is shown: on the Agent tab of its document, or on a page of its own."""

from __future__ import annotations

from django.urls import reverse

from agent.models import Thread


def address_of(thread: Thread) -> str:
    name, ids = "agent-thread", [thread.organization_id]
    if thread.document_id is not None:
        name, ids = "document-agent", [thread.organization_id, thread.document_id]
    return f"{reverse(name, args=ids)}?thread={thread.pk}"
