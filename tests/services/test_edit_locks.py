"""An edit or a verification beside a new run of the same document, on PostgreSQL: one waits, and both end."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
from django.db import transaction

from accounts.access import enter
from accounts.actor import Actor
from accounts.services import organizations, users
from documents import values
from documents.extractions import edits
from documents.models import CurrentValue, Document, Extraction, Verification
from tests.documents.bulk.bulk_rows import ask, work
from tests.documents.checked_invoice import make_prompt, store_invoice
from tests.services.test_lock_order import aside

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]

# What is done beforehand, and then beside the new run.
Change = Callable[[Actor, Extraction], Callable[[], object]]
CHANGES: list[Change] = [
    lambda actor, run: partial(edits.verify, actor, extraction=run),
    lambda actor, run: partial(edits.set_field, actor, extraction=run, where="tax", value=8),
    lambda actor, run: partial(work, ask(actor, "verify", [run.document])),
]


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_waits_for_the_document_and_holds_nothing_meanwhile(change: Change) -> None:
    person = users.create(None, email="ana@acme.example", password=None, name="Ana")
    actor = enter(person, organizations.create(person, name="Acme", type="team").pk)
    run = store_invoice(actor, make_prompt(actor, []), "a.pdf")
    for where, _ in values.iterate_leaves(run.current):
        Verification.objects.create(extraction=run, where=where, user=person)
    go_on = change(actor, run)
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            Document.objects.select_for_update().get(pk=run.document_id)
            begun = aside(pool, go_on)
            # What a new run of the prompt does next.
            assert Extraction.objects.select_for_update(nowait=True).get(pk=run.pk) == run
        begun.result(20)
    assert CurrentValue.objects.filter(document=run.document_id).exists()
