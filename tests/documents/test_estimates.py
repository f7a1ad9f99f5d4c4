"""What tagging documents or running a prompt on them starts and costs, said before anybody does it."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.actor import Actor
from accounts.models import Role
from documents import bulk
from documents.definitions import prompts
from documents.extractions.estimates import RunEstimate, estimate_runs, estimate_tagging
from documents.models import Document, Extraction, Page, PromptRevision, Reservation, Tag, Usage
from llm.money import budgets
from tests.conftest import ApiClient
from tests.documents.extraction_rows import PAGE, builder, prompt  # noqa: F401 - fixtures
from tests.documents.reading_rows import add_reading, document_with

pytestmark = [pytest.mark.django_db, pytest.mark.servers]
# 3,500 bytes of one line: 1,000 tokens, and 14 for the marks of the page.
TEXT = "Größe!! " * 350
TOKENS = 1014


@pytest.fixture
def tag(builder: Actor) -> Tag:
    return Tag.objects.create(organization=builder.organization, name="Invoices")


@pytest.fixture
def tagged(builder: Actor, prompt: PromptRevision, tag: Tag) -> PromptRevision:
    return prompts.save_version(builder, prompt=prompt.prompt, tags=[tag])


@pytest.fixture(autouse=True)
def price(settings: Any) -> None:
    settings.EXTRACTION_MODEL = "hosted_vllm/measured"
    settings.MODEL_PRICES = {"hosted_vllm/measured": (1_000_000, 2_000_000)}


def make_document(actor: Actor, *, text: str = TEXT) -> Document:
    document = document_with(actor.organization, PAGE, user=actor.user)
    Page.objects.filter(reading__document=document).update(text=text)
    return document


def make_unread(actor: Actor) -> Document:
    return Document.objects.create(organization=actor.organization, name="a.pdf", sha256="0", size=1, file="x")


def start_run(document: Document, revision: PromptRevision) -> None:
    Extraction.objects.create(
        document=document, number=1, reading=document.readings.get(), prompt_revision=revision, model="m"
    )


def estimate(actor: Actor, tag: Tag) -> RunEstimate:
    return estimate_tagging(actor, documents=Document.objects.all(), tag=tag)


def test_tagging_starts_the_prompts_of_the_tag_on_what_is_read(
    builder: Actor, tagged: PromptRevision, tag: Tag
) -> None:
    for _ in range(3):
        make_document(builder)
    make_unread(builder)
    counted = estimate(builder, tag)
    assert (counted.document_count, counted.unread_count, counted.run_count) == (4, 1, 3)
    [of_prompt] = counted.prompts
    asked = of_prompt.prompt_tokens - 3 * TOKENS
    assert (of_prompt.prompt_revision, of_prompt.model) == (tagged, "hosted_vllm/measured")
    assert 3 * 200 < asked < 3 * 600
    assert of_prompt.completion_tokens == 3 * 800
    assert counted.cost_micros == of_prompt.prompt_tokens + 2 * of_prompt.completion_tokens
    assert counted.describe() == (
        f"Runs “Read invoices”: 3 runs, about {counted.tokens:,} tokens, about $0.009. "
        "1 document not read yet: runs when read."
    )


def test_what_has_the_tag_or_has_run_already_starts_nothing(builder: Actor, tagged: PromptRevision, tag: Tag) -> None:
    carrying, ran, again = (make_document(builder) for _ in range(3))
    carrying.tags.add(tag)
    for document in (ran, again):
        start_run(document, tagged)
    add_reading(again, PAGE)
    assert (estimate(builder, tag).document_count, estimate(builder, tag).run_count) == (2, 1)
    Document.objects.filter(pk=again.pk).update(trashed_at=again.created_at)
    assert estimate(builder, tag).describe() == "Nothing runs: each of its prompts has run already."


def test_a_prompt_runs_again_where_somebody_asks_for_it(builder: Actor, prompt: PromptRevision) -> None:
    document = make_document(builder)
    start_run(document, prompt)
    mine = Document.objects.filter(pk=document.pk)
    assert estimate_runs(builder, documents=mine, prompt_revisions=[prompt]).run_count == 1
    assert estimate_runs(builder, documents=mine, prompt_revisions=[prompt], repeat=False).run_count == 0


def test_past_answers_tell_how_long_one_is(builder: Actor, tagged: PromptRevision, tag: Tag) -> None:
    make_document(builder)
    for tokens in (100, 300):
        reservation = Reservation.objects.create(
            organization=builder.organization,
            purpose="extraction",
            model="hosted_vllm/measured",
            month="2026-11",
            estimate_micros=1,
            expires_at="2026-11-01T00:00Z",
        )
        Usage.objects.create(
            organization=builder.organization,
            purpose="extraction",
            reservation=reservation,
            model="hosted_vllm/measured",
            completion_tokens=tokens,
            cost_micros=1,
        )
    assert estimate(builder, tag).prompts[0].completion_tokens == 200


def test_a_long_document_is_asked_about_in_windows(builder: Actor, tagged: PromptRevision, tag: Tag) -> None:
    make_document(builder, text="x" * 35 * 10_000)
    assert estimate(builder, tag).prompts[0].completion_tokens == 5 * 800


def test_it_says_what_does_not_fit_the_budget_and_what_cannot_run(
    builder: Actor, tagged: PromptRevision, tag: Tag, settings: Any
) -> None:
    make_document(builder)
    budgets.set_limit(builder, limit_usd=0.001)
    assert (
        estimate(builder, tag).describe().endswith("$0.001 is left this month; what does not fit waits for the budget.")
    )
    settings.EXTRACTION_MODEL = "no-such-model"
    counted = estimate(builder, tag)
    assert "no-such-model is not known here" in counted.prompts[0].problem
    assert (counted.is_price_known, "the price being unknown" in counted.describe()) == (False, True)


def test_others_documents_and_the_trash_do_not_count(builder: Actor, stranger: Actor, tag: Tag) -> None:
    make_document(stranger)
    Document.objects.filter(pk=make_document(builder).pk).update(trashed_at="2026-01-01T00:00Z")
    assert estimate(builder, tag).document_count == 0
    assert estimate(builder, tag).describe() == "No prompt has this tag, so nothing runs."


def test_the_number_of_statements_does_not_grow(builder: Actor, tag: Tag, prompt: PromptRevision) -> None:
    def count(documents: int) -> int:
        for _ in range(documents):
            document = make_document(builder)
            prompts.create(builder, name=document.pk, content="Look.", tags=[tag])
        with CaptureQueriesContext(connection) as seen:
            estimate(builder, tag).describe()
        return len(seen)

    count(1)  # makes the budget's row
    assert count(1) == count(5) <= 12


def test_an_estimate_takes_who_may_start_it(
    actor: Actor, member: Callable[[Role], Actor], api_as: Callable[[Actor], ApiClient]
) -> None:
    """It says what models cost and what is left of the month's budget."""
    tag = Tag.objects.create(organization=actor.organization, name="Invoices")
    for role, status in ((Role.VIEWER, 403), (Role.REVIEWER, 200)):
        client = api_as(member(role))
        assert client.post(f"/v0/orgs/{actor.organization.pk}/llm/estimate", {"tag_id": tag.pk}).status_code == status


