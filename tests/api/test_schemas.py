from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from accounts.actor import Actor
from accounts.models import Organization, Role
from documents.definitions import prompts, schemas
from documents.models import Schema, SchemaRevision
from tests.conftest import ApiClient

Client = Callable[[Actor], ApiClient]


def response_format(*names: str) -> dict[str, object]:
    """As published clients send it: fields without a description."""
    fields = {name: {"type": "string"} for name in names}
    schema = {"type": "object", "properties": fields, "required": list(names), "additionalProperties": False}
    return {"type": "json_schema", "json_schema": {"name": "document", "schema": schema, "strict": True}}


@pytest.fixture
def path(organization: Organization) -> str:
    return f"/v0/orgs/{organization.pk}/schemas"


@pytest.fixture
def client(api_as: Client, actor: Actor) -> ApiClient:
    return api_as(actor)


def make(actor: Actor, name: str, *fields: str) -> SchemaRevision:
    return schemas.create(actor, name=name, response_format=response_format(*fields or ("total",)), descriptions=False)


def names(answer) -> list[str]:
    assert answer.status_code == 200, answer.content
    return [row["name"] for row in answer.json()["schemas"]]


def test_it_makes_a_schema_and_gives_it_back_by_the_id_of_its_revision(
    client: ApiClient, actor: Actor, path: str
) -> None:
    creation = client.post(path, {"name": "Invoice", "response_format": response_format("zeta", "alpha")})
    assert creation.status_code == 200
    schema = creation.json()
    assert schema["created_at"].endswith("Z")
    assert (schema["name"], schema["schema_version"], schema["created_by"]) == ("Invoice", 1, actor.user.pk)
    assert list(schema["response_format"]["json_schema"]["schema"]["properties"]) == ["zeta", "alpha"]
    assert client.get(f"{path}/{schema['schema_revid']}").json() == schema
    for wrong in (schema["schema_id"], "nonsense", "0123456789abcdef01234567"):
        answer = client.get(f"{path}/{wrong}")
        assert (answer.status_code, answer.json()) == (404, {"detail": "Schema not found"})


def test_it_makes_the_next_version_of_a_name_that_exists_in_any_case(client: ApiClient, path: str) -> None:
    first = client.post(path, {"name": "Invoice", "response_format": response_format("a")}).json()
    second = client.post(path, {"name": "INVOICE", "response_format": response_format("a", "b")}).json()
    third = client.post(path, {"name": "invoice", "response_format": response_format("a", "b")}).json()
    assert {schema["schema_id"] for schema in (second, third)} == {first["schema_id"]}
    assert [schema["schema_version"] for schema in (first, second, third)] == [1, 2, 3]
    versions = client.get(f"{path}/{first['schema_id']}/versions").json()
    assert (versions["total_count"], versions["skip"]) == (3, 0)
    assert [schema["schema_version"] for schema in versions["schemas"]] == [3, 2, 1]
    assert client.get(path).json()["total_count"] == 1
    assert client.get(f"{path}/{first['schema_revid']}").json()["schema_version"] == 1


def test_it_makes_no_version_for_a_new_name_or_for_what_is_the_same(client: ApiClient, path: str) -> None:
    first = client.post(path, {"name": "Invoice", "response_format": response_format("a")}).json()
    route = f"{path}/{first['schema_id']}"
    same = client.put(route, {"name": "Invoice", "response_format": response_format("a")}).json()
    renamed = client.put(route, {"name": "Bill"}).json()
    assert (same["schema_revid"], renamed["schema_revid"]) == (first["schema_revid"],) * 2
    assert (renamed["name"], renamed["schema_version"]) == ("Bill", 1)
    changed = client.put(route, {"response_format": response_format("b")}).json()
    assert (changed["name"], changed["schema_version"], changed["schema_id"]) == ("Bill", 2, first["schema_id"])
    assert client.put(f"{path}/{changed['schema_revid']}", {"name": "x"}).status_code == 404


