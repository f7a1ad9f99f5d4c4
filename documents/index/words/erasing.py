"""Letting go of the words of what was deleted for good: FTS5 keeps them until it merges the parts of its index."""

from __future__ import annotations

from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper

from documents.index.words.sqlite import TABLE

# Of 4 kB each; written in one transaction, in a tenth of a second or so.
BLOCKS_A_STEP = 500
STEPS = 10
# At the start as well: the process before may have been killed before it came to it.
_left = {TABLE}


def note_deletion() -> None:
    _left.add(TABLE)


def erase_words() -> bool:
    """Some steps of it; False while there is more to do. PostgreSQL's own vacuum sees to its rows."""
    if connection.vendor != "sqlite" or not _left:
        return True
    if any(_merge_some() for _ in range(STEPS)):
        _left.clear()
    return not _left


@transaction.atomic
def _merge_some() -> bool:
    """Whether nothing was left to do: https://www.sqlite.org/fts5.html#the_merge_command."""
    with connection.cursor() as cursor:
        before = _count_changes(cursor)
        cursor.execute(f"INSERT INTO {TABLE} ({TABLE}, rank) VALUES ('merge', %s)", [-BLOCKS_A_STEP])  # noqa: S608
        return _count_changes(cursor) - before < 2


def _count_changes(cursor: CursorWrapper) -> int:
    cursor.execute("SELECT total_changes()")
    return int(cursor.fetchone()[0])
