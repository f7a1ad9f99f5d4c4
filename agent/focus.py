"""The focus of a thread: the last five objects that its messages and calls named, opened or changed.

Each turn keeps its own five beside the five from before it, so that what a model reads of the focus stays the same
until its turn ends: what the turn itself named stands in its own messages.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from django.db.models import Model, Q, QuerySet
from django.utils import timezone

from agent.models import FocusItem, Thread, Turn
from agent.toolkit.registry import Result, Tool
from agent.toolkit.signatures import Arguments
from agent.toolkit.tool_kinds import ABOUT_DOCUMENTS, Category
from documents.models import Document, Prompt, PromptRevision, Schema, SchemaRevision, Tag
from kit.ids import is_id
from kit.rows.fixed_select import FixedSelect

MAX_ITEMS = 5
MODELS: Mapping[str, type[Document] | type[Schema] | type[Prompt] | type[Tag]] = {
    "document": Document,
    "schema": Schema,
    "prompt": Prompt,
    "tag": Tag,
}
REVISIONS: Mapping[str, type[SchemaRevision] | type[PromptRevision]] = {
    "schema": SchemaRevision,
    "prompt": PromptRevision,
}
_NAMED_BY = {
    "document": ("document_id", "document", "with_document", "documents", "document_ids"),
    "schema": ("schema_id", "schema_revid"),
    "prompt": ("prompt_id", "prompt_revid"),
    "tag": ("tag_id", "tag_ids", "add_tags", "remove_tags"),
}
_IN_SIGHT = (
    Q(document=None) | Q(document__trashed_at=None),
    Q(schema=None) | Q(schema__trashed_at=None),
    Q(prompt=None) | Q(prompt__trashed_at=None),
)


class NamedObject(NamedTuple):
    """`kind` is document, schema, prompt or tag; `row_id` may be that of a revision."""

    kind: str
    row_id: str


def list_items(thread: Thread, *, before: Turn | None = None) -> list[FocusItem]:
    """Newest first, each object once, without what lies in the trash. `before`: as it was when this turn began."""
    rows = _select_items.list(thread.pk)
    return _take_newest(row for row in rows if before is None or row.turn_id != before.pk)


def list_besides_document(thread: Thread, *, before: Turn | None = None) -> list[FocusItem]:
    """Leave out the thread's own document, which needs no mention."""
    items = list_items(thread, before=before)
    return [item for item in items if item.document_id is None or item.document_id != thread.document_id]


@FixedSelect
def _select_items(thread: str) -> QuerySet[FocusItem]:
    rows = FocusItem.objects.filter(*_IN_SIGHT, thread=thread)
    return rows.select_related("document", "schema", "prompt", "tag").order_by("-named_at", "position", "pk")


def list_named_together(thread: Thread) -> list[FocusItem]:
    """Give the rest of the newest list that one call or message named, in its order."""
    return _take_list(_select_items.list(thread.pk))


def note_message(turn: Turn, mentioned: Sequence[NamedObject]) -> None:
    """Note the objects that the person named with @, or chose one by one for the message of the turn."""
    chosen = [NamedObject("document", row_id) for row_id in turn.scope.get("document_ids", [])]
    note(turn, [*mentioned, *chosen])


def note_call(turn: Turn, tool: Tool, arguments: Arguments, result: Result) -> None:
    """Note the objects that a call named which has succeeded. In its transaction."""
    if turn.origin == Turn.Origin.HEADLESS or tool.category in (Category.OUTSIDE, Category.HELP):
        return
    named = list(dict.fromkeys([*_list_rows(tool, result), *_list_arguments(arguments), *_list_arguments(result)]))
    own = NamedObject("document", turn.thread.document_id or "")
    if named and named != [own]:
        opens = tool.category is Category.DOCUMENT and len(named) == 1
        how = FocusItem.How.OPENED if opens else FocusItem.How.NAMED
        note(turn, named, how if tool.is_read else FocusItem.How.CHANGED)


