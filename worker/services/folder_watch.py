"""A worker whose folder of files is no longer that of the others ends, so that it takes no work and tells why."""

from __future__ import annotations

import logging
import os
import signal

from django.db import Error as DatabaseError

from documents.storage import data_folder
from kit.rows.connections import release_connection

log = logging.getLogger(__name__)


def end_without_files() -> bool:
    """Whether it asks this process to end. A database that is away says nothing about the folder."""
    try:
        sentence = data_folder.explain_mismatch()
    except (DatabaseError, OSError) as error:
        log.warning("the folder of files was not compared: %s", error)
        return False
    finally:
        release_connection()
    if sentence:
        log.error("%s This process ends.", sentence)
        os.kill(os.getpid(), signal.SIGTERM)
    return bool(sentence)
