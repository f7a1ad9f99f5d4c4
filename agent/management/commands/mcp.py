"""MCP over stdio, for a client that starts its servers itself. Nothing but the protocol is written to stdout."""

from __future__ import annotations

import os

import anyio
from django.core.management.base import BaseCommand, CommandError
from mcp.server.stdio import stdio_server

from agent.mcp import callers
from agent.mcp.server import build_server
from agent.mcp.stdio_lines import BoundedLines, claim_stdin
from kit.errors import AppError

TOKEN = "DOCROUTER_TOKEN"  # noqa: S105 - the name of a variable


class Command(BaseCommand):
    help = f"Serves MCP over stdin and stdout, as the user of the access token in {TOKEN}."

    def handle(self, *args: object, **options: object) -> None:
        secret = os.environ.get(TOKEN, "").strip()
        if not secret:
            raise CommandError(f"{TOKEN}: put an access token of an organization there.")
        try:
            callers.enter_by_secret(secret)
        except AppError as error:
            raise CommandError(f"{TOKEN}: {error.sentence}") from None
        anyio.run(_serve, secret)


async def _serve(secret: str) -> None:
    server, lines = build_server(secret), BoundedLines(claim_stdin())
    async with stdio_server(stdin=lines) as (read, write):  # type: ignore[arg-type]  # it is only iterated over
        lines.answers = write
        await server.run(read, write, server.create_initialization_options())