def test_it_does_not_rename_to_a_name_that_is_taken(client: ApiClient, actor: Actor, path: str) -> None:
    make(actor, "Invoice")
    other = make(actor, "Receipt")
    assert client.put(f"{path}/{other.schema_id}", {"name": "INVOICE"}).status_code == 409


@pytest.mark.parametrize(
    ("sent", "where"),
    [
        ({"name": "x"}, ["body", "response_format"]),
        ({"response_format": response_format("a")}, ["body", "name"]),
        ({"name": "x", "response_format": {}}, ["body", "response_format", "type"]),
        (
            {"name": "x", "response_format": {"type": "json_schema", "json_schema": {"schema": {}}}},
            ["body", "response_format", "json_schema", "name"],
        ),
        (
            {"name": "x", "response_format": {"type": "json_schema", "json_schema": {"name": "x"}}},
            ["body", "response_format", "json_schema", "schema"],
        ),
        (
            {
                "name": "x",
                "response_format": {"type": "json_schema", "json_schema": {"name": "x", "schema": {"type": 7}}},
            },
            ["body", "response_format", "json_schema", "schema", "type"],
        ),
        ({"name": "x", "response_format": "text"}, ["body", "response_format"]),
    ],
)
def test_it_says_what_is_wrong_in_a_schema_and_where(client: ApiClient, path: str, sent, where: list[str]) -> None:
    answer = client.post(path, sent)
    assert answer.status_code == 422
    assert answer.json()["detail"][0]["loc"] == where
    assert not Schema.objects.exists()


def test_it_wants_a_name_or_a_format_in_a_change(client: ApiClient, actor: Actor, path: str) -> None:
    schema = make(actor, "Invoice").schema
    for nothing in ({}, {"name": None}):
        assert client.put(f"{path}/{schema.pk}", nothing).status_code == 422
    wrong = client.put(f"{path}/{schema.pk}", {"response_format": {"type": "text"}})
    assert (wrong.status_code, wrong.json()["detail"][0]["loc"][1]) == (422, "response_format")


def test_it_keeps_a_schema_that_any_revision_of_a_prompt_uses(client: ApiClient, actor: Actor, path: str) -> None:
    revision = make(actor, "Invoice")
    prompt = prompts.create(actor, name="Read", content="x", schema_revision=revision).prompt
    prompts.save_version(actor, prompt=prompt, schema_revision=None)
    route = f"{path}/{revision.schema_id}"
    refused = client.delete(route)
    assert refused.status_code == 400
    assert refused.json()["detail"] == (
        'Cannot delete schema because it has dependent prompts:[{"name": "Read", "schema_version": 1}]'
    )
    prompts.trash(actor, head=prompt)
    deleted = client.delete(route)
    assert (deleted.status_code, deleted.json()) == (200, {"message": "Schema deleted successfully"})
    for gone in (
        client.get(f"{path}/{revision.pk}"),
        client.get(f"{route}/versions"),
        client.delete(route),
        client.post(f"{path}/{revision.pk}/validate", {"data": {}}),
    ):
        assert (gone.status_code, gone.json()) == (404, {"detail": "Schema not found"})
    assert client.post(path, {"name": "Invoice", "response_format": response_format("a")}).json()["schema_version"] == 1


def test_it_says_whether_data_fits(client: ApiClient, actor: Actor, path: str) -> None:
    lines = {"type": "array", "items": {"type": "object", "properties": {"b": {"type": "number"}}}}
    form = response_format("name")
    form["json_schema"]["schema"]["properties"]["a"] = lines  # type: ignore[index]
    revision = schemas.create(actor, name="x", response_format=form, descriptions=False)
    route = f"{path}/{revision.pk}/validate"
    assert client.post(route, {"data": {"name": "x", "a": [{"b": 1}]}}).json() == {"valid": True}
    wrong = client.post(route, {"data": {"name": "x", "a": [{"b": "one"}]}}).json()
    assert (wrong["valid"], [error["path"] for error in wrong["errors"]]) == (False, ["a.0.b"])
    assert client.post(route, {"name": "x"}).json() == {"valid": True}
    assert client.post(f"{path}/{revision.schema_id}/validate", {"data": {"name": 1}}).json()["valid"] is False
    for missing in ({}, []):
        answer = client.post(route, missing)
        assert (answer.status_code, answer.json()["detail"][0]["loc"]) == (422, ["body", "data"])


