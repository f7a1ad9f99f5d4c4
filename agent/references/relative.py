"""Objects meant by their place or by the talk before: the second one, the last invoice, that supplier."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from django.db.models import Model, Q, QuerySet

from agent.models import FocusItem
from agent.references.candidates import VALUE, Asker, Candidate, Resolution
from documents import extractions
from documents.find.filters.box import match_words
from documents.index.values.indexing import find_written
from documents.models import CurrentValue, Document, DocumentType, Tag
from kit.rows.models import fold_case
from printed.references.reference_words import ReferenceWords, find_field, list_type_words

DOCUMENT, OTHER = "document", "other"
NO_LIST = "No list was named before, so nothing says which is meant."
NOT_KEPT = "The list had {size} entries, of which {kept} are still in focus. Name the one that is meant."
NO_FOCUS = "Nothing of that kind was named, opened or changed before in this conversation."
NO_VALUE = "The documents spoken of have no value for “{noun}”."


def find_relative(asker: Asker, words: ReferenceWords) -> Resolution:
    kind = words.kind or DOCUMENT
    if words.field:
        return _find_values(asker, words) if VALUE in asker.kinds and not asker.in_trash else Resolution()
    is_bare = kind == DOCUMENT and bool(words.kind) and not words.rest
    if kind not in asker.kinds or not (words.says_which or is_bare):
        return Resolution()
    return _find(asker, kind, words)


def _find(asker: Asker, kind: str, words: ReferenceWords) -> Resolution:
    if words.position:
        return _take_from_list(asker, kind, words, words.position)
    if not (words.is_latest or words.is_earliest):
        return _find_in_focus(asker, kind, words)
    if not words.kind and not words.rest and asker.listed:
        return _take_from_list(asker, kind, words, -1 if words.is_latest else 1)
    direction, sign = ("newest", "-") if words.is_latest else ("oldest", "")
    rows = _narrow(asker, kind, words, asker.documents if kind == DOCUMENT else asker.list_rows(kind))
    row = rows.order_by(f"{sign}created_at", f"{sign}pk").first()
    if row is None:
        return Resolution()
    why = f"the {direction} {_describe_row(kind, words, row)}, added {row.created_at:%Y-%m-%d}"  # type: ignore[attr-defined]
    return Resolution([Candidate(kind, row.pk, str(row), why)])


def _take_from_list(asker: Asker, kind: str, words: ReferenceWords, position: int) -> Resolution:
    """The list that one call or message named, in its order; -1 is its end."""
    listed = asker.listed
    if not listed:
        return Resolution(note=NO_LIST)
    size, fitting = listed[0].list_size, _list_fitting(asker, kind, words, listed)
    not_kept = Resolution(note=NOT_KEPT.format(size=size, kept=len(listed)))
    if fitting == listed:
        by_position = {item.position: item for item in listed}
    elif len(listed) == size:
        size, by_position = len(fitting), dict(enumerate(fitting, 1))
    else:  # which of those that fit comes when, only the whole list would tell
        return not_kept
    at = size if position == -1 else position
    if at in by_position:
        return Resolution([_describe_item(by_position[at], f"number {at} of the {size} that were named together")])
    return not_kept if at <= size else Resolution()


def _find_in_focus(asker: Asker, kind: str, words: ReferenceWords) -> Resolution:
    """The thread's own document, and what was named last; a whole list where that was one."""
    items = _list_fitting(asker, kind, words, asker.focus)
    newest = [item for item in items if item.named_at == items[0].named_at]
    candidates = {_get_id(item): _describe_item(item, f"{item.how} last in this conversation") for item in newest}
    own = asker.thread.document
    if own and kind == DOCUMENT and own in _narrow(asker, kind, words, asker.list_rows(kind)):
        candidates = {own.pk: Candidate(kind, own.pk, own.name, "the document of this thread"), **candidates}
    return Resolution(list(candidates.values()), note="" if candidates else NO_FOCUS)


def _list_fitting(asker: Asker, kind: str, words: ReferenceWords, items: Sequence[FocusItem]) -> list[FocusItem]:
    of_kind = [item for item in items if item.kind == kind]
    rows = _narrow(asker, kind, words, asker.list_rows(kind).filter(pk__in=[_get_id(item) for item in of_kind]))
    ids = set(rows.values_list("pk", flat=True)) if of_kind else set()
    return [item for item in of_kind if _get_id(item) in ids]


def _narrow(asker: Asker, kind: str, words: ReferenceWords, rows: QuerySet[Model]) -> QuerySet[Model]:
    if kind != DOCUMENT:
        for word in words.rest:
            rows = rows.filter(name_folded__contains=word)
        return rows
    rows = rows.filter(_is_of_type(asker, words)) if words.type else rows
    return rows.filter(match_words(asker.actor, " ".join(words.rest))) if words.rest else rows


def _is_of_type(asker: Asker, words: ReferenceWords) -> Q:
    """Documents of the type; and among those that have none, whose name or tag says it."""
    organization = asker.actor.organization
    types = DocumentType.objects.for_org(organization).filter(Q(key=words.type) | Q(name_folded=words.noun))
    names = {words.noun, *(() if words.type == OTHER else list_type_words(words.type))}
    says_type = Q()
    for name in sorted(map(fold_case, names)):
        says_type |= Q(name_folded__contains=name)
    ties = Document.tags.through.objects.filter(tag__in=Tag.objects.for_org(organization).filter(says_type))
    named = says_type | Q(pk__in=ties.values("document_id"))
    return Q(document_type__in=types) | Q(document_type=None) & named


def _describe_row(kind: str, words: ReferenceWords, row: Model) -> str:
    """Its kind, and how it is known that it fits the words."""
    says = ""
    if words.type and isinstance(row, Document):
        document_type = row.document_type
        says = f" of the type “{document_type}”" if document_type else f" whose name or tag says “{words.noun}”"
    has = f"{' and' if says else ''} that has “{' '.join(words.rest)}”" if words.rest else ""
    return f"{kind}{says}{has}"


def _find_values(asker: Asker, words: ReferenceWords) -> Resolution:
    """The values of the field that the documents spoken of have; the same value of several is one candidate."""
    about = _find(asker, DOCUMENT, replace(words, field="", type="", kind=""))
    by_value: dict[str, Candidate] = {}
    for each in about.candidates:
        for candidate in _list_values(asker, each, words):
            by_value.setdefault(str(candidate.value), candidate)
    if by_value or about.note:
        return Resolution(list(by_value.values()), note=about.note)
    return Resolution(note=NO_VALUE.format(noun=words.noun) if about.candidates else "")


def _list_values(asker: Asker, about: Candidate, words: ReferenceWords) -> Iterator[Candidate]:
    rows = CurrentValue.objects.filter(document=about.row_id, row="").exclude(text="").select_related("document")
    for value in rows.order_by("path", "pk"):
        if find_field(value.path) != words.field:
            continue
        run = extractions.get_newest_or_summary(value.document)
        written = find_written(run.current, value.path, value.text) if run else value.text
        yield Candidate(
            VALUE, about.row_id, about.name, f"{value.path} of {about.name}: {about.why}", value.path, written
        )


def _describe_item(item: FocusItem, why: str) -> Candidate:
    return Candidate(item.kind, _get_id(item), str(item.object), why)


def _get_id(item: FocusItem) -> str:
    return item.object.pk if item.object else ""
