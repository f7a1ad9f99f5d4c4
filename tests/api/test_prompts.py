from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from accounts.actor import Actor
from accounts.models import Organization, Role
from documents.definitions import prompts, schemas
from documents.models import Prompt, PromptRevision, SchemaRevision, Tag
from tests.api.test_documents import store, tag
from tests.api.test_schemas import response_format
from tests.conftest import ApiClient

Client = Callable[[Actor], ApiClient]
INCLUDE = {"ocr_text": True, "metadata_keys": [], "pdf": True}


@pytest.fixture
def path(organization: Organization) -> str:
    return f"/v0/orgs/{organization.pk}/prompts"


@pytest.fixture
def client(api_as: Client, actor: Actor) -> ApiClient:
    return api_as(actor)


@pytest.fixture
def schema(actor: Actor) -> SchemaRevision:
    first = schemas.create(actor, name="Invoice", response_format=response_format("a"), descriptions=False)
    return schemas.save_version(
        actor, schema=first.schema, response_format=response_format("a", "b"), descriptions=False
    )


def names(answer) -> list[str]:
    assert answer.status_code == 200, answer.content
    return [row["name"] for row in answer.json()["prompts"]]


def test_it_makes_a_prompt_with_the_latest_version_of_its_schema(
    client: ApiClient, actor: Actor, path: str, schema: SchemaRevision
) -> None:
    urgent = tag(actor, "urgent")
    sent = {
        "name": "Read",
        "content": " Find all.\n",
        "schema_id": schema.schema_id,
        "tag_ids": [urgent.pk],
        "model": "gpt-4o-mini",
        "peer_match_keys": ["case"],
        "include": {"metadata_keys": ["k"]},
    }
    creation = client.post(path, sent)
    assert creation.status_code == 200, creation.content
    prompt = creation.json()
    assert prompt["created_at"].endswith("Z")
    expected = {
        **sent,
        "schema_version": 2,
        "kb_id": None,
        "include": {**INCLUDE, "metadata_keys": ["k"]},
        "prompt_version": 1,
        "created_by": actor.user.pk,
        "status": "accepted",
    }
    assert {key: prompt[key] for key in expected} == expected
    assert client.get(f"{path}/{prompt['prompt_revid']}").json() == prompt
    pinned = client.post(path, {**sent, "name": "Old", "schema_version": 1}).json()
    assert pinned["schema_version"] == 1
    for wrong in (prompt["prompt_id"], "nonsense", "0123456789abcdef01234567"):
        answer = client.get(f"{path}/{wrong}")
        assert (answer.status_code, answer.json()) == (404, {"detail": "Prompt not found"})


def test_it_fills_in_what_is_left_out(client: ApiClient, path: str) -> None:
    prompt = client.post(path, {"name": "x", "content": "y"}).json()
    assert (prompt["model"], prompt["tag_ids"], prompt["schema_id"], prompt["schema_version"]) == (
        "gpt-4o-mini",
        [],
        None,
        None,
    )
    assert (prompt["include"], prompt["peer_match_keys"], prompt["kb_id"]) == (INCLUDE, [], None)


def test_it_makes_the_next_version_of_a_name_that_exists_exactly(client: ApiClient, path: str) -> None:
    first = client.post(path, {"name": "Read", "content": "a"}).json()
    second = client.post(path, {"name": "Read", "content": "a"}).json()
    assert (second["prompt_id"], second["prompt_version"]) == (first["prompt_id"], 2)
    assert client.post(path, {"name": "READ", "content": "a"}).status_code == 409
    versions = client.get(f"{path}/{first['prompt_id']}/versions").json()
    assert ([row["prompt_version"] for row in versions["prompts"]], versions["total_count"], versions["skip"]) == (
        [2, 1],
        2,
        0,
    )
    assert client.get(path).json()["total_count"] == 1
    assert client.get(f"{path}/{first['prompt_revid']}").json()["prompt_version"] == 1


