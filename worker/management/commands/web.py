"""`manage.py web`: the pages, the API and the sockets."""

from __future__ import annotations

from typing import Any

from daphne.cli import CommandLineInterface
from django.conf import settings
from django.core.management import BaseCommand

from worker.supervision.children import watch_supervisor


class Command(BaseCommand):
    help = "Serves pages, API and sockets on BIND and PORT."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        watch_supervisor()
        interface = settings.BIND.replace(":", r"\:")
        # Twisted's own backlog is 50: of 150 connections that came at once a third were reset.
        endpoint = f"tcp:port={settings.PORT}:interface={interface}:backlog=1024"
        CommandLineInterface().run(["-e", endpoint, "-v", "0", "--no-server-name", "docrouter.asgi:application"])
