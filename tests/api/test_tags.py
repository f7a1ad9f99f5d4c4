from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from accounts.actor import Actor
from accounts.models import AuditEntry, Organization, Role
from documents.definitions import prompts, tags
from documents.models import Document, Prompt, PromptRevision, Tag
from tests.api.test_documents import store
from tests.conftest import ApiClient


@pytest.fixture
def path(organization: Organization) -> str:
    return f"/v0/orgs/{organization.pk}/tags"


@pytest.fixture
def client(api_as: Callable[[Actor], ApiClient], actor: Actor) -> ApiClient:
    return api_as(actor)


def names(answer) -> list[str]:
    assert answer.status_code == 200, answer.content
    return [row["name"] for row in answer.json()["tags"]]


def test_it_makes_shows_changes_and_deletes_a_tag(client: ApiClient, actor: Actor, path: str) -> None:
    answer = client.post(path, {"name": "Urgent", "color": "#FF0000", "description": "First"})
    assert answer.status_code == 200
    tag = answer.json()
    assert tag.pop("created_at").endswith("Z")
    assert tag == {
        "id": tag["id"],
        "name": "Urgent",
        "color": "#FF0000",
        "description": "First",
        "created_by": actor.user.pk,
    }
    assert client.get(f"{path}/{tag['id']}").json()["name"] == "Urgent"
    change = client.put(f"{path}/{tag['id']}", {"name": "Later", "color": "", "description": None}).json()
    assert (change["name"], change["color"], change["description"]) == ("Later", "#FF0000", None)
    deleted = client.delete(f"{path}/{tag['id']}")
    assert (deleted.status_code, deleted.json()) == (200, {"message": "Tag deleted successfully"})
    assert client.get(f"{path}/{tag['id']}").json() == {"detail": "Tag not found"}
    actions = AuditEntry.objects.filter(target_kind="tag").order_by("created_at").values_list("action", flat=True)
    assert list(actions) == ["created", "changed", "deleted"]


@pytest.mark.parametrize("sent", [{}, {"color": None, "description": None}, {"color": ""}])
def test_it_gives_a_tag_without_a_colour_the_usual_one(client: ApiClient, path: str, sent) -> None:
    tag = client.post(path, {"name": "x", **sent}).json()
    assert (tag["color"], tag["description"]) == ("#3B82F6", None)


def test_it_refuses_a_name_that_is_taken_in_this_writing(client: ApiClient, path: str) -> None:
    client.post(path, {"name": "a"})
    other = client.post(path, {"name": "A"}).json()
    for answer in (client.post(path, {"name": "a"}), client.put(f"{path}/{other['id']}", {"name": "a"})):
        assert (answer.status_code, answer.json()["detail"]) == (400, "Tag with name 'a' already exists")
    assert client.put(f"{path}/{other['id']}", {"name": "A", "color": "#fff"}).json()["color"] == "#fff"


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        ({}, 422),
        ({"name": ""}, 422),
        ({"name": None}, 422),
        ({"name": "x" * 201}, 400),
        ({"name": "\t"}, 422),
        ({"name": "x", "color": "red; x"}, 422),
        ({"name": "x", "description": "d" * 2001}, 400),
    ],
)
def test_it_refuses_what_makes_no_tag(client: ApiClient, path: str, sent, status: int) -> None:
    assert client.post(path, sent).status_code == status
    assert not Tag.objects.exists()


def test_it_changes_what_is_sent_and_leaves_the_rest(client: ApiClient, path: str) -> None:
    first = client.post(path, {"name": "a", "color": "#111111", "description": "First"}).json()
    route = f"{path}/{first['id']}"

    def change(sent: dict[str, object]) -> tuple[str, str, str | None]:
        answer = client.put(route, sent)
        assert answer.status_code == 200, answer.content
        return answer.json()["name"], answer.json()["color"], answer.json()["description"]

    assert change({}) == ("a", "#111111", "First")
    assert change({"color": "#222222"}) == ("a", "#222222", "First")
    assert change({"name": "b"}) == ("b", "#222222", "First")
    assert change({"color": None}) == ("b", "#222222", "First")
    assert change({"description": None}) == ("b", "#222222", None)
    for wrong in ({"name": None}, {"name": ""}, {"name": {}}, {"color": []}, {"description": {}}, []):
        assert client.put(route, wrong).status_code == 422, wrong
    assert client.put(route, {"color": "red"}).status_code == 422