def test_it_makes_no_version_for_a_new_name_or_for_what_is_the_same(
    client: ApiClient, actor: Actor, path: str, schema: SchemaRevision
) -> None:
    revision = prompts.create(actor, name="Read", content="a", schema_revision=schema, tags=[tag(actor, "t")])
    got = client.get(f"{path}/{revision.pk}").json()
    assert got["model"] == "offline/rules"
    route = f"{path}/{revision.prompt_id}"
    assert client.put(route, got).json() == got
    renamed = client.put(route, {**got, "name": "Study"}).json()
    assert (renamed["prompt_revid"], renamed["name"]) == (revision.pk, "Study")
    for change in (
        {"content": "b"},
        {"model": "gpt-4o-mini"},
        {"tag_ids": []},
        {"schema_version": 1},
        {"schema_id": None},
        {"peer_match_keys": ["k"]},
        {"include": {"pdf": False}},
    ):
        before = client.get(route + "/versions").json()["prompts"][0]
        after = client.put(route, {**before, **change}).json()
        assert after["prompt_version"] == before["prompt_version"] + 1, change
        assert after["prompt_id"] == revision.prompt_id
    assert client.put(f"{path}/{after['prompt_revid']}", got).status_code == 404


@pytest.mark.parametrize(
    ("sent", "status", "detail"),
    [
        ({"schema_id": "0123456789abcdef01234567"}, 404, "Schema not found"),
        ({"schema_id": "nonsense"}, 404, "Schema not found"),
        ({"tag_ids": ["nope"]}, 400, "Invalid tag IDs: ['nope']"),
        ({"model": "no-such-model"}, 400, "Invalid model: no-such-model"),
        ({"kb_id": "0123456789abcdef01234567"}, 400, "Knowledge base 0123456789abcdef01234567 not found"),
    ],
)
def test_it_refuses_parts_that_there_are_not(client: ApiClient, path: str, sent, status: int, detail: str) -> None:
    answer = client.post(path, {"name": "x", "content": "y", **sent})
    assert answer.status_code == status
    assert answer.json()["detail"].startswith(detail)
    assert not Prompt.objects.exists()


def test_it_refuses_a_version_that_the_schema_has_not(client: ApiClient, path: str, schema: SchemaRevision) -> None:
    answer = client.post(path, {"name": "x", "content": "y", "schema_id": schema.schema_id, "schema_version": 3})
    assert (answer.status_code, answer.json()) == (404, {"detail": "Schema version 3 not found"})


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"name": "x"},
        {"content": "y"},
        {"name": "x", "content": ""},
        {"name": "x", "content": "y", "tag_ids": "z"},
        {"name": "x", "content": "y", "include": {"pdf": "maybe"}},
    ],
)
def test_it_wants_a_whole_prompt(client: ApiClient, actor: Actor, path: str, sent) -> None:
    assert client.post(path, sent).status_code == 422
    assert not PromptRevision.objects.exists()


def test_it_changes_what_is_sent_and_leaves_the_rest(
    client: ApiClient, actor: Actor, path: str, schema: SchemaRevision
) -> None:
    urgent = tag(actor, "urgent")
    old = client.post(
        path,
        {
            "name": "Read",
            "content": "a",
            "schema_id": schema.schema_id,
            "schema_version": 1,
            "tag_ids": [urgent.pk],
            "model": "offline/rules",
            "peer_match_keys": ["case"],
            "include": {"pdf": False},
        },
    ).json()
    rest = {key: old[key] for key in ("schema_id", "schema_version", "tag_ids", "model", "peer_match_keys", "include")}

    def change(sent: dict[str, object]) -> dict[str, object]:
        answer = client.put(f"{path}/{old['prompt_id']}", sent)
        assert answer.status_code == 200, answer.content
        return answer.json()

    for same in ({}, {"content": "a"}, {"name": "Read"}, {"tag_ids": [urgent.pk]}, {"schema_version": None}):
        assert change(same)["prompt_revid"] == old["prompt_revid"], same
    second = change({"content": "b"})
    assert (second["prompt_version"], second["content"], second["name"]) == (2, "b", "Read")
    assert {key: second[key] for key in rest} == rest
    renamed = change({"name": "Find"})
    assert (renamed["name"], renamed["prompt_revid"]) == ("Find", second["prompt_revid"])
    assert change({"schema_version": 2})["schema_version"] == 2
    assert change({"include": {"ocr_text": False}})["include"] == {**INCLUDE, "ocr_text": False}
    emptied = change({"schema_id": None, "tag_ids": None, "peer_match_keys": None, "include": None, "model": None})
    assert (emptied["content"], emptied["schema_id"], emptied["schema_version"], emptied["tag_ids"]) == (
        "b",
        None,
        None,
        [],
    )
    assert (emptied["peer_match_keys"], emptied["include"], emptied["model"]) == ([], INCLUDE, "offline/rules")
    answer = client.put(f"{path}/{old['prompt_id']}", {"schema_version": 1})
    assert (answer.status_code, answer.json()["detail"]) == (
        400,
        "schema_version is 1, but the prompt has no schema: send schema_id with it.",
    )


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
