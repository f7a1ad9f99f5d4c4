# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

import pytest

from accounts.actor import Actor
from documents.definitions import prompts
from documents.models import Prompt, PromptRevision, SchemaRevision
from tests.api.prompt_rows import (  # noqa: F401 - some are fixtures
    client,
    path,
    schema,
)
from tests.api.test_documents import tag
from tests.conftest import ApiClient

INCLUDE = {"ocr_text": True, "metadata_keys": [], "pdf": True}


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