def test_it_keeps_a_tag_that_a_document_or_any_revision_of_a_prompt_carries(
    client: ApiClient, actor: Actor, path: str
) -> None:
    tag = tags.create(actor, name="a")
    document = store(actor, "a.txt", tag_ids=[tag.pk])
    answer = client.delete(f"{path}/{tag.pk}")
    sentence = "Cannot delete tag 'a' because it is assigned to one or more "
    assert (answer.status_code, answer.json()["detail"]) == (400, sentence + "documents")
    Document.objects.filter(pk=document.pk).update(trashed_at=document.created_at)
    prompt = prompts.create(actor, name="p", content="x", tags=[tag]).prompt
    prompts.save_version(actor, prompt=prompt, tags=[])
    assert client.delete(f"{path}/{tag.pk}").json()["detail"] == sentence + "prompts"
    prompts.trash(actor, head=prompt)
    assert client.delete(f"{path}/{tag.pk}").status_code == 200
    assert (Prompt.objects.count(), PromptRevision.objects.count()) == (1, 2)


def test_it_lists_searches_sorts_and_filters(client: ApiClient, actor: Actor, path: str) -> None:
    for name, color in (("Über uns", "#111111"), ("über", "#222222"), ("darüber", "#333333"), ("a.b", "#444444")):
        tags.create(actor, name=name, color=color)
    assert names(client.get(f"{path}?limit=2&skip=1")) == ["darüber", "über"]
    assert client.get(f"{path}?limit=2&skip=1").json()["total_count"] == 4
    assert names(client.get(path, {"name_search": "ÜBER"})) == ["über", "Über uns", "darüber"]
    assert names(client.get(path, {"name_search": "."})) == ["a.b"]
    assert names(client.get(path, {"sort": '[{"field":"color","sort":"asc"}]'}))[0] == "Über uns"
    filters = {"items": [{"field": "name", "operator": "startsWith", "value": "ÜB"}]}
    assert names(client.get(path, {"filters": json.dumps(filters)})) == ["über", "Über uns"]
    for wrong in ("skip=-1", "limit=0", "limit=101"):
        assert client.get(f"{path}?{wrong}").status_code == 422


def test_it_asks_the_database_the_same_for_few_and_for_many(
    client: ApiClient, actor: Actor, path: str, django_assert_num_queries
) -> None:
    client.get(path)
    for number in range(12):
        tags.create(actor, name=str(number))
    with django_assert_num_queries(3):  # token, member with organization, page; it is the last, so nothing is counted
        assert len(names(client.get(f"{path}?limit=100"))) == 12


def test_it_knows_no_tag_of_another_organization(client: ApiClient, path: str, stranger: Actor) -> None:
    foreign = tags.create(stranger, name="theirs")
    for unknown in (foreign.pk, "nonsense", "0123456789abcdef01234567"):
        for answer in (
            client.get(f"{path}/{unknown}"),
            client.put(f"{path}/{unknown}", {"name": "x"}),
            client.delete(f"{path}/{unknown}"),
        ):
            assert (answer.status_code, answer.json()) == (404, {"detail": "Tag not found"})
    assert client.get(path).json() == {"tags": [], "total_count": 0, "skip": 0}
    assert client.post(path, {"name": "theirs"}).status_code == 200


def test_it_lets_builders_change_tags_and_others_only_see_them(
    api_as: Callable[[Actor], ApiClient], member: Callable[[Role], Actor], path: str
) -> None:
    reviewer, builder = api_as(member(Role.REVIEWER)), api_as(member(Role.BUILDER))
    assert reviewer.post(path, {"name": "x"}).status_code == 403
    assert builder.post(path, {"name": "x"}).status_code == 200
    assert names(reviewer.get(path)) == ["x"]
