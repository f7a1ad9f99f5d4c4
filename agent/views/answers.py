"""An answer of the agent to take along."""

from __future__ import annotations

from dataclasses import replace

from django.http import HttpResponse
from django.urls import reverse
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_GET

from accounts.views.pages import PageRequest, organization_page
from agent.citations.checked_answers import get_coverage, list_unsupported
from agent.citations.reviewing import Coverage
from agent.conversation import threads
from agent.conversation.cited_messages import read_message
from agent.models import Message, Thread
from agent.toolkit.previews import format_count
from agent.views.thread.answer_files import FORMATS, AnswerFile
from kit.errors import NotFound
from kit.timestamps import format_timestamp


@require_GET
@organization_page()
def download(request: PageRequest, thread_id: str, number: int, form: str) -> HttpResponse:
    """The answer in message `number` with its question and sources; `form` is md, json or docx."""
    thread = threads.fetch_readable(request.actor, thread_id)
    rows = thread.messages.filter(dropped_at=None, number=number, role=Message.Role.ASSISTANT)
    message = rows.select_related("turn", "thread__organization").first()
    if message is None or form not in FORMATS:
        raise NotFound("There is no such answer in this thread.")
    response = HttpResponse(_build_file(request, thread, message).write(form), content_type=FORMATS[form])
    response["Content-Disposition"] = content_disposition_header(True, f"{thread.title[:80]}.{form}")
    return response


def _build_file(request: PageRequest, thread: Thread, message: Message) -> AnswerFile:
    asked = thread.messages.filter(turn=message.turn, role=Message.Role.USER).order_by("number").first()
    answer = read_message(message)
    unproven = zip(answer.numbered_unsupported, list_unsupported(message), strict=True)
    return AnswerFile(
        question=asked.join_text() if asked else "",
        answer=answer.numbered,
        asked_at=format_timestamp(message.turn.created_at),
        thread_id=thread.pk,
        sources=answer.sources,
        unsupported=[replace(each, text=text) for text, each in unproven],
        coverage=_describe_coverage(get_coverage(message)),
        addresses={
            each.block_id: request.build_absolute_uri(reverse("place", args=(thread.organization_id, each.block_id)))
            for each in answer.sources
            if each.document
        },
    )


def _describe_coverage(coverage: Coverage | None) -> str:
    if coverage is None:
        return ""
    documents = coverage["documents"]
    of = f" of {format_count(documents, 'document')}" if documents is not None else ""
    return f"{coverage['cited']:,} cited, {coverage['read']:,} read{of}"
