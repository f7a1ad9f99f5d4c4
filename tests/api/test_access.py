"""Each caller gets from every address what the table of `access_table` says, and every route stands in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import pytest
from django.conf import settings
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from rest_framework.test import APIClient

from accounts.actor import Actor
from accounts.models import AccessToken, Invitation, Member, Organization, Role, User
from accounts.services import tokens
from agent.models import McpClient, Rule, StandingWish, Thread, ToolCall, Turn
from documents.models import (
    BulkAction,
    Document,
    DocumentType,
    Extraction,
    FieldEdit,
    HeldRun,
    Prompt,
    Proposal,
    Reading,
    SavedView,
    Schema,
    Tag,
)
from tests.api.access_table import CALLERS, ROWS
from tests.rows import one_of_each

pytestmark = pytest.mark.flows

LIMITS = {"RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"}


@dataclass(frozen=True)
class Route:
    name: str
    pattern: URLPattern
    arguments: frozenset[str]


def routes(patterns: list[Any], namespace: str = "", above: frozenset[str] = frozenset()) -> Iterator[Route]:
    for entry in patterns:
        arguments = above | set(entry.pattern.regex.groupindex)
        if isinstance(entry, URLResolver):
            yield from routes(entry.url_patterns, entry.namespace or namespace, arguments)
        else:
            yield Route(f"{namespace}:{entry.name}" if namespace else str(entry.name), entry, arguments)


ROUTES = {route.name: route for route in routes(get_resolver().url_patterns)}


def names_a_row(route: Route) -> bool:
    """Whether the address holds the id of something inside an organization."""
    return any(argument.endswith("_id") for argument in route.arguments - {"org_id", "organization_id", "user_id"})


def methods_of(pattern: URLPattern) -> set[str]:
    """The methods of a class-based view; functions do not say theirs."""
    view = getattr(pattern.callback, "view_class", None) or getattr(pattern.callback, "cls", None)
    names = ("get", "post", "put", "patch", "delete")
    return {name.upper() for name in names if view and hasattr(view, name)}


def test_every_route_stands_in_the_table_with_each_of_its_methods() -> None:
    written: dict[str, set[str]] = {}
    for name, method, *_ in ROWS:
        written.setdefault(name, set()).add(method)
    ours = {name: route.pattern for name, route in ROUTES.items() if not name.startswith("admin:")}
    assert "None" not in ours, "every route has a name"
    assert set(ours) == set(written)
    missing = {name: methods_of(pattern) - written[name] for name, pattern in ours.items()}
    assert {name: methods for name, methods in missing.items() if methods} == {}


@pytest.fixture
def rows(actor: Actor, monkeypatch: pytest.MonkeyPatch) -> dict[Any, Any]:
    monkeypatch.setattr(settings, "RUN_WAIT_SECONDS", 0)  # no worker runs here
    by_model = one_of_each(actor)
    picture = settings.DATA_DIR / "cache" / "pages" / by_model[Reading].pk / "1-1200.webp"
    picture.parent.mkdir(parents=True, exist_ok=True)
    picture.write_bytes(b"a picture")
    return by_model


@pytest.fixture
def callers(
    actor: Actor, stranger: Actor, member: Callable[[Role], Actor], signed_in: Callable[..., Client], empty_cache: None
) -> dict[str, Client]:
    people = {
        "stranger": stranger,
        "viewer": member(Role.VIEWER),
        "reviewer": member(Role.REVIEWER),
        "builder": member(Role.BUILDER),
        "admin": actor,
    }
    clients = {name: signed_in(APIClient(), who) for name, who in people.items()}
    for name, organization in (("org_token", actor.organization), ("account_token", None)):
        _, secret = tokens.create(actor.user, name=name, organization=organization)
        clients[name] = APIClient(headers={"authorization": f"Bearer {secret}"})
    return {"anonymous": APIClient(), **clients}


def about_no_document(rows: dict[Any, Any]) -> dict[str, object]:
    """A thread like the one that there is, and its turn."""
    like, turn = rows[Thread], rows[Turn]
    thread, _ = Thread.objects.get_or_create(organization=like.organization, document=None, owner=like.owner)
    copied = {name: getattr(turn, name) for name in ("number", "model", "max_rounds", "limit_micros", "code_version")}
    own, _ = Turn.objects.get_or_create(thread=thread, started_by=turn.started_by, defaults=copied)
    wish, _ = StandingWish.objects.get_or_create(thread=thread, text="Write dates as in Prague.")
    return {"thread_id": thread.pk, "turn_id": own.pk, "wish_id": wish.pk}


def address(route: Route, rows: dict[Any, Any]) -> str:
    document = rows[Document]
    known = {
        "org_id": document.organization_id,
        "organization_id": document.organization_id,
        "number": 1,
        "document_id": document.pk,
        "thread_id": rows[Thread].pk,
        "turn_id": rows[Turn].pk,
        "call_id": rows[ToolCall].pk,
        "rule_id": rows[Rule].pk,
        "wish_id": rows[StandingWish].pk,
        "subject_id": rows[McpClient].pk,
        "block_id": f"{rows[Reading].pk}.1.1",
        "proposal_id": rows[Proposal].pk,
        "object_id": document.pk,
        "app_label": "documents",
        "content_type_id": 1,
        "id": document.organization_id,
        "bulk_action_id": rows[BulkAction].pk,
        "token_id": rows[AccessToken].pk,
        "extraction_id": rows[Extraction].pk,
        "edit_id": rows[FieldEdit].pk,
        "run_id": rows[Extraction].pk,
        "name": "offline",
        "user_id": rows[User].pk,
        "member_id": rows[Member].pk,
        "tag_id": rows[Tag].pk,
        "type_id": rows[DocumentType].pk,
        "held_id": rows[HeldRun].pk,
        "held_run_id": rows[HeldRun].pk,
        "view_id": rows[SavedView].pk,
        "schema_id": rows[Schema].pk,
        "prompt_id": rows[Prompt].pk,
        "invitation_id": rows[Invitation].pk,
        "form": "json",
        "key": "days",
        "template": "form",
        "extension": "md",
        "token": "nothing",
        "url": "nothing",
        "price_id": "f" * 24,
        "server_id": "f" * 24,
        "tool_id": "f" * 24,
    }
    if route.name == "unknown-route":
        return "/v0/nothing"
    if route.name.startswith("v0-agent-"):
        known |= about_no_document(rows)
    return reverse(route.name, kwargs={name: known[name] for name in route.arguments})


def status(client: Client, method: str, path: str) -> str:
    """What the call answers; what it changed is undone for the next caller."""
    with transaction.atomic():
        before, cookies = transaction.savepoint(), deepcopy(client.cookies)
        content = {} if method == "GET" else {"data": {}, "format": "json" if path.startswith("/v0/") else "multipart"}
        answer = getattr(client, method.lower())(path, **content)
        transaction.savepoint_rollback(before)
    client.cookies = cookies
    assert answer["X-Request-Id"]
    assert LIMITS.issubset(answer.headers) == path.startswith("/v0/"), (method, path)
    to_sign_in = answer.status_code == 302 and answer["Location"].startswith(("/sign-in", "/admin/login/"))
    return "sign-in" if to_sign_in else str(answer.status_code)


@pytest.mark.parametrize("caller", CALLERS)
def test_it_gives_each_caller_what_the_table_says(
    rows: dict[Any, Any], callers: dict[str, Client], caller: str
) -> None:
    """One by one: they are shared out among processes, and not all of them send PostgreSQL something of their own."""
    column = CALLERS.index(caller)
    got = {(name, method): status(callers[caller], method, address(ROUTES[name], rows)) for name, method, *_ in ROWS}
    assert got == {(name, method): codes[column] for name, method, *codes in ROWS}


# Open to the thread's owner, who is the admin, with a role that others need more than.
OWNERS = ("v0-turn-cancel", "v0-turn-resume", "v0-bulk-stop", "v0-bulk-undo")
OWNERS += ("v0-chat-wishes", "v0-chat-wish", "v0-agent-wishes", "v0-agent-wish")
OWNERS += ("v0-chat-steps", "v0-agent-steps")


@pytest.mark.parametrize("role", [Role.VIEWER, Role.REVIEWER, Role.BUILDER])
def test_a_token_with_a_role_ceiling_gets_no_more_than_that_role(
    rows: dict[Any, Any], actor: Actor, empty_cache: None, role: Role
) -> None:
    """An account token of a system admin, who is also the organization's admin."""
    User.objects.filter(pk=actor.user.pk).update(is_superuser=True)
    _, secret = tokens.create(actor.user, name="k", role_ceiling=role)
    client, let_in = APIClient(headers={"authorization": f"Bearer {secret}"}), []
    for name, method, *expected in ROWS:
        refused = dict(zip(CALLERS, expected, strict=True))[role] == "403" and name not in OWNERS
        changes_account = name in ACCOUNT and method != "GET"
        if name.startswith("v0-") and (refused or changes_account):
            got = status(client, method, address(ROUTES[name], rows))
            let_in += [(name, method, got)] if got != "403" else []
    assert let_in == []


