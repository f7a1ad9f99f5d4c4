"""An organization with documents, one person who asks and approves, and its workers, all in this process."""

from __future__ import annotations

from typing import Any

from django.core.files.base import ContentFile

from accounts.access import enter
from accounts.services import organizations, users
from agent.calls import decisions, execution
from agent.calls.decisions import CardSnapshot
from agent.calls.jobs import job_ends
from agent.conversation import threads
from agent.models import Thread, ToolCall, Turn
from agent.turns import headless, loop, turns
from agent.turns.sweep import find_runnable_calls
from benchmarks.agent_tasks.papers import Invoice
from documents import extractions
from documents.bulk import working
from documents.index.words import indexing
from documents.intake import uploads
from documents.models import BulkAction, Document, Extraction, PromptRevision
from documents.reading import reading
from documents.values import strip_row_ids
from kit.ids import new_id

HOLDER = "tasks"
MOST_PAUSES = 20
"""A turn that waits for a person this often gets nowhere."""
REFUSED = (ToolCall.Status.INVALID, ToolCall.Status.DENIED, ToolCall.Status.FAILED, ToolCall.Status.STALE)


class Office:
    def __init__(self) -> None:
        person = users.create(None, email=f"{new_id()}@example.org", password=None, name="Ana Novak")
        self.actor = enter(person, organizations.create(person, name=new_id(), type="team").pk)
        self.approvals = 0

    def upload(self, name: str, content: bytes | Invoice, *, auto_setup: bool | None = False) -> Document:
        """Read and found by its words when this returns."""
        raw = content.print().encode() if isinstance(content, Invoice) else content
        document = uploads.store(self.actor, name=name, content=ContentFile(raw), auto_setup=auto_setup)
        while reading.read_next(holder=HOLDER):
            pass
        indexing.index_waiting()
        return document

    def extract(self, document: Document) -> None:
        """With the newest prompt."""
        revision = PromptRevision.objects.filter(prompt__organization=self.actor.organization).last()
        extractions.start(self.actor, document=document, prompt_revision=revision)
        self.work()

    def open_thread(self, document: Document | None, mode: str = Thread.Mode.ASK) -> Thread:
        thread = threads.create(self.actor, document=document)
        return threads.set_mode(self.actor, thread=thread, mode=mode)

    def ask(self, thread: Thread, text: str) -> Turn:
        """Until the turn has ended, with every card approved."""
        turn = turns.start(self.actor, thread=thread, text=text)
        for _ in range(MOST_PAUSES):
            self.work()
            if not self.approve(thread):
                break
        turn.refresh_from_db()
        return turn

    def approve(self, thread: Thread) -> bool:
        """All cards that wait, with one press. Whether there were any."""
        waiting = [call for call in thread.calls.order_by("pk") if call.status == ToolCall.Status.PENDING]
        if not waiting:
            return False
        faces = [CardSnapshot(call.pk, call.version, call.shown_hash) for call in waiting]
        decisions.decide_all(self.actor, thread=thread, kind="approved", cards=faces, idempotency_key=new_id())
        self.approvals += 1
        return True

    def work(self) -> None:
        """What the workers do, until nothing is left."""
        while self.do_next():
            pass

    def do_next(self) -> bool:
        did = headless.sweep() > 0
        did = loop.run_next_round(holder=HOLDER) or did
        for call_id in find_runnable_calls().values_list("pk", flat=True)[:1]:
            execution.execute(call_id, holder=HOLDER)
            did = True
        # Nobody waits here for the time of the next look.
        BulkAction.objects.filter(status=BulkAction.Status.QUEUED).update(lease_until=None)
        did = working.run_next(holder=HOLDER) or did
        for call_id in job_ends.list_ended().values_list("pk", flat=True):
            job_ends.record_end(call_id)
            did = True
        return extractions.run_next(holder=HOLDER) or did

    def count_refused_calls(self) -> int:
        return ToolCall.objects.filter(thread__organization=self.actor.organization, status__in=REFUSED).count()

    def read_values(self, document: Document) -> dict[str, Any]:
        """The newest ones, as a client gets them; empty when there are none."""
        newest = Extraction.objects.filter(
            document=document, status=Extraction.Status.COMPLETED, prompt_revision__isnull=False
        ).last()
        return strip_row_ids(newest.current) if newest else {}

    def read_last_answer(self, thread: Thread) -> str:
        message = thread.messages.filter(role="assistant").last()
        return message.join_text() if message else ""
