"""Tags set and removed by hand, what that starts, and how it is taken back."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

from collections.abc import Callable

import pytest

from accounts.actor import Actor
from accounts.models import AuditEntry, Role
from documents import extractions
from documents.definitions import prompts, tags
from documents.document_changes import NO_TAG, change_tags, undo_tagging
from documents.extractions.post_read_triggers import trigger_prompts
from documents.models import Document, Extraction, PromptRevision, Tag
from kit.errors import Denied, Invalid, NotFound
from tests.conftest import ApiClient
from tests.documents.extraction_rows import PAGE, builder, document, prompt  # noqa: F401 - fixtures
from tests.documents.reading_rows import add_reading

pytestmark = [pytest.mark.django_db, pytest.mark.servers]


@pytest.fixture
def tag(builder: Actor) -> Tag:
    return tags.create(builder, name="Invoices")


@pytest.fixture
def tagged(builder: Actor, prompt: PromptRevision, tag: Tag) -> PromptRevision:
    return prompts.save_version(builder, prompt=prompt.prompt, tags=[tag])


def test_a_tag_that_a_document_gets_starts_its_prompts_once(
    builder: Actor, document: Document, tag: Tag, tagged: PromptRevision
) -> None:
    change = change_tags(builder, document=document, add=[tag.pk])
    assert ([run.prompt_revision for run in change.runs], change.added) == ([tagged], [tag])
    assert change.runs[0].requested_by == builder.user
    again = change_tags(builder, document=document, add=[tag.pk])
    assert (again.runs, again.added, Extraction.objects.count()) == ([], [], 1)
    assert AuditEntry.objects.filter(action="changed").count() == 1
    change_tags(builder, document=document, remove=[tag.pk])
    assert change_tags(builder, document=document, add=[tag.pk]).runs == [], "it has run on this reading"


def test_tags_that_were_there_start_nothing_and_stay(
    builder: Actor, document: Document, tag: Tag, tagged: PromptRevision
) -> None:
    document.tags.add(tag)
    other = tags.create(builder, name="Paid")
    change = change_tags(builder, document=document, add=[other.pk])
    assert (change.runs, set(document.tags.all())) == ([], {tag, other})
    assert change_tags(builder, document=document, remove=[other.pk, "nothing"]).removed == [other]
    assert Document.objects.get(pk=document.pk).version == 3


def test_a_document_that_is_not_read_runs_them_once_it_is(builder: Actor, tag: Tag, tagged: PromptRevision) -> None:
    unread = Document.objects.create(
        organization=builder.organization, name="a.pdf", sha256="0", size=1, file="x", uploaded_by=builder.user
    )
    assert change_tags(builder, document=unread, add=[tag.pk]).runs == []
    add_reading(unread, PAGE)
    trigger_prompts()
    assert [run.prompt_revision for run in unread.extractions.all()] == [tagged]


def test_nothing_runs_where_nobody_asks_for_it(
    builder: Actor, document: Document, tag: Tag, tagged: PromptRevision
) -> None:
    assert change_tags(builder, document=document, add=[tag.pk], run=False).runs == []
    assert list(document.tags.all()) == [tag]


def test_a_tag_that_is_deleted_meanwhile_changes_nothing_and_says_so(
    builder: Actor, stranger: Actor, document: Document, tag: Tag
) -> None:
    gone, of_others = tags.create(builder, name="Gone"), tags.create(stranger, name="Theirs")
    tags.delete(builder, tag=gone)
    for tag_id in (gone.pk, of_others.pk, "no id", "65f1a2b3c4d5e6f708192a04"):
        with pytest.raises(NotFound, match=NO_TAG):
            change_tags(builder, document=document, add=[tag.pk, tag_id])
    assert not document.tags.exists()


def test_a_viewer_tags_nothing_and_nobody_tags_without_end(builder: Actor, document: Document, tag: Tag) -> None:
    viewer = Actor(user=builder.user, organization=builder.organization, role=Role.VIEWER)
    with pytest.raises(Denied):
        change_tags(viewer, document=document, add=[tag.pk])
    with pytest.raises(Invalid, match="is the most"):
        change_tags(builder, document=document, add=[tag.pk] * 1000)


def test_taking_it_back_removes_the_tag_and_withdraws_what_has_not_ended(
    builder: Actor, document: Document, tag: Tag, tagged: PromptRevision
) -> None:
    prompts.create(builder, name="Other", content="Look.", tags=[tag])
    runs = change_tags(builder, document=document, add=[tag.pk]).runs
    Extraction.objects.filter(pk=runs[0].pk).update(status="completed")
    mine = extractions.start(builder, document=document, prompt_revision=None)
    of_others = Extraction.objects.create(document=document, number=9, model="m")
    undo_tagging(builder, document=document, tag_ids=[tag.pk], run_ids=[run.pk for run in (*runs, of_others)])
    states = {run.pk: run.status for run in document.extractions.all()}
    assert states == {runs[0].pk: "completed", runs[1].pk: "withdrawn", mine.pk: "queued", of_others.pk: "queued"}
    assert not document.tags.exists()


def test_the_api_tags_one_document(
    builder: Actor, document: Document, tag: Tag, tagged: PromptRevision, api_as: Callable[[Actor], ApiClient]
) -> None:
    path, client = f"/v0/orgs/{builder.organization.pk}/documents/{document.pk}/tags", api_as(builder)
    first = client.post(path, {"add": [tag.pk]}).json()
    run = document.extractions.get()
    assert first == {"tag_ids": [tag.pk], "added": [tag.pk], "removed": [], "run_ids": [run.pk], "held_runs": []}
    assert client.post(path, {"remove": [tag.pk]}).json()["tag_ids"] == []
    refused = client.post(path, {"add": ["65f1a2b3c4d5e6f708192a04"]})
    assert (refused.status_code, refused.json()) == (404, {"detail": NO_TAG})
    assert client.post(path, {"tag_ids": []}).status_code == 422
