"""Which run the Extraction tab shows, and what stands around its values."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.db.models import QuerySet
from django.http import QueryDict

from accounts.actor import Actor
from documents.extractions import extraction_view
from documents.extractions.extraction_view import ExtractionView
from documents.extractions.extraction_view.page_marks import PageMark, list_page_marks
from documents.models import Document, Extraction, LanguageModel, Prompt
from documents.reading import gaps
from documents.review.track_record import TrackRecord, get_track_record
from llm import models_catalogue

Status = Extraction.Status


@dataclass(frozen=True)
class PromptChoice:
    """The latest revision of a prompt, for the menu to run one."""

    revision_id: str
    name: str
    number: int


@dataclass
class Runs:
    """The document's runs. `shown` has values to look at; `newest` may still be under way or have failed."""

    all: list[Extraction]
    shown: Extraction | None
    view: ExtractionView | None
    summary: str
    prompts: list[PromptChoice] = field(default_factory=list)
    models: list[LanguageModel] = field(default_factory=list)
    track_record: TrackRecord = field(default_factory=TrackRecord)

    @property
    def newest(self) -> Extraction | None:
        """The newest run of the shown prompt, whatever became of it."""
        return self._of_same_prompt[0] if self._of_same_prompt else None

    @property
    def is_newest(self) -> bool:
        """Only the newest completed run can be changed here."""
        completed = [run for run in self._of_same_prompt if run.status == Status.COMPLETED]
        return bool(completed) and self.shown == completed[0]

    @property
    def under_way(self) -> Extraction | None:
        return next((run for run in self.all if run.status in (Status.QUEUED, Status.RUNNING)), None)

    @property
    def failed(self) -> Extraction | None:
        """The newest run when it failed."""
        newest = self.newest or (self.all[0] if self.all else None)
        return newest if newest and newest.status == Status.FAILED else None

    @property
    def earlier(self) -> list[Extraction]:
        return [run for run in self._of_same_prompt if run.status in (Status.COMPLETED, Status.FAILED)]

    @property
    def by_prompt(self) -> list[Extraction]:
        """The newest completed run of each prompt."""
        newest: dict[str, Extraction] = {}
        for run in self.all:
            if run.status == Status.COMPLETED and run.prompt_revision:
                newest.setdefault(run.prompt_revision.prompt_id, run)
        return list(newest.values())

    @property
    def seconds(self) -> float | None:
        if self.shown is None or self.shown.finished_at is None:
            return None
        return (self.shown.finished_at - self.shown.created_at).total_seconds()

    @property
    def page_marks(self) -> tuple[PageMark, ...]:
        if self.view is None or self.shown is None:
            return ()
        missing = gaps.list_gaps(self.shown.reading) if self.shown.reading else []
        words = {gap.page: gap.words for gap in missing if gap.page and not gap.is_note}
        return list_page_marks(self.view.leaves, self.shown.page_count, self.shown.coverage, words)

    @property
    def _of_same_prompt(self) -> list[Extraction]:
        if self.shown is None or self.shown.prompt_revision is None:
            return []
        prompt = self.shown.prompt_revision.prompt_id
        return [run for run in self.all if run.prompt_revision and run.prompt_revision.prompt_id == prompt]


def load_runs(actor: Actor, document: Document, query: QueryDict) -> Runs:
    """`query`: `run=<extraction id>` for one of them, else the newest completed one of a made prompt."""
    everything = list(_list_heads(document))
    completed = [run.pk for run in everything if run.status == Status.COMPLETED and run.prompt_revision]
    shown_id = query.get("run") if query.get("run") in completed else next(iter(completed), None)
    shown = _fetch_whole(document, shown_id) if shown_id else None
    return Runs(
        all=everything,
        shown=shown,
        view=extraction_view.build_view(shown) if shown else None,
        summary=_get_summary(document, everything),
        prompts=list_prompt_choices(actor),
        models=models_catalogue.list_chat_models(actor.organization),
        track_record=_get_track_record(actor, shown),
    )


def _get_track_record(actor: Actor, shown: Extraction | None) -> TrackRecord:
    revision = shown.schema_revision if shown else None
    return get_track_record(actor.organization, revision.schema_id) if revision else TrackRecord()


def _list_heads(document: Document) -> QuerySet[Extraction]:
    """All runs, the newest first, without what they brought and what they were asked: a document can have hundreds."""
    bulky = ("raw", "result", "current", "provenance", "conflicts", "coverage", "prompt_revision__content")
    runs = document.extractions.exclude(status=Status.WITHDRAWN).select_related("prompt_revision__prompt")
    return runs.defer(*bulky, "check_results", "printed_sums").order_by("-number")


def _fetch_whole(document: Document, run_id: str) -> Extraction | None:
    related = ("prompt_revision__prompt", "schema_revision", "document__organization", "reading")
    return document.extractions.defer("raw").select_related(*related).filter(pk=run_id).first()


def _get_summary(document: Document, runs: list[Extraction]) -> str:
    """What the default prompt wrote."""
    done = (run.pk for run in runs if run.prompt_revision_id is None and run.status == Status.COMPLETED)
    newest = next(done, None)
    written = document.extractions.filter(pk=newest).values_list("current", flat=True).first() if newest else None
    return str(written.get("text") or "") if isinstance(written, dict) else ""


def list_prompt_choices(actor: Actor) -> list[PromptChoice]:
    """Not the rows: a menu of 500 prompts needs none of their texts."""
    heads = Prompt.objects.for_org(actor.organization).exclude(latest=None).order_by("name_folded")
    return [PromptChoice(*values) for values in heads.values_list("latest_id", "name", "latest__number")]
