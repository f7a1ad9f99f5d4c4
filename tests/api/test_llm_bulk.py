from __future__ import annotations

from collections.abc import Callable

import pytest

from accounts.actor import Actor
from documents import document_changes
from documents.definitions import prompts
from documents.models import Document, Extraction, PromptRevision, Tag
from tests.conftest import ApiClient
from tests.documents.reading_rows import document_with

pytestmark = pytest.mark.servers


@pytest.fixture
def tag(actor: Actor) -> Tag:
    return Tag.objects.create(organization=actor.organization, name="Invoices")


@pytest.fixture
def path(actor: Actor) -> str:
    return f"/v0/orgs/{actor.organization.pk}/llm/bulk-analyze"


@pytest.fixture
def client(api_as: Callable[[Actor], ApiClient], actor: Actor) -> ApiClient:
    return api_as(actor)


def make_tagged(actor: Actor, tag: Tag, name: str, **metadata: str) -> Document:
    document = document_with(actor.organization, ["x"], name=name, user=actor.user)
    document.tags.add(tag)
    document_changes.update(actor, document=document, metadata=metadata)
    return document


def ran(document: Document, revision: PromptRevision) -> None:
    Extraction.objects.create(document=document, number=1, prompt_revision=revision, status="completed", model="m")


def test_it_tells_which_runs_are_wanted(client: ApiClient, path: str, actor: Actor, tag: Tag) -> None:
    first = prompts.create(actor, name="Read", content="One.", tags=[tag])
    latest = prompts.save_version(actor, prompt=first.prompt, content="Two.")
    prompts.create(actor, name="Untagged", content="No.")
    new, old, done = (make_tagged(actor, tag, f"{name}.pdf") for name in ("new", "old", "done"))
    document_with(actor.organization, ["x"], name="untagged.pdf", user=actor.user)
    ran(old, first)
    ran(done, latest)

    def find_names(mode: str, **more: object) -> set[str]:
        answer = client.post(path, {"tag_id": tag.pk, "mode": mode, **more})
        assert answer.status_code == 200, answer.content
        names = [row["document_name"] for group in answer.json()["groups"] for row in group["executions"]]
        assert len(names) == answer.json()["total_executions"]
        return set(names)

    assert find_names("all") == {"new.pdf", "old.pdf", "done.pdf"}
    assert find_names("missing") == {"new.pdf", "old.pdf"}
    assert find_names("outdated") == {"old.pdf"}
    assert find_names("all", document_filters={"name_search": "NE"}) == {"new.pdf", "done.pdf"}
    assert find_names("all", document_filters={"tag_ids": "0123456789abcdef01234567"}) == set()
    (group,) = client.post(path, {"tag_id": tag.pk}).json()["groups"]
    assert {name: group[name] for name in group if name != "executions"} == {
        "prompt_revid": latest.pk,
        "prompt_id": latest.prompt_id,
        "prompt_version": 2,
        "name": "Read",
    }
    assert {"document_id": new.pk, "document_name": "new.pdf"} in group["executions"]


def test_it_narrows_by_metadata_and_grid_filters(client: ApiClient, path: str, actor: Actor, tag: Tag) -> None:
    prompts.create(actor, name="Read", content="One.", tags=[tag])
    make_tagged(actor, tag, "a.pdf", source="post")
    make_tagged(actor, tag, "b.pdf", source="mail")

    def total(**filters: object) -> int:
        answer = client.post(path, {"tag_id": tag.pk, "document_filters": filters})
        return answer.json()["total_executions"]

    assert total(metadata_search="source=post") == 1
    assert total(filters='{"items": [{"field": "document_name", "operator": "startsWith", "value": "b"}]}') == 1
    assert total(filters={"items": [{"field": "document_name", "operator": "endsWith", "value": "pdf"}]}) == 2
    wrong = client.post(path, {"tag_id": tag.pk, "document_filters": {"filters": "{"}})
    assert (wrong.status_code, wrong.json()["detail"]) == (400, "Invalid filters JSON")


def test_it_knows_no_tag_of_another_organization(client: ApiClient, path: str, stranger: Actor) -> None:
    foreign = Tag.objects.create(organization=stranger.organization, name="Theirs")
    for unknown in (foreign.pk, "nonsense"):
        answer = client.post(path, {"tag_id": unknown})
        assert (answer.status_code, answer.json()["detail"]) == (404, "Tag not found")
    assert client.post(path, {"tag_id": foreign.pk, "mode": "some"}).status_code == 422
