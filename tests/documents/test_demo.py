from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from accounts.actor import Actor
from accounts.models import Organization, User
from documents.catalog import state
from documents.definitions.schema_rules import find_problems
from documents.extractions.extraction_view import FieldView, build_view
from documents.management import demo
from documents.models import Document, Extraction, Page, Prompt, PromptRevision, Schema, Tag
from documents.views.rows import make_rows

pytestmark = pytest.mark.servers


def _make(actor: Actor, documents: int, seed: int = 1) -> list[Document]:
    before = set(Document.objects.values_list("pk", flat=True))
    assert list(demo.seed_rows(actor, documents=documents, prompt_revisions=10, tags=5, seed=seed))[-1] == documents
    return list(Document.objects.exclude(pk__in=before).order_by("name"))


def test_it_makes_rows_that_agree_with_each_other(actor: Actor) -> None:
    documents = _make(actor, 60)
    assert len(documents) == 60
    assert all((one.state, one.state_reason) == state.compute_state(one) for one in documents)
    assert len({one.file.name for one in documents}) == 1
    assert documents[0].file.read() == demo.SAMPLE.read_bytes()
    assert Page.objects.count() == sum(one.state != "ocr_failed" for one in documents)
    assert Tag.objects.count() == 5
    assert Document.tags.through.objects.exists()


def test_its_definitions_have_revisions_and_pass_the_rules(actor: Actor) -> None:
    _make(actor, 1)
    assert Prompt.objects.count() == Schema.objects.count() == 3
    assert PromptRevision.objects.count() == 10
    latest = Prompt.objects.order_by("name")[0].latest
    assert latest and latest.number == 4
    assert latest.schema_revision and not find_problems(latest.schema_revision.response_format)


def test_its_extractions_can_be_shown(actor: Actor) -> None:
    _make(actor, 20)
    extraction = Extraction.objects.filter(status="completed").order_by("pk")[0]
    raw_values = {item.name: item.raw for item in build_view(extraction).items if isinstance(item, FieldView)}
    assert raw_values == demo.VALUES


def test_its_documents_wait_to_be_checked_or_are_verified(actor: Actor) -> None:
    documents = _make(actor, 60)
    words = {row.state.words for row in make_rows(documents, actor)}
    assert {"Verified", "To verify", "1 uncertain"} <= words


def test_the_same_seed_makes_the_same_names(actor: Actor, stranger: Actor) -> None:
    first = [(one.name, one.state) for one in _make(actor, 10)]
    assert [(one.name, one.state) for one in _make(stranger, 10)] == first
    assert [(one.name, one.state) for one in _make(stranger, 10, seed=2)] != first


def test_the_command_founds_the_organization_and_adds_to_it_when_run_again(user: User) -> None:
    for _ in range(2):
        call_command("seed_demo", documents=3, organization="Big One", prompts_revisions=1, tags=1, stdout=StringIO())
    organization = Organization.objects.get(name="Big One")
    assert Document.objects.filter(organization=organization).count() == 6
    assert Tag.objects.for_org(organization).count() == 2


def test_it_passes_by_names_that_are_taken_in_another_case(actor: Actor) -> None:
    _make(actor, 1)
    for model in (Prompt, Schema):
        for head in model.objects.for_org(actor.organization):
            head.name = head.name.upper()
            head.save()
    _make(actor, 1)
    assert Prompt.objects.count() == Schema.objects.count() == 6


def test_the_command_says_that_there_is_nobody(db: None) -> None:
    with pytest.raises(CommandError, match="nobody yet"):
        call_command("seed_demo", documents=1)
