"""Actions of the administration, and how its lists show what they act on."""

from __future__ import annotations

import pytest
from django.test import Client

from accounts.actor import Actor
from accounts.models import AccessToken, AuditEntry
from agent.models import Turn
from documents.models import AutoSetup, Budget, Document, Extraction, LanguageModel, Prompt, Proposal, Reading
from tests.accounts.test_admin import act, address, client
from tests.rows import one_of_each

__all__ = ["client"]
pytestmark = pytest.mark.flows


def test_it_runs_the_services_of_the_product_on_chosen_rows(client: Client, actor: Actor) -> None:
    rows = one_of_each(actor)
    document, turn, token = rows[Document], rows[Turn], rows[AccessToken]
    assert act(client, "read_again", document) == f"Queued to be read again: {document.name}."
    assert document.readings.count() == 2
    assert "is being read already" in act(client, "read_again", rows[Reading])
    assert act(client, "trash", document) == f"In the trash with what is in it: {document.name}."
    assert "already in the trash" in act(client, "trash", document)
    assert act(client, "restore", document) == f"Restored with what went there with it: {document.name}."
    before = document.extractions.count()
    Reading.objects.filter(number=1).update(status=Reading.Status.COMPLETED)
    assert "Queued as a new extraction with the same prompt: " in act(client, "run_again", rows[Extraction])
    assert document.extractions.count() == before + 1
    assert "The agent will propose again for: " in act(client, "ask_again", rows[AutoSetup])
    assert "waits for its turn" in act(client, "ask_again", rows[AutoSetup])
    assert "Turn resumed; a worker goes on with it: " in act(client, "resume", turn)
    assert "Turn stopped: " in act(client, "cancel", turn)
    assert "has ended already" in act(client, "cancel", turn)
    assert act(client, "revoke", token) == f"Revoked; programs with it are refused now: {token}."
    assert not AccessToken.objects.filter(pk=token.pk).exists()
    prompt = rows[Prompt]
    assert act(client, "trash", prompt) == f"Moved to the trash; it can be restored: {prompt}."
    assert "not found" in act(client, "trash", prompt)
    assert act(client, "restore", prompt) == f"Restored from the trash: {prompt}."
    assert "The limit is $0 for: " in act(client, "stop_spending", rows[Budget])
    assert Budget.objects.get(pk=rows[Budget].pk).limit_micros == 0
    assert "A worker is reading the catalogue" in act(client, "sync", rows[LanguageModel])
    done = set(AuditEntry.objects.filter(user__email="root@acme.example").values_list("action", flat=True))
    assert {"read again", "trashed", "restored", "resumed", "stopped", "revoked"} <= done


def test_it_rejects_a_proposal(client: Client, actor: Actor) -> None:
    proposal = one_of_each(actor)[Proposal]
    assert "Rejected, and removed what it created: " in act(client, "reject", proposal)
    assert Proposal.objects.get(pk=proposal.pk).status == Proposal.Status.REJECTED
    assert "already" in act(client, "reject", proposal)


def test_a_long_name_is_cut_in_a_list_and_whole_in_its_title(client: Client, actor: Actor) -> None:
    name = "An invoice of a company with a name that goes on and on and on and on and on.pdf"
    rows = one_of_each(actor)
    Document.objects.filter(pk=rows[Document].pk).update(name=name)
    page = client.get(address(Document)).content.decode()
    assert f'<span class="cut" title="{name}">{name[:59]}…</span>' in page
