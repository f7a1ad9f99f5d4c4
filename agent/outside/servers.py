"""The outside MCP servers of an organization: added, changed and removed by its admins, and which tools are on."""

from __future__ import annotations

import re
from datetime import timedelta

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import F, Q
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import Role
from accounts.services import audit
from agent.models import OutsideServer, OutsideTool
from kit import jobs
from kit.errors import Conflict, Denied, Invalid
from kit.jobs import Job
from kit.outbound.targets import parse_target
from kit.rows import sealing

MAX_SERVERS, MAX_NAME, MAX_PREFIX, MAX_SECRET = 20, 60, 20, 4_000
LIST_AGAIN = timedelta(hours=6)
ASK_AGAIN = timedelta(minutes=10)
LOOK_FOR = timedelta(minutes=2)
_HEADER = re.compile(r"[A-Za-z0-9-]{1,60}")
_RESERVED = {"host", "content-type", "content-length", "accept", "mcp-session-id", "mcp-protocol-version", "cookie"}


def build_server(
    actor: Actor, *, name: str, url: str = "", command: str = "", header: str = "", secret: str = ""
) -> OutsideServer:
    """A server that is not stored. Raises Invalid, Denied below admin."""
    actor.require(Role.ADMIN)
    server = OutsideServer(organization=actor.organization, name=_check_name(name), created_by=actor.user)
    server.prefix = _make_prefix(server.name)
    if command:
        _require_operator(actor, command)
        server.command = command
    else:
        server.url = parse_target(url.strip()).url
    _set_secret(server, header.strip(), secret.strip())
    return server


@transaction.atomic
def add_server(
    actor: Actor, *, name: str, url: str = "", command: str = "", header: str = "", secret: str = ""
) -> OutsideServer:
    """Its tools are listed by a job. Raises Invalid, Denied below admin, Conflict for a name or address there is."""
    server = build_server(actor, name=name, url=url, command=command, header=header, secret=secret)
    store_server(actor, server)
    _ask(server)
    return server


def store_server(actor: Actor, server: OutsideServer) -> None:
    """Raises Invalid for one too many, and Conflict for a name or address there is."""
    own = OutsideServer.objects.for_org(actor.organization)
    if own.count() >= MAX_SERVERS:
        raise Invalid(f"An organization has at most {MAX_SERVERS} outside servers.")
    try:
        with transaction.atomic():
            server.save(force_insert=True)
    except IntegrityError:
        raise Conflict(f"There is a server whose tools begin with {server.prefix}__. Choose another name.") from None
    audit.record(actor, "added", server, name=server.name, place=server.place)


@transaction.atomic
def remove_server(actor: Actor, *, server: OutsideServer) -> None:
    """With its tools. Calls that wait for it are refused when they would run; what ran stays in the record."""
    actor.require(Role.ADMIN)
    audit.record(actor, "removed", server, name=server.name, place=server.place)
    server.delete()


def set_secret(actor: Actor, *, server: OutsideServer, header: str, secret: str) -> None:
    """Both empty: none from now on. Nothing is stored. Raises Invalid, Denied below admin."""
    actor.require(Role.ADMIN)
    _set_secret(server, header.strip(), secret.strip())


@transaction.atomic
def store_secret(actor: Actor, server: OutsideServer) -> None:
    server.save(update_fields=["header", "sealed", "last_characters"])
    audit.record(actor, "changed", server, header=server.header)


@transaction.atomic
def change_secret(actor: Actor, *, server: OutsideServer, header: str, secret: str) -> None:
    """Stores it untried; a job asks the server with it."""
    set_secret(actor, server=server, header=header, secret=secret)
    store_secret(actor, server)
    _ask(server)


@transaction.atomic
def list_again(actor: Actor, *, server: OutsideServer) -> None:
    actor.require(Role.ADMIN)
    _ask(server)


@transaction.atomic
def switch_tool(
    actor: Actor, *, tool: OutsideTool, is_on: bool, digest: str = "", only_fetches: bool | None = None
) -> OutsideTool:
    """On as the admin has seen it: `digest` names what that was. Raises Conflict when it has changed since."""
    actor.require(Role.ADMIN)
    tool = OutsideTool.objects.select_for_update().select_related("server").get(pk=tool.pk)
    if is_on and tool.digest != digest:
        raise Conflict(f"{tool.tool} has changed since you looked at it. Look at it again.")
    if is_on and (tool.problem or tool.gone_at):
        raise Invalid(tool.problem or f"{tool.server.name} lists {tool.name} no more.")
    tool.is_on = is_on
    if only_fetches is not None:
        tool.only_fetches = only_fetches
    if is_on:
        tool.seen_digest, tool.seen_at, tool.seen_by = tool.digest, timezone.now(), actor.user
    tool.save()
    audit.record(actor, "switched on" if is_on else "switched off", tool, tool=tool.tool, fetches=tool.only_fetches)
    return tool


def wake_listings() -> None:
    """For the scheduler: servers whose tools were not listed for long, or whose listing got lost."""
    now = timezone.now()
    due = Q(listed_at=None) | Q(listed_at__lt=now - LIST_AGAIN) | Q(listed_at__lt=F("asked_at"))
    waited = Q(asked_at=None) | Q(asked_at__lt=now - ASK_AGAIN)
    failing = Q(failure="") | Q(asked_at=None) | Q(asked_at__lt=now - LIST_AGAIN)
    jobs.wake(Job.LIST_OUTSIDE_TOOLS, OutsideServer.objects.filter(due, waited, failing).values_list("pk", flat=True))


def is_being_listed(server: OutsideServer) -> bool:
    """Whether an answer may come any moment: it was asked lately, and neither its tools nor a failure are there."""
    if server.asked_at is None or server.failure or timezone.now() - server.asked_at > LOOK_FOR:
        return False
    return server.listed_at is None or server.listed_at < server.asked_at


def _ask(server: OutsideServer) -> None:
    OutsideServer.objects.filter(pk=server.pk).update(asked_at=timezone.now(), failure="")
    jobs.enqueue(Job.LIST_OUTSIDE_TOOLS, server.pk)


def _check_name(name: str) -> str:
    name = " ".join("".join(sign if sign.isprintable() else " " for sign in name).split())
    if not name or len(name) > MAX_NAME:
        raise Invalid(f"A server's name has 1 to {MAX_NAME} letters.")
    return name


def _make_prefix(name: str) -> str:
    """Its letters and digits as names of tools have them."""
    prefix = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")[:MAX_PREFIX].strip("_")
    if not prefix:
        raise Invalid("A server's name needs some of the letters a to z or digits: its tools' names begin with them.")
    return prefix


def _require_operator(actor: Actor, command: str) -> None:
    if not actor.user.is_superuser:
        raise Denied("Only the operator adds a server by its command.")
    if command not in settings.OUTSIDE_MCP_COMMANDS:
        raise Invalid(f"OUTSIDE_MCP_COMMANDS names no {command[:60]}.")


def _set_secret(server: OutsideServer, header: str, secret: str) -> None:
    if not header and not secret:
        server.header = server.sealed = server.last_characters = ""
        return
    if not _HEADER.fullmatch(header) or header.lower() in _RESERVED or server.command:
        raise Invalid("Name a header for the secret, such as Authorization.")
    if not secret or len(secret) > MAX_SECRET or not (secret.isascii() and secret.isprintable()):
        raise Invalid(f"Enter the secret for {header}: plain letters, at most {MAX_SECRET:,}.")
    server.header, server.sealed = header, sealing.seal_key(secret)
    server.last_characters = secret[-4:] if len(secret) >= 12 else ""
