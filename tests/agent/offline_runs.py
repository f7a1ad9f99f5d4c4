"""Automatic setup with the offline model, in this process: documents as they were read, and workers on them."""

from __future__ import annotations

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from time import sleep

from django.db import connection

from accounts.actor import Actor
from agent.calls import execution
from agent.turns import headless, loop
from agent.turns.sweep import find_runnable_calls
from documents import extractions
from documents.autosetup import auto_setup
from documents.models import AutoSetup, Document, Page
from tests.documents import offline_cases as cases
from tests.documents.reading_rows import document_with


def request_setup(actor: Actor, text: str, name: str) -> AutoSetup:
    """A document with this text on its page, as it was read."""
    lines = [re.sub(r"^\[\S+\] ", "", line) for line in text.splitlines()]
    document = document_with(actor.organization, lines, name=name, user=actor.user)
    Document.objects.filter(pk=document.pk).update(state=Document.State.OCR_COMPLETED)
    Page.objects.filter(reading__document=document).update(text=text)
    return auto_setup.request_auto_setup(actor, document=document)


def invoice(actor: Actor, number: int) -> AutoSetup:
    return request_setup(
        actor, cases.INVOICE.replace("INV-2025-49883", f"INV-2026-{number:05}"), f"invoice {number}.pdf"
    )


def work() -> None:
    """What a worker and the scheduler do, until nothing is left."""
    while True:
        headless.sweep()
        did = loop.run_next_round(holder="test")
        for call_id in find_runnable_calls().values_list("pk", flat=True)[:1]:
            execution.execute(call_id, holder="test")
            did = True
        did = extractions.run_next(holder="test") or did
        if not did:
            if not AutoSetup.objects.filter(status__in=["queued", "running"]).exists():
                return
            sleep(0.05)  # another worker has what is left


def at_once(do: Callable[[int], object], number: int) -> None:
    barrier = Barrier(number)

    def one(at: int) -> None:
        barrier.wait()
        try:
            do(at)
        finally:
            connection.close()

    with ThreadPoolExecutor(number) as pool:
        list(pool.map(one, range(number)))
