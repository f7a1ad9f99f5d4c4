"""Ids that no model needs: of documents beside their names, of what a list names, and of what no tool takes.

A call names rows by their names. Where two rows of one result share a name, their ids stay; where others do, the tool
that is called with the name answers with the ids. The definition that a call has made or changed keeps its ids, which
name the version.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kit.ids import is_id
from kit.json_types import Json, JsonObject

NAMED_BY = {
    "document_id": ("document_name", "document", "filename", "name"),
    "schema_id": ("schema_name", "schema", "name"),
    "schema_revid": ("schema_name", "schema", "name"),
    "prompt_id": ("prompt_name", "prompt", "name"),
    "prompt_revid": ("prompt_name", "prompt", "name"),
    "tag_id": ("tag_name", "tag", "name"),
}
TAKEN_BY_NONE = ("extraction_id", "edit_id", "wish_id", "reading_id")


def hide_ids(result: Mapping[str, object]) -> dict[str, object]:
    """Leave such ids out."""
    names: dict[tuple[str, str], set[str]] = {}
    for key, name, row_id in _list_named(result):
        names.setdefault((key, name), set()).add(row_id)
    shared = {each for each, ids in names.items() if len(ids) > 1}
    kept = {key: each for key, each in result.items() if key in NAMED_BY and key != "document_id"}
    hidden: JsonObject = _hide({key: each for key, each in result.items() if key not in kept}, shared)
    return {key: kept.get(key, hidden.get(key)) for key in result if key in kept or key in hidden}


def _hide(value: Json, shared: set[tuple[str, str]]) -> Json:
    if isinstance(value, list):
        return [_hide(each, shared) for each in value]
    if not isinstance(value, dict):
        return value
    return {key: _hide(each, shared) for key, each in value.items() if not _is_needless(value, key, shared)}


def _is_needless(row: JsonObject, key: str, shared: set[tuple[str, str]]) -> bool:
    if not is_id(str(row[key])):
        return False
    name = _find_name(row, key)
    return key in TAKEN_BY_NONE or bool(name and (key, name) not in shared)


def _find_name(row: JsonObject, key: str) -> str:
    names = (row.get(each) for each in NAMED_BY.get(key, ()))
    return next((name for name in names if isinstance(name, str) and name and not is_id(name)), "")


def _list_named(value: Json) -> Iterator[tuple[str, str, str]]:
    if isinstance(value, dict):
        yield from (
            (key, name, str(value[key])) for key in NAMED_BY if key in value and (name := _find_name(value, key))
        )
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _list_named(each)
