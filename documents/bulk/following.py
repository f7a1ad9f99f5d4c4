"""A prompt that takes the newest version of its schema, and its results, which are judged by the checks of that."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db import transaction

from accounts.actor import Actor
from documents.bulk import requesting
from documents.definitions import definitions, prompts
from documents.extractions import rejudging
from documents.models import BulkAction, Document, Prompt, Schema, SchemaRevision
from kit.errors import Invalid

FOLLOWS_ALREADY = "The prompt uses the newest version of its schema already."


@dataclass(frozen=True)
class LaggingPrompt:
    """A prompt in force whose schema has a newer version. `result_count` are those that can be judged by that."""

    prompt: Prompt
    used: SchemaRevision
    newest: SchemaRevision
    has_same_fields: bool
    result_count: int

    @property
    def title(self) -> str:
        """Of the button."""
        if not self.result_count:
            return f"Use version {self.newest.number}"
        results = "1 result" if self.result_count == 1 else f"{self.result_count:,} results"
        return f"Use version {self.newest.number} and judge {results} again"


def find_lag(prompt: Prompt) -> LaggingPrompt | None:
    """None for one that uses the newest version, or no schema. `latest__schema_revision__schema__latest` are read."""
    used = prompt.latest.schema_revision if prompt.latest else None
    newest = used.schema.latest if used else None
    if prompt.latest is None or used is None or newest is None or newest.number <= used.number:
        return None
    same = rejudging.has_same_fields(prompt.latest, newest)
    count = rejudging.list_results_of(prompt.latest).count() if same else 0
    return LaggingPrompt(prompt, used, newest, same, count)


def list_lagging(schema: Schema) -> list[LaggingPrompt]:
    using = Prompt.objects.filter(latest__schema_revision__schema=schema, trashed_at=None).order_by("name_folded", "pk")
    return _find_lags(using.select_related("latest__schema_revision__schema__latest"))


def _find_lags(rows: Iterable[Prompt]) -> list[LaggingPrompt]:
    return [lag for lag in map(find_lag, rows) if lag is not None]


@transaction.atomic
def follow_schema(actor: Actor, *, prompt: Prompt, seen: str) -> BulkAction | None:
    """Saves the version of the prompt, and asks for its results to be judged; None where there are none.

    `seen` is the version that the actor has looked at: of two presses the second is refused, and judges nothing twice.
    Raises Conflict for another latest version, Invalid where it follows already.
    """
    prompt = definitions.lock_head(prompt)
    definitions.require_latest(prompt, seen)
    lag = find_lag(Prompt.objects.select_related("latest__schema_revision__schema__latest").get(pk=prompt.pk))
    if lag is None:
        raise Invalid(FOLLOWS_ALREADY)
    revision = prompts.save_version(actor, prompt=prompt, schema_revision=lag.newest)
    documents = rejudging.list_results_of(revision).exclude(prompt_revision=revision).values("document_id")
    chosen = Document.objects.filter(pk__in=documents)
    if not chosen.exists():
        return None
    arguments = {"prompt_id": prompt.pk}
    return requesting.create(actor, kind=BulkAction.Kind.JUDGE, documents=chosen, arguments=arguments)