ACCOUNT = (
    "v0-organizations",
    "v0-organization",
    "v0-users",
    "v0-user",
    "v0-account-tokens",
    "v0-account-token",
    "v0-password-link",
    "v0-address-send",
    "v0-address-new",
    "v0-invitations",
    "v0-invitation-withdraw",
    "v0-join",
    "v0-account-llm-chat",
    "v0-account-llm-embedding",
    "v0-llm-provider",
)
UPLOADS = {("v0-documents", "POST"): "422", ("v0-document-multipart", "POST"): "415"}
OPEN = ("v0-token-organization", "v0-openapi", "v0-docs", "v0-passwords", "v0-password", "v0-address", "v0-invitation")


@pytest.mark.parametrize("reach", ["account", "organization"])
def test_a_token_for_uploads_only_opens_the_uploads_alone(
    rows: dict[Any, Any], actor: Actor, empty_cache: None, reach: str
) -> None:
    organization = actor.organization if reach == "organization" else None
    _, secret = tokens.create(actor.user, name="k", upload_only=True, organization=organization)
    client = APIClient(headers={"authorization": f"Bearer {secret}"})
    for name, method, *_ in ROWS:
        if name.startswith("v0-") and name not in OPEN:
            got = status(client, method, address(ROUTES[name], rows))
            elsewhere = organization is not None and "organization_id" not in ROUTES[name].arguments
            wrong_reach = "401" if elsewhere or (name == "v0-organization" and organization) else "403"
            assert got == UPLOADS.get((name, method), wrong_reach), (name, method)


def test_it_finds_no_row_of_another_organization_by_its_id(
    rows: dict[Any, Any], callers: dict[str, Client], other_organization: Organization
) -> None:
    """The other organization's own admin, on their own paths, with ids that are not theirs."""
    codes = {}
    for name, method, *_ in ROWS:
        if names_a_row(ROUTES[name]):
            path = address(ROUTES[name], rows).replace(rows[Document].organization_id, other_organization.pk)
            codes[name, method] = status(callers["stranger"], method, path)
    assert len(codes) > 25
    assert set(codes.values()) == {"404"}, codes


def test_it_lets_nobody_but_system_admins_into_the_administration(
    rows: dict[Any, Any], callers: dict[str, Client]
) -> None:
    named = [route for name, route in ROUTES.items() if name.startswith("admin:") and route.pattern.name]
    assert len(named) > 100
    for route in named:
        name = route.name
        if name == "admin:login":
            continue  # admin-sign-in stands in front of it
        path = address(route, rows)
        for method in ("GET", "POST"):
            codes = {status(callers[caller], method, path) for caller in ("anonymous", "admin", "account_token")}
            assert codes <= {"sign-in", "302"}, (name, method)
