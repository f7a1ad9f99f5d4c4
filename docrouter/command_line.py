"""The command `docrouter`, and `manage.py` in a checkout."""

from __future__ import annotations

import os
import sys
from importlib import import_module

import django
from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line

from kit.processes.imports import leave_out, pause_collection

# REST framework has fields and renderers for these, which are not used here: psycopg, on SQLite too, and highlighting.
UNUSED_BY_REST_FRAMEWORK = ("django.contrib.postgres.fields", "pygments")


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "docrouter.settings")
    try:
        with pause_collection():
            with leave_out(*UNUSED_BY_REST_FRAMEWORK):
                import_module("rest_framework.compat")
            django.setup()
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        # The sentence names the setting; the way to it would bury that.
        sys.exit(str(error))
