"""The tools of a server as rows: asked for by a job, and compared with what an admin has seen."""

from __future__ import annotations

import time
from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import User
from accounts.services import audit
from agent.models import OutsideServer, OutsideTool
from agent.outside import servers, sessions
from agent.outside.tool_texts import ListedTool, clean_description, clean_schema, make_tool_name
from kit import sanitize
from kit.errors import AppError, Invalid, Upstream
from kit.outbound.network import Network

NO_TOOLS = "It listed no tools."
TRY_SECONDS = 15


def try_server(server: OutsideServer, *, user: User, network: Network | None = None) -> list[ListedTool]:
    """The tools of a server that need not be stored. Raises an AppError for one that does not answer in TRY_SECONDS."""
    end = time.monotonic() + TRY_SECONDS

    def is_over() -> bool:
        return time.monotonic() > end

    exchange = sessions.converse(server, user=user, network=network, is_over=is_over)
    if exchange.failure and is_over():
        raise Upstream(f"The server did not answer as an MCP server does within {TRY_SECONDS} seconds.")
    if exchange.failure:
        raise exchange.failure
    if exchange.listed is None:
        raise Invalid(NO_TOOLS)
    return exchange.listed


def add_tried(
    actor: Actor, *, name: str, url: str, header: str = "", secret: str = "", network: Network | None = None
) -> tuple[OutsideServer, int]:
    """The server, and how many tools it has. Only one that answers is stored, with the tools that it listed just now.

    Raises what `try_server` and `servers.store_server` raise.
    """
    server = servers.build_server(actor, name=name, url=url, header=header, secret=secret)
    listed = try_server(server, user=actor.user, network=network)
    with transaction.atomic():
        servers.store_server(actor, server)
        store_listing(server, listed)
    return server, len(listed)


def change_tried_secret(
    actor: Actor, *, server: OutsideServer, header: str, secret: str, network: Network | None = None
) -> int:
    """Count the tools that the server lists with the secret, which is stored only when it does.

    Raises what `try_server` and `servers.set_secret` raise.
    """
    servers.set_secret(actor, server=server, header=header, secret=secret)
    listed = try_server(server, user=actor.user, network=network)
    with transaction.atomic():
        servers.store_secret(actor, server)
        store_listing(server, listed)
    return len(listed)


def run_listing(server_id: str, *, network: Network | None = None) -> None:
    """A server that fails says so on its row; its tools stay as they were."""
    server = OutsideServer.objects.select_related("organization").filter(pk=server_id).first()
    if server is None:
        return
    OutsideServer.objects.filter(pk=server_id).update(asked_at=timezone.now())
    try:
        exchange = sessions.converse(server, user=None, network=network)
    except AppError as error:
        _fail(server_id, error.sentence)
        return
    if exchange.failure or exchange.listed is None:
        _fail(server_id, exchange.failure.sentence if exchange.failure else NO_TOOLS)
        return
    store_listing(server, exchange.listed)


def _fail(server_id: str, sentence: str) -> None:
    OutsideServer.objects.filter(pk=server_id).update(failure=sanitize.strip_invisible(sentence)[:300])


@transaction.atomic
def store_listing(server: OutsideServer, listed: Sequence[ListedTool]) -> None:
    """What is new is off; what has changed is switched off until an admin has seen it; what is gone stays named."""
    locked = OutsideServer.objects.select_for_update().filter(pk=server.pk).first()
    if locked is None:
        return
    rows = {row.name: row for row in OutsideTool.objects.filter(server=locked)}
    for each in listed:
        name = sanitize.text(each.name)
        _store_tool(locked, rows.pop(name) if name in rows else OutsideTool(server=locked, name=name), each)
    for row in rows.values():
        if row.seen_at is None:
            row.delete()
        elif row.gone_at is None:
            OutsideTool.objects.filter(pk=row.pk).update(gone_at=timezone.now(), is_on=False)
            audit.record_outside(None, "switched off", row, organization=locked.organization, tool=row.tool, why="gone")
    OutsideServer.objects.filter(pk=locked.pk).update(failure="", listed_at=timezone.now())


def _store_tool(server: OutsideServer, row: OutsideTool, listed: ListedTool) -> None:
    if row.digest == listed.digest and row.gone_at is None:
        return
    was_on, is_new = row.is_on, not row.digest
    row.tool = make_tool_name(server.prefix, row.name)
    row.description, row.problem = clean_description(listed.description), ""
    try:
        row.parameters = clean_schema(listed.schema)
    except Invalid as error:
        row.parameters, row.problem = {"type": "object", "properties": {}, "required": []}, error.sentence[:300]
    row.digest, row.is_on, row.gone_at = listed.digest, False, None
    row.revision += 0 if is_new else 1
    row.save()
    if was_on:
        audit.record_outside(None, "switched off", row, organization=server.organization, tool=row.tool, why="changed")
