"""The audit as people read it: sentences, rows for several entries, and what happened to one document."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import AuditEntry, Role
from accounts.services import audit, invitations
from agent.audit.field_places import MAX_SHOWN, describe_place
from agent.audit.grouping import AuditRow, group_lines
from agent.audit.phrases import phrase_entry
from agent.audit.trail import AuditFilter, build_lines, list_entries
from agent.models import Thread, ToolCall
from documents import document_changes
from documents.extractions import edits
from documents.models import AutoSetup, Document, Tag
from documents.values import strip_row_ids
from tests.agent.decision_rows import say
from tests.documents.checked_invoice import make_prompt, store_invoice

pytestmark = pytest.mark.django_db


def make_document(actor: Actor, name: str = "other.pdf") -> Document:
    return Document.objects.create(organization=actor.organization, name=name, sha256="1" * 64, size=1, file="none")


def read_rows(actor: Actor) -> list[AuditRow]:
    return group_lines(build_lines(list(list_entries(actor, AuditFilter()))))


@pytest.mark.parametrize(
    ("action", "kind", "detail", "text"),
    [
        ("revised", "schema", {}, "Revised schema It"),
        ("uploaded", "document", {"size": 3}, "Uploaded It"),
        ("changed", "document", {"what": ["tags"], "added": ["Paid"]}, "Added the tag Paid to It"),
        ("changed", "document", {"what": ["tags"], "removed": ["Paid"]}, "Removed the tag Paid from It"),
        (
            "changed",
            "document",
            {"what": ["tags"], "added": ["A"], "removed": ["B"]},
            "Replaced the tag B with A on It",
        ),
        ("changed", "document", {"what": ["metadata"]}, "Changed metadata of It"),
        ("changed", "document", {}, "Changed something of It"),
        ("verified", "extraction", {"where": ""}, "Verified all values in It"),
        ("edited", "extraction", {"where": "line_items[6b09].unit_price"}, "Edited Line items › Unit price in It"),
        ("edited", "extraction", {"changes": 3}, "Edited 3 values in It"),
        (
            "changed role",
            "member",
            {"before": "viewer", "after": "admin"},
            "Changed the role of It from viewer to admin",
        ),
        ("joined", "member", {}, "Joined as "),
        (
            "changed",
            "organization",
            {"fields": ["auto_setup_default"]},
            "Changed “make schema and prompt automatically on upload” for It",
        ),
    ],
)
def test_an_entry_is_a_sentence(action: str, kind: str, detail: dict[str, Any], text: str) -> None:
    entry = AuditEntry(action=action, target_kind=kind, target_id="6b09e4a7", detail=detail)
    where = detail.get("where", "")
    assert phrase_entry(entry, "It", describe_place(where, {}) if where else "").text == text.strip()


def test_a_value_has_the_title_that_its_schema_gives_it() -> None:
    schema = {"type": "object", "properties": {"iban": {"type": "string", "title": "Account (IBAN)"}}}
    assert describe_place("iban", schema) == "Account (IBAN)"
    assert describe_place("gone[6b09].unit_price", schema) == "Gone › Unit price"


def test_an_invitation_is_named_by_its_address(actor: Actor) -> None:
    invitations.invite(actor, email="nia@acme.example", role=Role.REVIEWER)
    assert read_rows(actor)[0].phrase.text == "Invited nia@acme.example as reviewer"


def test_the_same_done_to_several_things_is_one_row(actor: Actor) -> None:
    tag = Tag.objects.create(organization=actor.organization, name="Paid")
    for _ in range(3):
        document_changes.change_tags(actor, document=make_document(actor), add=[tag.pk])
    (row,) = [row for row in read_rows(actor) if "Paid" in row.phrase.text]
    assert (row.phrase.text, row.phrase.name, len(row.lines)) == ("Added the tag Paid to 3 documents", "", 3)


def test_the_same_done_again_to_one_thing_is_counted_and_a_pause_parts_it(actor: Actor) -> None:
    AuditEntry.objects.all().delete()
    entries = [audit.record(actor, "renamed", actor.organization) for _ in range(3)]
    assert [row.phrase.text for row in read_rows(actor)] == ["Renamed organization Acme (3 times)"]
    AuditEntry.objects.filter(pk=entries[0].pk).update(created_at=timezone.now() - timedelta(minutes=6))
    assert [len(row.lines) for row in read_rows(actor)] == [2, 1]


def test_the_steps_of_a_setup_are_one_row_although_another_runs_beside_it(actor: Actor) -> None:
    AuditEntry.objects.all().delete()
    threads = []
    for name in ("first.pdf", "second.pdf"):
        document = make_document(actor, name)
        audit.record(actor, "asked for automatic setup", document)
        threads.append(Thread.objects.create(organization=actor.organization, owner=actor.user, document=document))
        AutoSetup.objects.create(document=document, thread_id=threads[-1].pk)
    for _ in range(2):
        for thread in threads:
            audit.record(actor, "started", thread)
    rows = read_rows(actor)
    assert [row.phrase.text for row in rows] == ["Set up second.pdf automatically", "Set up first.pdf automatically"]
    assert [len(row.lines) for row in rows] == [3, 3]
    assert all(row.address.endswith(row.setup.id) for row in rows if row.setup)


class TestDocument:
    def read(self, client: Client, actor: Actor, document: Document) -> str:
        client.force_login(actor.user)
        return client.get(reverse("document-activity", args=[document.organization_id, document.pk])).content.decode()

    def test_it_says_who_did_what_to_this_document_alone(
        self, client: Client, actor: Actor, member: Any, stranger: Actor
    ) -> None:
        document, other = make_document(actor), make_document(actor)
        document_changes.rename(actor, document=document, name="First.pdf")
        document_changes.rename(actor, document=other, name="Second.pdf")
        text = self.read(client, member(Role.VIEWER), document)
        assert "First.pdf" in text and actor.user.shown_name in text and "Second.pdf" not in text
        assert self.read(client, stranger, document).count("First.pdf") == 0

    @pytest.mark.django_db(transaction=True)
    def test_decisions_of_a_private_thread_are_its_owners(
        self, client: Client, actor: Actor, member: Any, document: Document, propose: Any
    ) -> None:
        (call,) = propose(("note", {"text": "hello"}))
        say(actor, call)
        Thread.objects.update(document=document)
        viewer = member(Role.VIEWER)
        assert "Approved “" in self.read(client, viewer, document)
        Thread.objects.update(private=True)
        assert "Approved “" not in self.read(client, viewer, document)
        assert "Approved “" in self.read(client, actor, document)
        assert ToolCall.objects.get().status == "approved"

    def test_a_changed_value_says_what_it_was_and_became(self, client: Client, actor: Actor) -> None:
        run = store_invoice(actor, make_prompt(actor, []), "a.pdf", due_date="2026-01-31")
        edits.set_field(actor, extraction=run, where="due_date", value="2026-02-28")
        edits.set_field(actor, extraction=run, where="due_date", value=None)
        lines = " ".join(self.read(client, actor, run.document).split())
        assert ": 2026-01-31 → 2026-02-28" in lines and ": 2026-02-28 → nothing" in lines
        assert lines.count("Edited Due date in ") == 2

    def test_several_changed_values_are_named_up_to_a_bound(self, client: Client, actor: Actor) -> None:
        run = store_invoice(actor, make_prompt(actor, []), "a.pdf")
        new = {"number": "INV-2", "currency": "GBP", "subtotal": 36, "tax": 8, "total": "44.00"}
        edits.set_result(actor, extraction=run, result=strip_row_ids(run.current) | new)
        lines = " ".join(self.read(client, actor, run.document).split())
        changed = ("Number INV-1 → INV-2", "Currency EUR → GBP", "Subtotal 35 → 36", "Tax 7 → 8", "Total 42.00 → 44.00")
        assert "Edited 5 values in " in lines and "; " in lines and " and 2 more" in lines
        assert sum(words in lines for words in changed) == MAX_SHOWN

    def test_it_is_a_page_of_its_own_where_htmx_does_not_ask(self, client: Client, actor: Actor) -> None:
        document = make_document(actor, "First.pdf")
        audit.record(actor, "read again", document)
        assert "<title>Activity · First.pdf" in self.read(client, actor, document)
        address = reverse("document-activity", args=[document.organization_id, document.pk])
        assert client.get(address, headers={"HX-Request": "true"}).text.lstrip().startswith("<li>")

    def test_older_entries_follow_on_request(self, client: Client, actor: Actor) -> None:
        document = make_document(actor)
        AuditEntry.objects.all().delete()
        entries = [audit.record(actor, f"act {number}", document) for number in range(60)]
        text = self.read(client, actor, document)
        assert "Act 10 " in text and "Act 9 " not in text
        address = reverse("document-activity", args=[document.organization_id, document.pk])
        older = client.get(f"{address}?before={entries[10].pk}").content.decode()
        assert "Act 9 " in older and "Act 10 " not in older and "Older" not in older
