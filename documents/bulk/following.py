"""A prompt that takes the newest version of its schema, and its results, which are judged by the checks of that."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from accounts.actor import Actor
from documents.bulk import requesting
from documents.definitions import definitions, prompts
from documents.definitions.check_changes import NAME as CHECK
from documents.definitions.check_changes import list_check_changes
from documents.definitions.schema_fields import FieldChange, list_field_changes
from documents.extractions import rejudging
from documents.models import (
    BulkAction,
    Document,
    Extraction,
    Prompt,
    PromptRevision,
    Schema,
    SchemaRevision,
    Verification,
)
from documents.values import is_same
from kit.errors import Invalid

FOLLOWS_ALREADY = "The prompt uses the newest version of its schema already, and its results are judged by that."


@dataclass(frozen=True)
class LaggingPrompt:
    """A prompt in force whose schema has a newer version, or whose results were judged by other checks than it has.

    `result_count` are those that the newest checks can judge, `verified_count` those of them that a person has
    verified; `changes` lead from the version that the prompt uses to the newest one. `is_under_way`: they are being
    checked already.
    """

    prompt: Prompt
    used: SchemaRevision
    newest: SchemaRevision
    has_same_fields: bool
    result_count: int
    verified_count: int = 0
    changes: list[FieldChange] = field(default_factory=list)
    is_under_way: bool = False

    @property
    def is_behind(self) -> bool:
        return self.newest.number > self.used.number

    @property
    def title(self) -> str:
        """The label of the button."""
        results = "1 result" if self.result_count == 1 else f"{self.result_count:,} results"
        check = f"check {results} again"
        if not self.is_behind:
            return check.capitalize()
        use = f"Use version {self.newest.number}"
        return f"{use} and {check}" if self.result_count else use

    @property
    def change_summary(self) -> str:
        """Such as “2 fields added, 1 field removed, 3 checks added”."""
        checks = [(change.kind, str(number)) for number, change in enumerate(self.changes) if change.name == CHECK]
        # A field that changes in several ways is one field.
        fields = {(change.kind, change.name) for change in self.changes if change.name not in (CHECK, "")}
        counted = [*_count_changes("field", fields), *_count_changes("check", checks)]
        other = sum(change.name == "" for change in self.changes)
        counted += [f"{other} other change{'' if other == 1 else 's'}"] * bool(other)
        return ", ".join(counted)


def _count_changes(noun: str, changes: Collection[tuple[str, str]]) -> Iterator[str]:
    for kind, verb in (("add", "added"), ("cut", "removed"), ("mod", "changed")):
        if number := sum(change[0] == kind for change in changes):
            yield f"{number} {noun}{'' if number == 1 else 's'} {verb}"


def find_lag(prompt: Prompt) -> LaggingPrompt | None:
    """None without a schema, or where nothing lags behind. `latest__schema_revision__schema__latest` are read."""
    used = prompt.latest.schema_revision if prompt.latest else None
    newest = used.schema.latest if used else None
    if prompt.latest is None or used is None or newest is None:
        return None
    same = used.pk == newest.pk or rejudging.has_same_fields(prompt.latest, newest)
    results = _list_results(prompt.latest, newest) if same else Extraction.objects.none()
    count = results.count() if same else 0
    if newest.number <= used.number:
        if not count:
            return None
        under_way = _find_under_way(prompt) is not None
        return LaggingPrompt(prompt, newest, newest, same, count, _count_verified(results), is_under_way=under_way)
    changes = _list_changes(used, newest)
    return LaggingPrompt(prompt, used, newest, same, count, _count_verified(results) if count else 0, changes)


def _list_results(revision: PromptRevision, newest: SchemaRevision) -> QuerySet[Extraction]:
    """The results that this version of the prompt could have given, but those that checks like the newest judged."""
    results = rejudging.list_results_of(revision)
    judged_by = SchemaRevision.objects.filter(pk__in=results.values("schema_revision"))
    return results.exclude(
        schema_revision__in=[each.pk for each in judged_by if is_same(each.value_checks, newest.value_checks)]
    )


def _count_verified(results: QuerySet[Extraction]) -> int:
    marks = Verification.objects.filter(extraction=OuterRef("pk"), where="", cleared_at=None)
    return results.filter(Exists(marks)).count()


def _list_changes(used: SchemaRevision, newest: SchemaRevision) -> list[FieldChange]:
    checks = list_check_changes(used.value_checks, newest.value_checks, used.json_schema, newest.json_schema)
    return [*list_field_changes(used.response_format, newest.response_format), *checks]


def list_lagging(schema: Schema) -> list[LaggingPrompt]:
    using = Prompt.objects.filter(latest__schema_revision__schema=schema, trashed_at=None).order_by("name_folded", "pk")
    return _find_lags(using.select_related("latest__schema_revision__schema__latest"))


def _find_lags(rows: Iterable[Prompt]) -> list[LaggingPrompt]:
    return [lag for lag in map(find_lag, rows) if lag is not None]


@transaction.atomic
def follow_schema(actor: Actor, *, prompt: Prompt, seen: str) -> BulkAction | None:
    """Saves the version of the prompt, and asks for its results to be judged; None where there are none.

    `seen` is the version that the actor has looked at: of two presses the second is refused, and judges nothing twice.
    Where the prompt follows already, the second press gets the action of the first. Raises Conflict for another latest
    version, Invalid where nothing lags behind.
    """
    prompt = definitions.lock_head(prompt)
    definitions.require_latest(prompt, seen)
    lag = find_lag(Prompt.objects.select_related("latest__schema_revision__schema__latest").get(pk=prompt.pk))
    if lag is None or lag.prompt.latest is None:
        raise Invalid(FOLLOWS_ALREADY)
    revision = lag.prompt.latest
    if lag.is_behind:
        revision = prompts.save_version(actor, prompt=prompt, schema_revision=lag.newest)
    elif under_way := _find_under_way(prompt):
        return under_way
    documents = _list_results(revision, lag.newest).values("document_id")
    chosen = Document.objects.filter(pk__in=documents)
    if not chosen.exists():
        return None
    arguments = {"prompt_id": prompt.pk}
    return requesting.create(actor, kind=BulkAction.Kind.JUDGE, documents=chosen, arguments=arguments)


def _find_under_way(prompt: Prompt) -> BulkAction | None:
    actions = BulkAction.objects.filter(organization=prompt.organization_id, kind=BulkAction.Kind.JUDGE)
    return actions.filter(status__in=BulkAction.UNDER_WAY, arguments__prompt_id=prompt.pk).first()