def test_it_lists_the_latest_revisions(client: ApiClient, actor: Actor, path: str) -> None:
    for name in ("Über uns", "über", "darüber"):
        make(actor, name)
    proposed = schemas.create(
        actor, name="proposal", response_format=response_format("a"), descriptions=False, proposed=True
    )
    assert names(client.get(path)) == ["darüber", "über", "Über uns"]
    assert client.get(f"{path}/{proposed.pk}").json()["status"] == "proposed"
    assert names(client.get(path, {"name_search": "ÜBER"})) == ["über", "Über uns", "darüber"]
    assert names(client.get(path, {"name_search": ".*"})) == []
    assert names(client.get(path, {"sort": '[{"field":"name","sort":"asc"}]'})) == ["darüber", "über", "Über uns"]
    filters = {"items": [{"field": "name", "operator": "startsWith", "value": "ÜB"}]}
    assert names(client.get(path, {"filters": json.dumps(filters)})) == ["über", "Über uns"]
    assert names(client.get(f"{path}?skip=1&limit=1")) == ["über"]


def test_it_asks_the_database_the_same_for_few_and_for_many(
    client: ApiClient, actor: Actor, path: str, django_assert_num_queries
) -> None:
    client.get(path)
    for number in range(8):
        make(actor, str(number))
    with django_assert_num_queries(
        4
    ):  # token, member with organization, sizes, rows; it is the last page, so nothing is counted
        assert len(names(client.get(f"{path}?limit=100"))) == 8


def test_it_knows_no_schema_of_another_organization(client: ApiClient, path: str, stranger: Actor) -> None:
    foreign = make(stranger, "theirs")
    stable, revision = f"{path}/{foreign.schema_id}", f"{path}/{foreign.pk}"
    for answer in (
        client.get(revision),
        client.put(stable, {"name": "x"}),
        client.delete(stable),
        client.get(f"{stable}/versions"),
        client.post(f"{revision}/validate", {"data": {}}),
        client.post(f"{stable}/validate", {"data": {}}),
    ):
        assert (answer.status_code, answer.json()) == (404, {"detail": "Schema not found"})
    assert client.get(path).json() == {"schemas": [], "total_count": 0, "skip": 0}


def test_it_lets_builders_change_schemas_and_viewers_use_them(
    api_as: Client, member: Callable[[Role], Actor], actor: Actor, path: str
) -> None:
    revision = make(actor, "Invoice")
    reviewer, viewer = api_as(member(Role.REVIEWER)), api_as(member(Role.VIEWER))
    assert reviewer.post(path, {"name": "x", "response_format": response_format("a")}).status_code == 403
    assert reviewer.delete(f"{path}/{revision.schema_id}").status_code == 403
    assert viewer.post(f"{path}/{revision.pk}/validate", {"data": {"total": "1"}}).json() == {"valid": True}


