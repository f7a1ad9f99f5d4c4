"""The command `docrouter`, and `manage.py` in a checkout."""

from __future__ import annotations

import os
import sys

import django
from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line

from kit.processes.imports import pause_collection


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "docrouter.settings")
    try:
        with pause_collection():
            django.setup()
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        # The sentence names the setting; the way to it would bury that.
        sys.exit(str(error))
