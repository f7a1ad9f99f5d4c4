"""The index on SQLite: FTS5, which gets terms that are ready, parted by spaces.

https://www.sqlite.org/fts5.html. Its `ascii` tokenizer takes every letter beyond ASCII for a part of a word, so that
each term of ours is one of its tokens. A row of its table has the key of its IndexedPage as rowid, an INTEGER PRIMARY
KEY, which no VACUUM and no rebuilt table changes.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence

from django.db import DatabaseError, connection, transaction

from documents.index.words.expressions import Expression, Group, Match, PageTerms, Phrase, Selection
from documents.models import IndexedPage, Reading
from kit.rows.locks import is_lock_failure

TABLE = "documents_pageterms"
# Stands between runs, where no phrase may go on.
_BREAK = "_"
_SELECT = f"""
    SELECT page.id, page.document_id, page.reading_id, page.number, -bm25({TABLE})
    FROM {TABLE} CROSS JOIN documents_indexedpage page ON page.id = {TABLE}.rowid
    WHERE {TABLE} MATCH %s AND page.organization_id = %s
"""  # noqa: S608 - the table's name alone


def write_pages(code: str, reading: Reading, organization_id: str, pages: Sequence[PageTerms]) -> None:
    rows = IndexedPage.objects.bulk_create(
        IndexedPage(
            organization_id=organization_id,
            document_id=reading.document_id,
            reading=reading,
            number=page.number,
            part=page.part,
        )
        for page in pages
    )
    texts = [(row.pk, _join_runs(code, page)) for row, page in zip(rows, pages, strict=True)]
    with connection.cursor() as cursor:
        cursor.executemany(f"INSERT INTO {TABLE} (rowid, terms) VALUES (%s, %s)", texts)  # noqa: S608


def delete_pages(keys: Sequence[int]) -> None:
    with connection.cursor() as cursor:
        cursor.executemany(f"DELETE FROM {TABLE} WHERE rowid = %s", [(key,) for key in keys])  # noqa: S608
    IndexedPage.objects.filter(pk__in=keys).delete()


def match_pages(
    code: str,
    organization_id: str,
    expression: Expression,
    *,
    document_ids: Collection[str] | None,
    before: int | None,
    limit: int,
) -> list[Match]:
    """Those written last come first. `before`: only keys below it."""
    sql, parameters = _SELECT, [_format_expression(code, expression), organization_id]
    if document_ids is not None:
        sql += " AND page.document_id IN (SELECT value FROM json_each(%s))"
        parameters.append(json.dumps(sorted(document_ids)))
    if before is not None:
        sql += f" AND {TABLE}.rowid < %s"
        parameters.append(str(before))
    with connection.cursor() as cursor:
        cursor.execute(f"{sql} ORDER BY {TABLE}.rowid DESC LIMIT {limit:d}", parameters)
        return [Match(*row) for row in cursor.fetchall()]


def has_page(code: str, organization_id: str, expression: Expression) -> bool:
    selection = format_selection(code, organization_id, expression)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT EXISTS ({selection.sql})", selection.parameters)
        return bool(cursor.fetchone()[0])


def has_terms(code: str, key: int, page: PageTerms) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT terms FROM {TABLE} WHERE rowid = %s", [key])  # noqa: S608
        return bool(cursor.fetchall() == [(_join_runs(code, page),)])


def list_orphans() -> list[int]:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT rowid FROM {TABLE} WHERE rowid NOT IN (SELECT id FROM documents_indexedpage)")  # noqa: S608
        return [key for (key,) in cursor.fetchall()]


def is_sound() -> bool:
    """https://www.sqlite.org/fts5.html#the_integrity_check_command."""
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"INSERT INTO {TABLE} ({TABLE}) VALUES ('integrity-check')")  # noqa: S608
    except DatabaseError as error:
        if is_lock_failure(error):
            raise
        return False
    return True


def rebuild() -> None:
    """https://www.sqlite.org/fts5.html#the_rebuild_command."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"INSERT INTO {TABLE} ({TABLE}) VALUES ('rebuild')")  # noqa: S608


def format_selection(code: str, organization_id: str, expression: Expression) -> Selection:
    """The terms carry the organization."""
    sql = f"SELECT rowid FROM {TABLE} WHERE {TABLE} MATCH %s"  # noqa: S608
    return Selection(sql, [_format_expression(code, expression)])


def _join_runs(code: str, page: PageTerms) -> str:
    return f" {_BREAK} ".join(" ".join(f"{code}_{term}" for term in run) for run in page.runs)


def _format_expression(code: str, expression: Expression) -> str:
    sign = " AND " if expression.needs_all else " OR "
    text = sign.join(_format_group(code, group) for group in expression.groups)
    if expression.optional:
        ranked = " OR ".join(_format_group(code, group) for group in (*expression.groups, *expression.optional))
        text = f"({text}) AND ({ranked})"
    excluded = " OR ".join(_format_group(code, group) for group in expression.excluded)
    return f"({text}) NOT ({excluded})" if excluded else text


def _format_group(code: str, group: Group) -> str:
    return f"({' OR '.join(_format_phrase(code, phrase) for phrase in group)})"


def _format_phrase(code: str, phrase: Phrase) -> str:
    """Terms are letters and digits, so that nothing has to be escaped."""
    terms = " ".join(f"{code}_{term}" for term in phrase.terms)
    return f'"{terms}"{" *" * phrase.is_prefix}'
