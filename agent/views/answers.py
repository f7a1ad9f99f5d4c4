"""An answer of the agent to take along."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_GET

from accounts.views.pages import PageRequest, organization_page
from agent.cards.answer_files import FORMATS, build_file
from agent.conversation import threads
from agent.models import Message
from kit.errors import NotFound


@require_GET
@organization_page()
def download(request: PageRequest, thread_id: str, number: int, form: str) -> HttpResponse:
    """The answer in message `number` with its question and sources; `form` is md, json or docx."""
    thread = threads.fetch_readable(request.actor, thread_id)
    rows = thread.messages.filter(dropped_at=None, number=number, role=Message.Role.ASSISTANT)
    message = rows.select_related("turn", "thread__organization").first()
    if message is None or form not in FORMATS:
        raise NotFound("There is no such answer in this thread.")
    file = build_file(message, request.build_absolute_uri("/").rstrip("/"))
    response = HttpResponse(file.write(form), content_type=FORMATS[form])
    response["Content-Disposition"] = content_disposition_header(True, f"{thread.title[:80]}.{form}")
    return response