def note(turn: Turn, named: Sequence[NamedObject], how: str = FocusItem.How.NAMED) -> None:
    """Put these before all others, without those that are not there or in another organization."""
    heads = _find_heads(turn.thread, named)
    present = list(dict.fromkeys(heads[each] for each in named if each in heads))
    if not present:
        return
    now = timezone.now()
    FocusItem.objects.bulk_create(
        FocusItem(
            thread=turn.thread,
            turn=turn,
            how=how,
            named_at=now,
            position=position,
            list_size=len(present),
            **{f"{each.kind}_id": each.row_id},
        )
        for position, each in enumerate(present[:MAX_ITEMS], 1)
    )
    _prune(turn)


def find_item(thread: Thread, object_id: str) -> FocusItem | None:
    """The one of the object with this id."""
    return next((item for item in list_items(thread) if object_id in _key_of(item).values()), None)


def drop(item: FocusItem) -> None:
    """Take its object out of the focus of the thread."""
    FocusItem.objects.filter(thread=item.thread_id, **_key_of(item)).delete()


def drop_documents(thread: Thread, ids: Iterable[str]) -> None:
    """Forget documents that are not what the assistant is for."""
    if documents := list(ids):
        FocusItem.objects.filter(thread=thread, document__in=documents).delete()


def drop_turns(turns: Iterable[str]) -> None:
    """Forget the objects that turns named before which a person has gone back."""
    FocusItem.objects.filter(turn__in=list(turns)).delete()


def _prune(turn: Turn) -> None:
    rows = list(FocusItem.objects.filter(thread=turn.thread_id))
    own = _take_newest(row for row in rows if row.turn_id == turn.pk)
    before = _take_newest(row for row in rows if row.turn_id != turn.pk)
    if superfluous := {row.pk for row in rows} - {row.pk for row in (*own, *before, *_take_list(rows))}:
        FocusItem.objects.filter(pk__in=superfluous).delete()


def _take_newest(rows: Iterable[FocusItem]) -> list[FocusItem]:
    newest: dict[tuple[tuple[str, str], ...], FocusItem] = {}
    for row in rows:
        newest.setdefault(tuple(_key_of(row).items()), row)
    return list(newest.values())[:MAX_ITEMS]


def _take_list(rows: Sequence[FocusItem]) -> list[FocusItem]:
    newest = max((row.named_at for row in rows if row.list_size > 1), default=None)
    return sorted((row for row in rows if row.named_at == newest), key=lambda row: row.position)


def _key_of(item: FocusItem) -> dict[str, str]:
    ids = {f"{kind}_id": getattr(item, f"{kind}_id") for kind in MODELS}
    return {name: row_id for name, row_id in ids.items() if row_id}


def _list_rows(tool: Tool, result: Result) -> Iterator[NamedObject]:
    """Documents that a list answers, in its order. Lists of definitions are looked up, not talked about."""
    if tool.category not in ABOUT_DOCUMENTS:
        return
    for rows in result.values():
        for row in rows if isinstance(rows, list) else ():
            if isinstance(row, dict) and is_id(row.get("document_id")):
                yield NamedObject("document", row["document_id"])


def _list_arguments(named: Mapping[str, object]) -> Iterator[NamedObject]:
    for kind, names in _NAMED_BY.items():
        for name in names:
            value = named.get(name)
            values = value if isinstance(value, list) else [value]
            yield from (NamedObject(kind, str(each)) for each in values if is_id(each))


def _find_heads(thread: Thread, named: Sequence[NamedObject]) -> dict[NamedObject, NamedObject]:
    """Each that is there to the object it means, which is the head of a revision."""
    heads: dict[NamedObject, NamedObject] = {}
    for kind, model in MODELS.items():
        ids = {each.row_id for each in named if each.kind == kind}
        rows: QuerySet[Model] = model.objects.for_org(thread.organization)
        revisions = _list_revisions(kind, ids, rows)
        present = {*rows.filter(pk__in=ids).values_list("pk", flat=True)} if ids else set()
        for row_id, head in [*((row_id, row_id) for row_id in present), *revisions]:
            heads[NamedObject(kind, row_id)] = NamedObject(kind, head)
    return heads


def _list_revisions(kind: str, ids: Iterable[str], heads: QuerySet[Model]) -> list[tuple[str, str]]:
    if not ids or kind not in REVISIONS:
        return []
    rows = REVISIONS[kind].objects.filter(**{"pk__in": ids, f"{kind}__in": heads})
    return list(rows.values_list("pk", f"{kind}_id"))
