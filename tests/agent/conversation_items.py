"""The items of a thread's page, by their kind."""

from __future__ import annotations

from agent.views.thread import thread_page


def list_items(thread, actor, kind):
    thread.refresh_from_db()
    return [item for item in thread_page.build_conversation(thread, actor).items if item.kind == kind]