def test_the_api_estimates_tags_and_prompts(
    builder: Actor, tagged: PromptRevision, tag: Tag, api_as: Callable[[Actor], ApiClient]
) -> None:
    document, client = make_document(builder), api_as(builder)
    make_document(builder)
    path = f"/v0/orgs/{builder.organization.pk}/llm/estimate"
    every = client.post(path, {"tag_id": tag.pk}).json()
    assert (every["run_count"], every["prompts"][0]["prompt_revid"]) == (2, tagged.pk)
    one = client.post(path, {"prompt_revid": tagged.pk, "document_ids": [document.pk]}).json()
    assert (one["run_count"], one["cost_usd"] > 0, one["detail"][:5]) == (1, True, "Runs ")
    assert client.post(path, {}).json() == {"detail": "Send a tag_id or a prompt_revid, one of them."}
    assert client.post(path, {"tag_id": "nope"}).status_code == 404
    many = ["65f1a2b3c4d5e6f708192a04"] * (bulk.MAX_NAMED + 1)
    for size, status in ((bulk.MAX_NAMED, 200), (bulk.MAX_NAMED + 1, 422)):
        assert client.post(path, {"tag_id": tag.pk, "document_ids": many[:size]}).status_code == status
    for misspelt in ({"document_filter": {}}, {"document_filters": {"nam_search": "x"}}):
        assert client.post(path, {"tag_id": tag.pk, **misspelt}).status_code == 422
