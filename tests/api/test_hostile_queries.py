"""Values that no list expects, in the parameters of every address that is read: a sentence or a page, never a 500."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from accounts.actor import Actor
from tests.api.test_access import ROUTES, ROWS, address
from tests.conftest import ApiClient
from tests.rows import one_of_each

pytestmark = [pytest.mark.flows, pytest.mark.servers]

# What the lists and pages of the product know; each half is asked with a value, so that not all are refused by the first.
PARAMETERS = (
    (
        "skip",
        "limit",
        "page_num",
        "table_index",
        "number",
        "w",
        "last_seq",
        "tag_ids",
        "metadata_search",
        "name_search",
    ),
    ("sort", "filters", "before", "after", "seen", "kind", "origin", "user_id", "document_id", "page", "format"),
    ("since", "q", "state", "reading", "thread", "search_name", "text", "file_type", "auto_create", "chat_only"),
    ("until", "run", "word"),
)
VALUES = ("-1", "9" * 25, "9999-12-31", "0001-01-01", "\0", "[" * 3000)


@pytest.mark.django_db
def test_no_address_breaks_on_a_hostile_value(
    actor: Actor, client: Client, signed_in: Callable[[Client, Actor], Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "RUN_WAIT_SECONDS", 0)
    rows: dict[Any, Any] = one_of_each(actor)
    page = signed_in(client, actor)
    page.raise_request_exception = False
    names = [name for name, method, *_ in ROWS if method == "GET" and name not in ("first-run", "page-image")]
    broken = []
    for at, name in enumerate(names):
        path = address(ROUTES[name], rows)
        # Each address meets other values: all of them with all would take a minute.
        query = dict.fromkeys(PARAMETERS[at % len(PARAMETERS)], VALUES[at % len(VALUES)])
        if page.get(path, query).status_code >= 500:
            broken.append((name, query))
    assert broken == []


@pytest.mark.django_db
@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("name", ["audit", "audit-export", "documents", "v0-documents", "v0-tags", "v0-ocr-text"])
def test_no_list_breaks_on_any_of_them(
    name: str, value: str, actor: Actor, client: Client, signed_in: Callable[[Client, Actor], Client]
) -> None:
    path = address(ROUTES[name], one_of_each(actor))
    page = signed_in(client, actor)
    assert {page.get(path, dict.fromkeys(group, value)).status_code for group in PARAMETERS} <= {200, 400, 404, 422}


@pytest.mark.django_db
@pytest.mark.parametrize("operator", ["is", "not", "after", "onOrAfter", "before", "onOrBefore"])
@pytest.mark.parametrize(
    "value", ["0001-01-01", "9999-12-31", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "NaN", "-1", 1e308]
)
def test_no_filter_breaks_on_the_ends_of_time(
    operator: str, value: object, actor: Actor, api_as: Callable[[Actor], ApiClient]
) -> None:
    filters = json.dumps({"items": [{"field": "created_at", "operator": operator, "value": value}]})
    answer = api_as(actor).get(f"/v0/orgs/{actor.organization.pk}/tags", {"filters": filters})
    assert answer.status_code == 200


@pytest.mark.django_db
def test_no_list_breaks_on_half_a_character(actor: Actor, api_as: Callable[[Actor], ApiClient]) -> None:
    filters = '{"items": [{"field": "name", "operator": "contains", "value": "\\ud800"}]}'
    answer = api_as(actor).get(f"/v0/orgs/{actor.organization.pk}/tags", {"filters": filters})
    assert (answer.status_code, answer.json()["detail"]) == (400, "Invalid filters JSON")


@pytest.mark.django_db
@pytest.mark.parametrize("query", ["member_search=a%00b", "a%00b=c", "name_search=a&name_search=%00"])
def test_nul_in_a_query_meets_no_view(query: str, client: Client) -> None:
    """PostgreSQL fails when it is asked for one."""
    answer = client.get(f"/v0/account/organizations?{query}")
    (fault,) = answer.json()["detail"]
    assert (answer.status_code, fault["loc"][0], fault["msg"]) == (422, "query", "Null characters are not allowed.")
    assert client.get(f"/sign-in?{query}").status_code == 400
    form = client.generic("POST", "/sign-in", query, content_type="application/x-www-form-urlencoded")
    assert (form.status_code, form.text) == (400, "Null characters are not allowed.")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("route", "sent", "place"),
    [
        ("v0-tags", {"name": "a\0"}, ["name"]),
        (
            "v0-ocr-bulk-analyze",
            {"mode": "all", "document_filters": {"tag_ids": ["\0"]}},
            ["document_filters", "tag_ids", 0],
        ),
        ("v0-call-decision", {"arguments": {"name": [{"a\0": 1}]}}, ["arguments", "name", 0, "a\0"]),
        ("v0-chat", {"messages": [{"role": "user", "content": "a\0"}]}, ["messages", 0, "content"]),
    ],
)
def test_nul_in_a_body_is_refused_with_its_place(
    route: str, sent: object, place: list[object], actor: Actor, api_as: Callable[[Actor], ApiClient]
) -> None:
    """PostgreSQL keeps none, in a text or in JSON."""
    path = address(ROUTES[route], one_of_each(actor))
    answer = api_as(actor).post(path, sent)
    assert (answer.status_code, answer.json()["detail"][0]["loc"]) == (422, ["body", *place])


MANY = [str(number) for number in range(1200)]
ITEMS = [{"field": "document_name", "operator": "contains", "value": text} for text in MANY]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("filters", "noun"),
    [
        ({"filters": {"items": ITEMS, "logicOperator": "and"}}, "filters"),
        ({"filters": {"items": ITEMS, "logicOperator": "or"}}, "filters"),
        ({"tag_ids": MANY}, "tags"),
        ({"metadata_search": [f"{text}=1" for text in MANY]}, "pairs of metadata"),
    ],
)
def test_it_refuses_more_conditions_than_a_database_can_join(
    filters: dict[str, Any], noun: str, actor: Actor, api_as: Callable[[Actor], ApiClient]
) -> None:
    """SQLite gives up beyond a depth of 1,000."""
    sent = {"mode": "all", "document_filters": filters}
    answer = api_as(actor).post(f"/v0/orgs/{actor.organization.pk}/ocr/bulk-analyze", sent)
    assert answer.status_code == 400
    assert answer.json()["detail"] == f"There are 1,200 {noun}; 100 is the most."


@pytest.mark.django_db
@pytest.mark.parametrize("route", ["documents", "prompts"])
def test_it_refuses_more_tags_than_anybody_looks_for(
    route: str, actor: Actor, api_as: Callable[[Actor], ApiClient]
) -> None:
    answer = api_as(actor).get(f"/v0/orgs/{actor.organization.pk}/{route}", {"tag_ids": ",".join(MANY[:101])})
    assert answer.json()["detail"] == "There are 101 tags; 100 is the most."