def test_it_stores_a_schema_that_requires_what_it_does_not_declare_with_a_warning(client: ApiClient, path: str) -> None:
    sent = response_format("total")
    sent["json_schema"]["schema"]["required"] = ["total", "invoice_id"]  # type: ignore[index]
    answer = client.post(path, {"name": "Invoice", "response_format": sent})
    assert answer.status_code == 200, answer.content
    schema = answer.json()
    assert schema["response_format"] == sent
    (warning,) = schema["warnings"]
    assert warning["where"] == "required" and '"invoice_id"' in warning["message"]
    assert client.get(f"{path}/{schema['schema_revid']}").json()["warnings"] == [warning]
    assert client.put(f"{path}/{schema['schema_id']}", {"name": "Bill"}).json()["warnings"] == [warning]
    route = f"{path}/{schema['schema_revid']}/validate"
    assert client.post(route, {"data": {"total": "5"}}).json() == {"valid": True}
    assert client.post(route, {"data": {}}).json()["valid"] is False
    assert client.post(path, {"name": "Plain", "response_format": response_format("a")}).json()["warnings"] == []
    assert "warnings" not in client.get(path).json()["schemas"][0]


@pytest.mark.parametrize("data", [[{"name": "x"}], "text", 5, True, None])
def test_data_that_is_no_object_is_422(client: ApiClient, actor: Actor, path: str, data: object) -> None:
    revision = make(actor, "Invoice")
    answer = client.post(f"{path}/{revision.pk}/validate", {"data": data})
    assert answer.status_code == 422, answer.content
    (fault,) = answer.json()["detail"]
    assert (fault["type"], fault["loc"]) == ("dict_type", ["body", "data"])


def test_a_schema_has_a_largest_size_and_one_stored_before_goes_on(client: ApiClient, actor: Actor, path: str) -> None:
    fields = {f"f{n}": {"type": "string", "description": "x" * 2000} for n in range(260)}
    large = {
        "type": "json_schema",
        "json_schema": {"name": "large", "schema": {"type": "object", "properties": fields}},
    }
    answer = client.post(path, {"name": "Large", "response_format": large})
    assert answer.status_code == 422 and "512 kB is the most" in answer.json()["detail"][0]["msg"]
    assert not Schema.objects.exists()
    revision = make(actor, "Old")
    SchemaRevision.objects.update(response_format=large)
    assert client.get(f"{path}/{revision.pk}").json()["response_format"] == large
    renamed = client.put(f"{path}/{revision.schema_id}", {"name": "Older", "response_format": large})
    assert renamed.status_code == 200 and renamed.json()["name"] == "Older"
    assert client.post(f"{path}/{revision.pk}/validate", {"data": {"f0": "x"}}).json() == {"valid": True}


def test_a_list_of_large_schemas_comes_in_several_answers(client: ApiClient, actor: Actor, path: str) -> None:
    for number in range(3):
        make(actor, f"S{number}")
    note = {"type": "json_schema", "json_schema": {"name": "x", "schema": {"description": "x" * 1_900_000}}}
    SchemaRevision.objects.update(response_format=note)
    seen, skip = [], 0
    for _ in range(3):
        page = client.get(path, {"skip": skip, "limit": 100})
        assert len(page.content) < 4_100_000
        seen += names(page)
        assert (page.json()["total_count"], page.json()["skip"]) == (3, skip)
        if (skip := page.json().get("next_skip")) is None:
            break
    assert seen == ["S2", "S1", "S0"] and skip is None


def test_one_row_always_comes_however_large(client: ApiClient, actor: Actor, path: str) -> None:
    revision = make(actor, "Huge")
    schemas.save_version(actor, schema=revision.schema, response_format=response_format("b"), descriptions=False)
    SchemaRevision.objects.filter(number=2).update(response_format={"huge": "x" * 4_100_000})
    page = client.get(path).json()
    assert (len(page["schemas"]), "next_skip" in page) == (1, False)
    versions = client.get(f"{path}/{revision.schema_id}/versions").json()
    assert [row["schema_version"] for row in versions["schemas"]] == [2]
    assert (versions["total_count"], versions["next_skip"]) == (2, 1)
    rest = client.get(f"{path}/{revision.schema_id}/versions", {"skip": 1}).json()
    assert [row["schema_version"] for row in rest["schemas"]] == [1] and "next_skip" not in rest
