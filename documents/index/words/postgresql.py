"""The index on PostgreSQL: a `tsvector` of terms that are ready, with a GIN index; no extension and no dictionary.

https://www.postgresql.org/docs/current/datatype-textsearch.html. Text cast to the type is not parsed: it is a list of
lexemes with their places.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence

from django.db import connection

from documents.index.words.expressions import Expression, Group, Match, PageTerms, Phrase, Selection
from documents.models import IndexedPage, Reading

_INSERT = """
    INSERT INTO documents_indexedpage (organization_id, document_id, reading_id, number, part, terms)
    VALUES (%s, %s, %s, %s, %s, %s::tsvector)
"""
_COLUMNS = "id, document_id, reading_id, number"
# How many of the groups a page has, then how often and in how long a text: less than one.
_RANK = "ts_rank(terms, %s::tsquery, 1)"
_HAS = "(terms @@ %s::tsquery)::int"
# A lexeme has no more places than this (the manual, 12.11); a cast drops the others.
_MAX_PLACES = 255


def write_pages(code: str, reading: Reading, organization_id: str, pages: Sequence[PageTerms]) -> None:
    rows = [
        (organization_id, reading.document_id, reading.pk, page.number, page.part, _format_vector(code, page))
        for page in pages
    ]
    with connection.cursor() as cursor:
        cursor.executemany(_INSERT, rows)


def delete_pages(keys: Sequence[int]) -> None:
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
    groups = [_format_group(code, group) for group in (*expression.groups, *expression.optional)]
    counted = groups[len(expression.groups) if expression.needs_all else 0 :]
    ranks = [_RANK, *[_HAS] * len(counted)]
    parameters: list[str | int | list[str]] = [" | ".join(groups), *counted]
    sql = f"SELECT {_COLUMNS}, {' + '.join(ranks)} FROM documents_indexedpage"  # noqa: S608
    sql += " WHERE organization_id = %s AND terms @@ %s::tsquery"
    parameters += [organization_id, _format_expression(code, expression)]
    if document_ids is not None:
        sql += " AND document_id = ANY(%s)"
        parameters.append(list(document_ids))
    if before is not None:
        sql += " AND id < %s"
        parameters.append(before)
    with connection.cursor() as cursor:
        cursor.execute(f"{sql} ORDER BY id DESC LIMIT {limit:d}", parameters)
        return [Match(*row) for row in cursor.fetchall()]


def has_page(code: str, organization_id: str, expression: Expression) -> bool:
    """Materialized, so that the GIN index is used: PostgreSQL takes a word that it does not know for one of many pages,
    and would walk along all of them to the first that has it."""
    selection = format_selection(code, organization_id, expression)
    with connection.cursor() as cursor:
        cursor.execute(
            f"WITH matches AS MATERIALIZED ({selection.sql}) SELECT EXISTS (SELECT 1 FROM matches)",  # noqa: S608
            selection.parameters,
        )
        return bool(cursor.fetchone()[0])


def has_terms(code: str, key: int, page: PageTerms) -> bool:
    with connection.cursor() as cursor:
        sql = "SELECT 1 FROM documents_indexedpage WHERE id = %s AND terms = %s::tsvector"
        cursor.execute(sql, [key, _format_vector(code, page)])
        return cursor.fetchone() is not None


def list_orphans() -> list[int]:
    """Terms stand in the row of the page."""
    return []


def is_sound() -> bool:
    """Its indexes are checked by its own tools, such as amcheck."""
    return True


def rebuild() -> None:
    """REINDEX does it."""


def format_selection(code: str, organization_id: str, expression: Expression) -> Selection:
    sql = "SELECT id FROM documents_indexedpage WHERE organization_id = %s AND terms @@ %s::tsquery"
    return Selection(sql, [organization_id, _format_expression(code, expression)])


def _format_vector(code: str, page: PageTerms) -> str:
    """Terms are letters and digits, so that nothing has to be escaped. A place is left out between runs."""
    places: defaultdict[str, list[int]] = defaultdict(list)
    place = 0
    for run in page.runs:
        for term in run:
            place += 1
            places[term].append(place)
        place += 1
    return " ".join(f"'{code}_{term}':{','.join(map(str, at[:_MAX_PLACES]))}" for term, at in places.items())


def _format_expression(code: str, expression: Expression) -> str:
    sign = " & " if expression.needs_all else " | "
    text = sign.join(_format_group(code, group) for group in expression.groups)
    excluded = " | ".join(_format_group(code, group) for group in expression.excluded)
    return f"({text}) & !({excluded})" if excluded else text


def _format_group(code: str, group: Group) -> str:
    return f"({' | '.join(_format_phrase(code, phrase) for phrase in group)})"


def _format_phrase(code: str, phrase: Phrase) -> str:
    terms = " <-> ".join(f"'{code}_{term}'" for term in phrase.terms)
    return f"({terms}{':*' * phrase.is_prefix})"
