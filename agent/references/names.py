"""Objects by id, address or name, which are exact; and names that are only alike."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches
from urllib.parse import urlsplit

from django.conf import settings
from django.db.models import Model, QuerySet
from django.urls import Resolver404, resolve

from agent.focus import REVISIONS
from agent.models import ReadingAlias
from agent.references.candidates import Asker, Candidate
from kit.ids import is_id
from kit.rows.models import fold_case
from printed.references.reference_words import parse_reference

BY_NAME = "its name"
MAX_NAMES = 500
MAX_SAME = 20
MIN_LIKENESS = 0.5
MAX_ALIKE = 3
_ALIAS = re.compile(r"\[?D([1-9]\d{0,4})\]?")
_LABEL = re.compile(r"(?P<name>.+) v(?P<number>[1-9]\d{0,5})")


def find_by_id(asker: Asker, text: str) -> list[Candidate]:
    if not is_id(text):
        return []
    rows = [
        Candidate(kind, row.pk, str(row), "its id")
        for kind in _list_kinds(asker)
        for row in asker.list_rows(kind).filter(pk=text)
    ]
    return rows or [each for kind in _list_kinds(asker) for each in _find_revision(asker, kind, pk=text)]


def find_by_alias(asker: Asker, text: str) -> list[Candidate]:
    """The document of a short name of the thread, such as D3; beside others that are called so."""
    alias = _ALIAS.fullmatch(text)
    if alias is None or "document" not in asker.kinds:
        return []
    readings = ReadingAlias.objects.filter(thread=asker.thread, number=int(alias[1])).values("reading")
    rows = asker.documents.filter(readings__in=readings)
    meant = [Candidate("document", row.pk, str(row), "its short name here") for row in rows]
    ids = [each.row_id for each in meant]
    return [*meant, *(each for each in find_by_name(asker, text) if each.row_id not in ids)] if meant else []


def find_by_address(asker: Asker, text: str) -> list[Candidate]:
    """The object that an address of this installation shows. Another organization's shows none."""
    if "/" not in text or " " in text:
        return []
    try:
        parts = urlsplit(text)
        named = resolve(parts.path).kwargs
    except (ValueError, Resolver404):
        return []
    if parts.netloc and parts.netloc.casefold() != urlsplit(settings.PUBLIC_URL).netloc.casefold():
        return []
    if named.get("org_id", named.get("organization_id")) != asker.actor.organization.pk:
        return []
    ids = ((kind, named.get(f"{kind}_id")) for kind in _list_kinds(asker))
    return [
        Candidate(kind, row.pk, str(row), "its address")
        for kind, row_id in ids
        if is_id(row_id)
        for row in asker.list_rows(kind).filter(pk=row_id)
    ]


def find_by_name(asker: Asker, text: str) -> list[Candidate]:
    """Newest first. A name goes before a version of one, and that before a name without the ending of its file."""
    name = fold_case(" ".join(text.split()).strip("\"'“”„«» ").removeprefix("@"))
    if not name:
        return []
    named = [
        Candidate(kind, row.pk, str(row), BY_NAME)
        for kind in _list_kinds(asker)
        for row in _newest(asker.list_rows(kind).filter(name_folded=name))
    ]
    return named or _find_version(asker, name) or _find_of_kind(asker, text) or _find_stem(asker, name)


def find_alike(asker: Asker, text: str) -> list[Candidate]:
    """Names that hold the text or read nearly like it."""
    return [
        Candidate(kind, row_id, name, "its name is like it")
        for kind in _list_kinds(asker)
        for name, row_id in find_similar(asker.list_rows(kind), text)
    ]


def find_similar(rows: QuerySet[Model], text: str) -> list[tuple[str, str]]:
    """The names among the newest rows that are nearest to the text, with their ids."""
    folded = fold_case(text)
    newest = _newest(rows.select_related(None).prefetch_related(None), MAX_NAMES).values_list("name", "pk")
    by_folded = {fold_case(name): (name, row_id) for name, row_id in reversed(newest)}
    inside = [name for name in sorted(by_folded, key=len) if folded in name]
    close = get_close_matches(folded, list(by_folded), MAX_ALIKE, MIN_LIKENESS)
    return [by_folded[name] for name in dict.fromkeys([*inside, *close])][:MAX_ALIKE]


def _list_kinds(asker: Asker) -> list[str]:
    return [kind for kind in asker.kinds if kind != "value"]


def _newest(rows: QuerySet[Model], maximum: int = MAX_SAME) -> QuerySet[Model]:
    return rows.order_by("-created_at", "-pk")[:maximum]


def _find_version(asker: Asker, name: str) -> list[Candidate]:
    """A schema or prompt by its label, as mentions write it: Invoice v3."""
    label = _LABEL.fullmatch(name)
    if label is None:
        return []
    named = {"number": int(label["number"])}
    return [
        each
        for kind in _list_kinds(asker)
        for each in _find_revision(asker, kind, **named, **{f"{kind}__name_folded": label["name"]})
    ]


def _find_revision(asker: Asker, kind: str, **named: object) -> Iterator[Candidate]:
    if kind not in REVISIONS:
        return
    rows = REVISIONS[kind].objects.filter(**named, **{f"{kind}__in": asker.list_rows(kind)}).select_related(kind)
    for row in rows[:MAX_SAME]:
        head = getattr(row, kind)
        yield Candidate(kind, head.pk, str(head), f"its version {row.number}", revision_id=row.pk)


def _find_of_kind(asker: Asker, text: str) -> list[Candidate]:
    """A schema, prompt or tag with the word for it: the Invoice schema."""
    words = parse_reference(text)
    if words.kind not in _list_kinds(asker) or words.kind == "document" or words.says_which or not words.rest:
        return []
    rows = _newest(asker.list_rows(words.kind).filter(name_folded=" ".join(words.rest)))
    return [Candidate(words.kind, row.pk, str(row), f"a {words.kind} of this name") for row in rows]


def _find_stem(asker: Asker, name: str) -> list[Candidate]:
    if "document" not in asker.kinds or "." in name:
        return []
    rows = _newest(asker.list_rows("document").filter(name_folded__startswith=f"{name}."))
    same = [row for row in rows if fold_case(str(row)).rpartition(".")[0] == name]
    return [Candidate("document", row.pk, str(row), "its name without the ending") for row in same]
