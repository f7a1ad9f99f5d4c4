"""Saved views: whose they are, who may change them, and how the page and `/v0` give them."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

from collections.abc import Callable
from html import unescape

import pytest
from django.urls import reverse

from accounts.actor import Actor
from accounts.models import AuditEntry, Role
from documents.find import saved_views
from documents.models import SavedView
from kit.errors import Denied, Invalid, NotFound
from tests.conftest import ApiClient
from tests.documents.listing_pages import list_of, page, reader_is_there, store  # noqa: F401 - fixtures
from tests.page_client import PageClient as Client

pytestmark = pytest.mark.servers

Member = Callable[[Role], Actor]


def names_for(actor: Actor) -> list[str]:
    return [view.name for view in saved_views.list_views(actor)]


def test_a_view_is_for_oneself_or_for_all(actor: Actor, member: Member, stranger: Actor) -> None:
    viewer = member(Role.VIEWER)
    saved_views.create(viewer, name="Mine", query="is=waiting")
    saved_views.create(actor, name="Everybody's", query="state=failed", is_shared=True)
    assert names_for(viewer) == ["Mine", "Everybody's"]
    assert names_for(actor) == ["Everybody's"]
    assert names_for(stranger) == []


def test_what_is_for_all_takes_a_builder(actor: Actor, member: Member) -> None:
    reviewer = member(Role.REVIEWER)
    shared = saved_views.create(actor, name="All", is_shared=True)
    own = saved_views.create(reviewer, name="Own")
    with pytest.raises(Denied):
        saved_views.create(reviewer, name="All", is_shared=True)
    with pytest.raises(Denied):
        saved_views.update(reviewer, view=own, is_shared=True)
    for refused in (
        lambda: saved_views.update(reviewer, view=shared, name="Other"),
        lambda: saved_views.delete(reviewer, view=shared),
        lambda: saved_views.move(reviewer, view=shared, by=1),
    ):
        with pytest.raises(Denied, match="Only a builder or an admin"):
            refused()
    with pytest.raises(NotFound):
        saved_views.fetch_view(actor, own.pk)


def test_filters_are_kept_in_one_writing_and_have_to_make_sense(actor: Actor) -> None:
    view = saved_views.create(actor, name="  Large  ones ", query="?q=acme total > 1000&tag=&shown=5")
    assert (view.name, view.query) == ("Large ones", "q=acme&value=total+%3E+1000")
    with pytest.raises(Invalid, match="There is no filter “tagged”. A view keeps q, order_by, is, "):
        saved_views.create(actor, name="Misspelt", query="is=waiting&tagged=letters")
    for bad in ("value=total+>", "state=odd", "tag=none"):
        with pytest.raises(Invalid):
            saved_views.create(actor, name="x", query=bad)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [(" ", "A view needs a name."), ("x" * 81, "The name has 81 characters; 80 are the most.")],
)
def test_a_name_has_to_be_one(actor: Actor, name: str, sentence: str) -> None:
    with pytest.raises(Invalid, match=sentence):
        saved_views.create(actor, name=name)


def test_there_are_so_many_views_at_most(actor: Actor) -> None:
    SavedView.objects.bulk_create(
        SavedView(organization=actor.organization, owner=actor.user, name="x") for _ in range(saved_views.MAX_VIEWS)
    )
    with pytest.raises(Invalid, match="There are 50 views already"):
        saved_views.create(actor, name="One more")
    view = saved_views.create(actor, name="For all", is_shared=True)
    with pytest.raises(Invalid, match="There are 50 views already"):
        saved_views.update(actor, view=view, is_shared=False)


def test_views_change_places(actor: Actor) -> None:
    for name in ("a", "b", "c"):
        view = saved_views.create(actor, name=name)
    saved_views.move(actor, view=view, by=-1)
    assert names_for(actor) == ["a", "c", "b"]
    saved_views.move(actor, view=view, by=-5)
    saved_views.move(actor, view=view, by=-1)
    assert names_for(actor) == ["c", "a", "b"]


def test_every_change_leaves_its_entry(actor: Actor) -> None:
    view = saved_views.create(actor, name="a")
    saved_views.update(actor, view=view, name="b")
    saved_views.delete(actor, view=view)
    actions = AuditEntry.objects.filter(target_id=view.pk).order_by("created_at").values_list("action", flat=True)
    assert list(actions) == ["created", "changed", "deleted"]


def test_the_page_saves_renames_and_deletes_with_a_way_back(page: Client, actor: Actor) -> None:
    org = actor.organization.pk
    query = "value=total+%3E+1000"
    text = unescape(page.post(reverse("view-save", args=[org]), {"name": "Large", "query": query}).text)
    [view] = saved_views.list_views(actor)
    assert (view.query, view.owner) == (query, actor.user)
    assert f"?{query}" in text and 'id="saved-views"' in text
    text = page.post(reverse("view-change", args=[org, view.pk]), {"name": "Larger", "query": query}).text
    assert "Larger" in text
    answer = page.post(reverse("view-change", args=[org, view.pk]), {"name": "", "query": query})
    assert answer.status_code == 422 and "A view needs a name." in answer.text
    text = page.post(reverse("view-delete", args=[org, view.pk]), {"query": query}).text
    assert "“Larger” is deleted." in text and f'name="query" value="{query}"' in unescape(text)
    assert not SavedView.objects.exists()


def test_views_stand_beside_the_navigation_with_their_numbers(page: Client, actor: Actor) -> None:
    store(actor, "a.txt"), store(actor, "b.txt")
    saved_views.create(actor, name="First ones", query="q=a.txt")
    gone = saved_views.create(actor, name="Broken", query="")
    SavedView.objects.filter(pk=gone.pk).update(query="tag=0123456789abcdef01234567")
    text = page.get(list_of(actor)).text
    counts = reverse("view-counts", args=[actor.organization.pk])
    assert "First ones" in text and f'hx-get="{counts}' in text
    text = page.get(counts, {"query": "q=a.txt"}).text
    assert '<span class="num n">1</span>' in text and 'aria-current="true"' in text
    assert '<span class="num n"></span>' in text


def test_the_api_gives_and_changes_them(actor: Actor, api_as: Callable[[Actor], ApiClient]) -> None:
    client, path = api_as(actor), f"/v0/orgs/{actor.organization.pk}/views"
    made = client.post(path, {"name": "Large", "query": "q=total > 1000", "is_shared": True}).json()
    assert (made["query"], made["is_shared"], made["position"]) == ("value=total+%3E+1000", True, 0)
    assert client.get(path).json()["total_count"] == 1
    one = f"{path}/{made['id']}"
    etag = client.get(one)["ETag"]
    assert client.put(one, {"position": 3}).json()["position"] == 3
    assert client.put(one, {"name": "x"}, headers={"If-Match": etag}).status_code == 412
    assert client.post(path, {"name": "x", "query": "state=odd"}).status_code == 400
    assert client.delete(one).status_code == 200 and client.get(one).status_code == 404
