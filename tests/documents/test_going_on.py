"""Runs that miss pages, and runs that go on with them: only those pages are asked for, and nothing is lost."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.actor import Actor
from documents import extractions
from documents.extractions import edits
from documents.models import Extraction, Usage, Verification
from kit.errors import Conflict, Invalid
from tests.documents.extraction_rows import builder, prompt  # noqa: F401 - fixtures
from tests.documents.partial_runs import WRONG, give, list_skus, model, partial, run_all_extractions  # noqa: F401
from tests.documents.reading_rows import add_reading
from tests.scripted_model import ScriptedModel, fails

pytestmark = pytest.mark.django_db(transaction=True)


def go_on(actor: Actor, run: Extraction, **wish: Any) -> Extraction:
    later = extractions.go_on(actor, extraction=run, **wish)
    run_all_extractions()
    later.refresh_from_db()
    return later


def test_only_the_missing_pages_are_asked_for_and_their_rows_come_where_the_pages_are(
    builder: Actor, partial: Extraction, model: ScriptedModel
) -> None:
    model.will(give(31, 32), give(91, total=120))
    later = go_on(builder, partial)
    assert list_skus(later) == [f"P-{sku:05}" for sku in (1, 2, 31, 32, 61, 62, 91)]
    assert (later.pages_missing, later.conflicts, later.current["total"]) == ([], [], 120)
    asked = [request["messages"][1]["content"] for request in model.requests]
    assert ['<page number="2">' in text for text in asked] == [True, False]
    assert not any(f'<page number="{page}">' in text for page in (1, 3) for text in asked)
    assert 'excerpt="pages 2 of 4"' in asked[0]


def test_rows_keep_their_ids_and_what_people_did_on_them(
    builder: Actor, partial: Extraction, model: ScriptedModel
) -> None:
    rows = partial.current["items"]
    where = [f"items[{row['row_id']}].sku" for row in rows]
    edits.set_field(builder, extraction=partial, where=where[2], value="P-X")
    edits.remove_row(builder, extraction=partial, where=f"items[{rows[1]['row_id']}]")
    added = edits.add_row(builder, extraction=partial, where="items")
    edits.verify(builder, extraction=partial, where=where[0])
    model.will(give(31), give(91))
    later = go_on(builder, partial)
    assert list_skus(later)[:-1] == ["P-00001", "P-00031", "P-X", "P-00062", "P-00091"]
    assert later.current["items"][-1]["row_id"] in added.where and later.conflicts == []
    mark = Verification.objects.get(extraction=later)
    assert (mark.where, mark.user) == (where[0], builder.user)


def test_what_an_agent_changed_by_rule_stays(builder: Actor, partial: Extraction, model: ScriptedModel) -> None:
    columns = {"origin": "agent_rule", "allowed_by": "mode auto", "old": "INV-7", "new": "INV-8"}
    partial.edits.create(number=1, where="number", **columns)
    model.will(give(31), give(91))
    later = go_on(builder, partial)
    assert (later.current["number"], later.edits.get().allowed_by) == ("INV-8", "mode auto")


def test_it_is_begun_once_and_paid_once(builder: Actor, partial: Extraction, model: ScriptedModel) -> None:
    paid = Usage.objects.count()
    first = extractions.go_on(builder, extraction=partial)
    assert extractions.go_on(builder, extraction=partial) == first
    assert (
        extractions.start(builder, document=partial.document, prompt_revision=partial.prompt_revision).continues_id
        is None
    )
    Extraction.objects.filter(continues=None, status="queued").delete()
    model.will(give(31), give(91))
    run_all_extractions()
    assert extractions.go_on(builder, extraction=partial) == first
    assert Usage.objects.count() == paid + 2 == paid + len(model.requests)
    first.refresh_from_db()
    assert first.completion_tokens and partial.document.extractions.count() == 2


def test_pages_that_fail_again_are_named_and_the_others_are_kept(
    builder: Actor, partial: Extraction, model: ScriptedModel
) -> None:
    model.will(WRONG, WRONG, give(91))
    later = go_on(builder, partial)
    assert (later.pages_missing, list_skus(later)[-1]) == ([2], "P-00091")
    assert [note["reason"][:8] for note in later.conflicts] == ["Page 2: "]
    model.will(give(31))
    assert go_on(builder, later).pages_missing == []


def test_where_no_page_gives_an_answer_the_values_stay_as_they_are(
    builder: Actor, partial: Extraction, model: ScriptedModel
) -> None:
    model.will(WRONG, WRONG, WRONG, WRONG)
    failed = go_on(builder, partial)
    assert failed.status == "failed" and "does not fit the schema" in failed.reason
    assert extractions.get_newest(partial.document) == partial
    model.will(fails(401))
    assert go_on(builder, partial).status == "failed"


def test_a_page_that_is_asked_for_again_gives_only_the_rows_that_it_lacked(
    builder: Actor, partial: Extraction, model: ScriptedModel
) -> None:
    model.will(give(61, 75, 62))
    later = go_on(builder, partial, pages=[3])
    assert list_skus(later) == [f"P-{sku:05}" for sku in (1, 2, 61, 62, 75)]
    assert later.pages_missing == [2, 4]


def test_equal_rows_of_other_pages_are_no_twins(builder: Actor, partial: Extraction, model: ScriptedModel) -> None:
    model.will(give(1), give(91))  # found on no line of page 2
    assert list_skus(go_on(builder, partial)).count("P-00001") == 2


def test_what_cannot_go_on_says_why(builder: Actor, partial: Extraction, model: ScriptedModel) -> None:
    with pytest.raises(Invalid, match="no page 9"):
        extractions.go_on(builder, extraction=partial, pages=[9])
    model.will(give(31), give(91))
    later = go_on(builder, partial)
    with pytest.raises(Invalid, match="has seen every page"):
        extractions.go_on(builder, extraction=later)
    add_reading(later.document, ["Invoice"])
    with pytest.raises(Conflict, match="read anew"):
        extractions.go_on(builder, extraction=later, pages=[2])


def test_it_ends_when_the_run_before_it_was_taken_back(
    builder: Actor, partial: Extraction, model: ScriptedModel
) -> None:
    later = extractions.go_on(builder, extraction=partial)
    extractions.withdraw(builder, extraction=partial)
    run_all_extractions()
    later.refresh_from_db()
    assert (later.status, model.requests) == ("failed", []) and "taken back" in later.reason


def test_the_page_offers_it_and_a_second_press_changes_nothing(
    builder: Actor, partial: Extraction, client: Client
) -> None:
    client.force_login(builder.user)
    page = reverse("document", args=(builder.organization.pk, partial.document_id))
    path = reverse("extraction-go-on", args=(builder.organization.pk, partial.document_id, partial.pk))
    offered = client.get(page).content.decode()
    assert "The model did not see 2 pages: 2, 4." in offered and path in offered
    answers_of_presses = [client.post(path, headers={"HX-Request": "true"}) for _ in range(2)]
    assert [answer.status_code for answer in answers_of_presses] == [200, 200]
    assert re.search(r"disabled[^>]*>[^<]*(<svg.*?</svg>)?\s*Go on", answers_of_presses[1].content.decode(), re.S)
    assert partial.continuations.count() == 1
