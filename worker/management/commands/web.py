"""`manage.py web`: the pages, the API and the sockets."""

from __future__ import annotations

import logging

from daphne.cli import CommandLineInterface
from django.conf import settings
from django.core.management import BaseCommand
from django.db import connection
from django.urls import get_resolver

from accounts.services import first_run
from documents.storage.data_folder import ForeignFolder
from kit.processes.imports import pause_collection
from kit.static_files.collecting import collect_changed
from worker.supervision import preparation
from worker.supervision.children import is_supervised, watch_supervisor
from worker.web.requests import BoundedServer

# A page says hello and no more.
MAX_MESSAGE_BYTES = 16 * 1024
log = logging.getLogger(__name__)


class Interface(CommandLineInterface):  # type: ignore[misc]  # daphne has no types
    server_class = BoundedServer


def _prepare() -> None:
    """Without the files of the others it serves pages, takes no file, and `/ready` names the reason."""
    collect_changed()
    try:
        preparation.prepare_process()
    except ForeignFolder as error:
        log.error("%s", error)
    first_run.prepare()
    connection.close()


class Command(BaseCommand):
    help = "Serves pages, API and sockets on BIND and PORT."
    requires_system_checks: list[str] = []

    def handle(self, *args: object, **options: object) -> None:
        watch_supervisor()
        if not is_supervised():  # there `up` has done it
            _prepare()
        interface = settings.BIND.replace(":", r"\:")
        # Twisted's own backlog is 50: of 150 connections that came at once a third were reset.
        endpoint = f"tcp:port={settings.PORT}:interface={interface}:backlog=1024"
        with pause_collection():
            get_resolver().url_patterns  # noqa: B018 - the first body would wait while the addresses are loaded
        sizes = [f"--websocket-max-{what}-size={MAX_MESSAGE_BYTES}" for what in ("message", "frame")]
        Interface().run(["-e", endpoint, "-v", "0", "--no-server-name", *sizes, "docrouter.asgi:application"])
