"""Bulk actions from the documents page, through its real URLs."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.core.files.base import ContentFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import Role
from documents import bulk
from documents.bulk.kinds.downloading import MAX_SENT_AT_ONCE
from documents.definitions import prompts
from documents.intake import uploads
from documents.models import BulkAction, Document, LanguageModel, Tag
from documents.views.bulk.strip import format_time_left
from tests.documents.bulk.bulk_rows import ask, make_documents, make_tag, work
from tests.documents.reading_rows import document_with
from tests.page_client import PageClient
from tests.results_rows import make_extracted, make_invoice_prompt

pytestmark = pytest.mark.django_db
SignIn = Callable[[Client, Actor], Client]


@pytest.fixture
def page(client: PageClient, actor: Actor, signed_in: SignIn) -> Client:
    client.defaults["HTTP_HX_REQUEST"] = "true"
    return signed_in(client, actor)


def address(actor: Actor, name: str = "bulk-actions", action: BulkAction | None = None) -> str:
    rest = [action.pk] if action else []
    return reverse(name, args=[actor.organization.pk, *rest])


def ids_of(documents: list[Document]) -> str:
    return " ".join(document.pk for document in documents)


def test_the_ticked_ones_are_changed_and_the_strip_says_how_far(page: Client, actor: Actor) -> None:
    documents = make_documents(actor, 3)
    strip = page.post(address(actor), {"action": "trash", "ids": ids_of(documents[:2])})
    assert "Moving to the trash" in strip.text and "0 of 2" in strip.text and "Stop" in strip.text
    work(BulkAction.objects.get())
    ended = page.get(address(actor)).text
    assert "Move to trash" in ended and "2 of 2 done" in ended and "Undo" in ended and "Stop" not in ended
    assert list(Document.objects.for_org(actor.organization)) == [documents[2]]


def test_all_that_match_are_those_of_the_filter_in_force(page: Client, actor: Actor) -> None:
    make_documents(actor, 12)
    sent = {"action": "trash", "all": "1", "query": "q=1"}
    assert page.post(address(actor, "bulk-count"), sent).text == "3"
    page.post(address(actor), sent)
    assert BulkAction.objects.get().total_count == 3


@pytest.mark.parametrize(
    ("sent", "code", "words"),
    [
        ({"action": "trash"}, 400, "No document is selected"),
        ({"action": "trash", "ids": "x " * 3}, 400, "No document is selected"),
        ({"action": "trash", "all": "1", "query": "state=nothing"}, 400, "nothing"),
        ({"action": "tag", "ids": "f" * 24}, 400, "needs tag_id"),
        ({"action": "burn", "ids": "f" * 24}, 400, "There is no bulk action"),
    ],
)
def test_what_makes_no_sense_is_said_above_the_list(
    page: Client, actor: Actor, sent: dict[str, str], code: int, words: str
) -> None:
    answer = page.post(address(actor), sent)
    assert (answer.status_code, answer["HX-Retarget"]) == (code, "#notice") and words in answer.text


def test_a_tag_that_starts_prompts_says_so_first_and_one_that_starts_none_begins_at_once(
    page: Client, actor: Actor
) -> None:
    plain, routed = make_tag(actor), make_tag(actor, "Letters")
    prompts.create(actor, name="Read letters", content="Who?").tags.add(routed)
    documents = [document_with(actor.organization, ["Dear Ann"], user=actor.user)]
    sent = {"action": "tag", "ids": ids_of(documents)}
    dialog = page.post(address(actor, "bulk-preview"), {**sent, "tag_id": routed.pk}).text
    assert "Runs “Read letters”: 1 run" in dialog and "Tag 1 document" in dialog and not BulkAction.objects.exists()
    begun = page.post(address(actor, "bulk-preview"), {**sent, "tag_id": plain.pk})
    assert begun["HX-Retarget"] == "#jobs" and BulkAction.objects.get().arguments["tag_id"] == plain.pk


def test_a_new_tag_is_made_and_set(page: Client, actor: Actor, member: Callable[[Role], Actor]) -> None:
    documents = make_documents(actor, 2)
    sent = {"action": "tag", "ids": ids_of(documents), "new_name": "Fresh"}
    page.post(address(actor, "bulk-preview"), sent)
    work(BulkAction.objects.get())
    assert Tag.objects.get(name="Fresh").documents.count() == 2
    page.force_login(member(Role.REVIEWER).user)
    assert page.post(address(actor, "bulk-preview"), {**sent, "new_name": "Other"}).status_code == 403
    assert BulkAction.objects.count() == 1 and not Tag.objects.filter(name="Other").exists()


def test_the_dialog_of_a_run_says_what_each_prompt_costs(page: Client, actor: Actor) -> None:
    first, second = (prompts.create(actor, name=name, content="Who?") for name in ("A letter", "B letter"))
    document = document_with(actor.organization, ["Dear Ann"], user=actor.user)
    sent = {"action": "run", "ids": document.pk}
    assert "Runs “A letter”: 1 run" in page.post(address(actor, "bulk-preview"), sent).text
    dialog = page.post(address(actor, "bulk-preview"), {**sent, "prompt_revid": second.pk, "again": "on"}).text
    assert "Runs “B letter”: 1 run" in dialog and "checked" in dialog
    page.post(address(actor), {**sent, "prompt_revid": second.pk, "again": "on"})
    assert BulkAction.objects.get().arguments == {"prompt_revid": second.pk, "again": True, "name": "B letter v1"}
    assert first.pk in dialog


def test_what_was_left_out_is_listed_with_its_reason_in_parts(page: Client, actor: Actor) -> None:
    documents, tag = make_documents(actor, 103), make_tag(actor)
    Document.tags.through.objects.bulk_create(
        Document.tags.through(document=document, tag=tag) for document in documents[1:]
    )
    action = ask(actor, "tag", documents, tag_id=tag.pk)
    action.items.exclude(document=documents[0]).update(
        status="left_out", code="tagged", reason="It has the tag already."
    )
    text = page.get(address(actor, "bulk-items", action)).text
    assert text.count("It has the tag already.") == 100 and "Show more" in text
    last = action.items.filter(status="left_out").order_by("pk")[99]
    rest = page.get(f"{address(actor, 'bulk-items', action)}?after={last.pk}").text
    assert rest.count("It has the tag already.") == 2 and "Show more" not in rest


def test_stop_undo_and_dismiss_answer_with_the_strip(page: Client, actor: Actor) -> None:
    action = ask(actor, "trash", make_documents(actor, 2))
    stopped = page.post(address(actor, "bulk-stop", action)).text
    assert "Stopped by" in stopped and "0 of 2 done, stopped" in stopped
    assert page.post(address(actor, "bulk-undo", action)).status_code == 400
    assert "Stopped by" not in page.post(address(actor, "bulk-dismiss", action)).text
    action = work(ask(actor, "trash", make_documents(actor, 1)))
    assert "Restoring" in page.post(address(actor, "bulk-undo", action)).text


def test_others_see_what_is_under_way_and_neither_stop_nor_dismiss_it(
    page: Client, actor: Actor, member: Callable[[Role], Actor], stranger: Actor
) -> None:
    action = ask(actor, "trash", make_documents(actor, 1))
    page.force_login(member(Role.BUILDER).user)
    strip = page.get(address(actor)).text
    assert "Moving to the trash" in strip and actor.user.shown_name in strip and "Stop" not in strip
    assert page.post(address(actor, "bulk-stop", action)).status_code == 403
    work(action)
    assert "Move to trash" not in page.get(address(actor)).text
    page.force_login(stranger.user)
    assert page.get(address(actor, "bulk-items", action)).status_code == 404


def test_a_download_leads_to_its_file(page: Client, actor: Actor) -> None:
    document = uploads.store(actor, name="a.txt", content=ContentFile(b"Total 12.50", name="a.txt"))
    del page.defaults["HTTP_HX_REQUEST"]
    sent = {"ids": document.pk, "content": "originals", "format": "zip"}
    answer = page.post(address(actor, "bulk-download"), sent, follow=True)
    with zipfile.ZipFile(io.BytesIO(answer.getvalue())) as archive:  # type: ignore[attr-defined]
        assert archive.namelist() == ["a.txt"]
    assert "Download" not in page.get(address(actor)).text


def test_results_are_chosen_in_a_dialog_that_remembers_and_large_ones_are_fetched_from_the_strip(
    page: Client, actor: Actor
) -> None:
    prompt = make_invoice_prompt(actor, 2)
    schema = prompt.schema_revision.schema if prompt.schema_revision else None
    assert schema
    make_extracted(actor, prompt, range(3), 2)
    sent = {"all": "1", "query": f"schema={schema.pk}"}
    dialog = page.post(address(actor, "bulk-results"), sent).text
    assert "Results of 3 documents" in dialog and "Field 1" in dialog and "Items › Sku" not in dialog.split("More")[0]
    chosen = {"content": "results", "format": "csv", "column": ["field_1", "@name"], "schema_id": schema.pk}
    chosen["values"] = "accepted"
    del page.defaults["HTTP_HX_REQUEST"]
    answer = page.post(address(actor, "bulk-download"), {**sent, **chosen, "headers": "path"}, follow=True)
    assert answer.getvalue().decode("utf-8-sig").startswith("field_1,document_name")  # type: ignore[attr-defined]
    again = page.post(address(actor, "bulk-results"), sent).text
    assert again.index('value="field_1"') < again.index('value="@name"') and 'value="csv" selected' in again
    assert 'value="accepted" selected' in again
    make_extracted(actor, prompt, range(3, MAX_SENT_AT_ONCE + 1), 2)
    answer = page.post(address(actor, "bulk-download"), {**sent, **chosen}, follow=True)
    assert "Writing results" in answer.text and "Stop" in answer.text
    work(BulkAction.objects.get(status="queued"))
    action = BulkAction.objects.exclude(started_at=None).get()
    assert address(actor, "bulk-file", action) in page.get(address(actor)).text
    assert page.get(address(actor, "bulk-file", action))["Accept-Ranges"] == "bytes"


@pytest.mark.parametrize(
    ("seconds", "words"), [(0, "1 s left"), (59, "59 s left"), (240, "4 min left"), (7_000, "2 h left")]
)
def test_the_time_left_is_said_roughly(seconds: int, words: str) -> None:
    assert format_time_left(seconds) == words


def test_the_strip_costs_the_same_however_many_there_are(page: Client, actor: Actor) -> None:
    for _ in range(8):
        action = ask(actor, "trash", make_documents(actor, 1))
        BulkAction.objects.filter(pk=action.pk).update(status="done", done_count=1, finished_at=timezone.now())
    ask(actor, "trash", make_documents(actor, 1))
    strip = page.get(address(actor)).text
    assert (strip.count('class="job'), strip.count("job-past")) == (5, 4)


def test_a_result_folds_after_the_next_action_and_stands_on_its_own_page_alone(page: Client, actor: Actor) -> None:
    first, second = (work(ask(actor, "trash", make_documents(actor, 1))) for _ in range(2))
    strip = page.get(address(actor)).text
    assert (strip.count("Move to trash</b>"), strip.count("job-past"), strip.count("Undo")) == (2, 1, 2)
    work(bulk.undo(actor, action=second))
    strip = page.get(address(actor)).text
    # The undo takes the place of what it undid, and is the end of it.
    assert "Restore" in strip and strip.count("Undo") == 1
    BulkAction.objects.update(finished_at=timezone.now() - timedelta(minutes=11))
    assert page.get(address(actor)).text.count("job-past") == 2
    assert 'class="job' not in page.get(address(actor), {"place": "trash"}).text
    rows = Document.objects.filter(bulk_items__action=first)
    restored = work(bulk.create(actor, kind="restore", documents=rows))
    assert "Restore" in page.get(address(actor), {"place": "trash"}).text
    assert page.get(address(actor)).text.count("Restore") == strip.count("Restore") and restored.done_count == 1


def test_a_selection_is_set_up_with_a_hint_and_a_model_as_one_document_is(page: Client, actor: Actor) -> None:
    usable = {"available": True, "enabled": True, "embedding": False}
    for name in ("test/first", "test/second"):
        LanguageModel.objects.create(name=name, provider="test", **usable)
    document = document_with(actor.organization, ["Dear Ann"], user=actor.user)
    sent = {"action": "set_up", "ids": document.pk}
    dialog = page.post(address(actor, "bulk-preview"), sent).text
    assert "<option>test/second</option>" in dialog and 'name="hint"' in dialog and not BulkAction.objects.exists()
    page.post(address(actor), {**sent, "hint": "A letter.", "model": ""})
    assert BulkAction.objects.get().arguments == {"hint": "A letter."}
    page.post(address(actor), {**sent, "model": "offline/rules"})
    assert BulkAction.objects.latest("created_at").arguments == {"model": "offline/rules"}


def test_an_undo_that_was_stopped_offers_to_go_on(page: Client, actor: Actor) -> None:
    documents, tag = make_documents(actor, 2), make_tag(actor)
    action = work(ask(actor, "tag", documents, tag_id=tag.pk))
    undo = bulk.undo(actor, action=action)
    assert "Go on" in page.post(address(actor, "bulk-stop", undo)).text
    assert "Stop" in page.post(address(actor, "bulk-undo", action)).text
    assert work(undo).done_count == 2 and "Go on" not in page.get(address(actor)).text
