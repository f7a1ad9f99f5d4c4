"""Prompts over /v0: refusals, versions and deletion."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from accounts.actor import Actor
from accounts.models import Role
from documents.definitions import prompts, schemas
from documents.models import PromptRevision, SchemaRevision, Tag
from tests.api.prompt_rows import (  # noqa: F401 - some are fixtures
    Client,
    client,
    path,
    schema,
)
from tests.api.test_documents import store, tag
from tests.api.test_schemas import response_format
from tests.conftest import ApiClient


def names(answer) -> list[str]:
    assert answer.status_code == 200, answer.content
    return [row["name"] for row in answer.json()["prompts"]]


@pytest.mark.parametrize(
    "sent",
    [
        {"name": None},
        {"name": ""},
        {"content": None},
        {"content": ""},
        {"content": {}},
        {"tag_ids": "z"},
        {"schema_version": "x"},
        {"include": {"pdf": "maybe"}},
        {"include": []},
        {"model": []},
        [],
    ],
)
def test_it_takes_no_part_of_a_wrong_kind(client: ApiClient, actor: Actor, path: str, sent) -> None:
    prompt = prompts.create(actor, name="Read", content="a").prompt
    assert client.put(f"{path}/{prompt.pk}", sent).status_code == 422
    assert PromptRevision.objects.count() == 1


def test_it_deletes_every_version(client: ApiClient, path: str) -> None:
    first = client.post(path, {"name": "Read", "content": "a"}).json()
    client.post(path, {"name": "Read", "content": "b"})
    route = f"{path}/{first['prompt_id']}"
    deleted = client.delete(route)
    assert (deleted.status_code, deleted.json()) == (200, {"message": "Prompt deleted successfully"})
    for gone in (client.get(f"{path}/{first['prompt_revid']}"), client.get(f"{route}/versions"), client.delete(route)):
        assert (gone.status_code, gone.json()) == (404, {"detail": "Prompt not found"})
    assert client.post(path, {"name": "Read", "content": "c"}).json()["prompt_version"] == 1


def test_it_lists_prompts_by_document_and_by_tags(client: ApiClient, actor: Actor, path: str) -> None:
    red, blue = tag(actor, "red"), tag(actor, "blue")
    prompts.create(actor, name="both", content="x", tags=[red, blue])
    prompts.create(actor, name="red", content="x", tags=[red])
    prompts.create(actor, name="Default Prompt", content="x")
    change = prompts.create(actor, name="was blue", content="x", tags=[blue])
    prompts.save_version(actor, prompt=change.prompt, tags=[])
    assert names(client.get(path, {"tag_ids": f"{red.pk},{blue.pk}"})) == ["both"]
    assert names(client.get(path, {"tag_ids": red.pk})) == ["red", "both"]
    tagged, untagged = store(actor, "a.txt", tag_ids=[blue.pk]), store(actor, "b.txt", b"2")
    assert names(client.get(path, {"document_id": tagged.pk})) == ["both"]
    assert names(client.get(path, {"document_id": untagged.pk})) == ["Default Prompt"]
    missing = client.get(path, {"document_id": "nonsense"})
    assert (missing.status_code, missing.json()) == (404, {"detail": "Document not found"})


def test_it_lists_searches_sorts_and_filters(client: ApiClient, actor: Actor, path: str, schema) -> None:
    for name in ("Über uns", "über", "darüber"):
        prompts.create(actor, name=name, content="x")
    prompts.create(actor, name="last", content="x", schema_revision=schema, tags=[tag(actor, "Red"), tag(actor, "Rot")])
    prompts.create(actor, name="proposal", content="x", proposed=True)
    assert names(client.get(path)) == ["last", "darüber", "über", "Über uns"]
    assert names(client.get(path, {"name_search": "ÜBER"})) == ["über", "Über uns", "darüber"]
    assert names(client.get(path, {"sort": '[{"field":"name","sort":"asc"}]'}))[0] == "darüber"

    def filter_names(field: str, operator: str, value: str) -> list[str]:
        item = {"field": field, "operator": operator, "value": value}
        return names(client.get(path, {"filters": json.dumps({"items": [item]})}))

    assert filter_names("schema_id", "contains", "INV") == ["last"]
    assert filter_names("schema_id", "doesNotContain", "INV") == ["darüber", "über", "Über uns"]
    assert filter_names("tag_ids", "contains", "R") == ["last"]
    assert filter_names("tag_ids", "isEmpty", "") == ["darüber", "über", "Über uns"]


def test_it_asks_the_database_the_same_for_few_and_for_many(
    client: ApiClient, actor: Actor, path: str, schema, django_assert_num_queries
) -> None:
    client.get(path)
    urgent: Tag = tag(actor, "urgent")
    for number in range(8):
        prompts.create(actor, name=str(number), content="x", schema_revision=schema, tags=[urgent])
    with django_assert_num_queries(5):  # token, member with organization, sizes, rows, tags; nothing is counted
        assert len(names(client.get(f"{path}?limit=100"))) == 8


def test_it_shows_the_prompt_that_is_always_there(client: ApiClient, path: str) -> None:
    prompt = client.get(f"{path}/default").json()
    assert (prompt["prompt_id"], prompt["prompt_revid"], prompt["name"]) == ("default", "default", "Document Summary")
    assert client.put(f"{path}/default", {"name": "x", "content": "y"}).status_code == 404
    assert client.delete(f"{path}/default").status_code == 404
    assert client.get(path).json()["total_count"] == 0


def test_it_uses_nothing_of_another_organization(
    client: ApiClient, actor: Actor, path: str, stranger: Actor, schema: SchemaRevision
) -> None:
    theirs = schemas.create(stranger, name="x", response_format=response_format("a"), descriptions=False)
    foreign = prompts.create(stranger, name="theirs", content="x")
    foreign_tag, document = tag(stranger, "t"), store(stranger, "a.txt")
    ours = {"name": "x", "content": "y"}
    assert client.post(path, {**ours, "schema_id": theirs.schema_id}).json() == {"detail": "Schema not found"}
    refused = client.post(path, {**ours, "tag_ids": [foreign_tag.pk]})
    assert (refused.status_code, refused.json()["detail"]) == (400, f"Invalid tag IDs: ['{foreign_tag.pk}']")
    assert client.get(path, {"document_id": document.pk}).status_code == 404
    stable, revision = f"{path}/{foreign.prompt_id}", f"{path}/{foreign.pk}"
    for answer in (
        client.get(revision),
        client.put(stable, ours),
        client.delete(stable),
        client.get(f"{stable}/versions"),
    ):
        assert (answer.status_code, answer.json()) == (404, {"detail": "Prompt not found"})
    assert client.get(path).json() == {"prompts": [], "total_count": 0, "skip": 0}
    assert client.post(path, {"name": "theirs", "content": "y"}).json()["prompt_version"] == 1


def test_it_lets_builders_change_prompts_and_others_only_see_them(
    api_as: Client, member: Callable[[Role], Actor], path: str
) -> None:
    reviewer, builder = api_as(member(Role.REVIEWER)), api_as(member(Role.BUILDER))
    assert reviewer.post(path, {"name": "x", "content": "y"}).status_code == 403
    assert builder.post(path, {"name": "x", "content": "y"}).status_code == 200
    assert names(reviewer.get(path)) == ["x"]
