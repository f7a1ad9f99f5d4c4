"""What runs would cost before anybody starts them: about, and in a number of statements that does not grow."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil

from django.conf import settings
from django.db.models import Count, Exists, Func, IntegerField, OuterRef, QuerySet, Subquery, Sum, Value
from django.db.models.functions import Length, Replace

from accounts.actor import Actor
from documents.definitions import prompts
from documents.extractions.model_requests.rules import RULES
from documents.extractions.windowing import WINDOW_TOKENS
from documents.extractions.windowing.poor_pages import MAX_IN_RUN
from documents.models import Document, Extraction, Page, PromptRevision, Reading, Tag
from documents.reading.gaps import BADLY_READ
from documents.reading.page_text import BYTES_A_TOKEN, PAGE_MARK_TOKENS, estimate_tokens
from kit.errors import Invalid
from llm import models_catalogue
from llm.client import PICTURE_TOKENS
from llm.client.pricing import Price
from llm.money import model_prices
from llm.money.answer_room import estimate_usual_tokens
from llm.money.budgets import format_dollars, get_budget

# The length of more documents than these is taken from these, the newest.
MAX_MEASURED = 500
LINE_MARK_TOKENS = 2


class ByteLength(Func):
    function = "OCTET_LENGTH"
    output_field = IntegerField()

    def as_sqlite(self, compiler, connection, **context):  # type: ignore[no-untyped-def] # as Django has it
        return self.as_sql(compiler, connection, template="LENGTH(CAST(%(expressions)s AS BLOB))", **context)


# Of pages as a model reads them, for aggregate() and annotate().
PRINTED = {
    "pages": Count("pk"),
    "octets": Sum(ByteLength("text")),
    "lines": Sum(Length("text") - Length(Replace("text", Value("\n"))), output_field=IntegerField()),
}


def estimate_printed(*, pages: int, octets: int | None, lines: int | None) -> float:
    """The tokens of what PRINTED measured."""
    marks = ((lines or 0) + pages) * LINE_MARK_TOKENS + pages * PAGE_MARK_TOKENS
    return (octets or 0) / BYTES_A_TOKEN + marks


@dataclass(frozen=True)
class PromptEstimate:
    """One prompt on so many documents. `problem` says why its model cannot be used now; empty when it can."""

    prompt_revision: PromptRevision
    model: str
    run_count: int
    prompt_tokens: int
    completion_tokens: int
    cost_micros: int
    is_price_known: bool
    problem: str = ""


@dataclass(frozen=True)
class RunEstimate:
    """`unread_count` of the documents have no text yet: on those a tag's prompts run once they are read."""

    document_count: int
    unread_count: int
    prompts: list[PromptEstimate]
    left_micros: int

    @property
    def run_count(self) -> int:
        return sum(prompt.run_count for prompt in self.prompts)

    @property
    def tokens(self) -> int:
        return sum(prompt.prompt_tokens + prompt.completion_tokens for prompt in self.prompts)

    @property
    def cost_micros(self) -> int:
        return sum(prompt.cost_micros for prompt in self.prompts)

    @property
    def is_price_known(self) -> bool:
        return all(prompt.is_price_known for prompt in self.prompts if prompt.run_count)

    @property
    def is_over_budget(self) -> bool:
        return self.cost_micros > self.left_micros

    def describe(self) -> str:
        """What it starts, and for about how much, in one or two sentences."""
        if not self.prompts:
            return "No prompt has this tag, so nothing runs."
        return " ".join(filter(None, [self._describe_runs(), self._describe_unread(), self._describe_budget()]))

    def format_cost(self) -> str:
        ceiling = "" if self.is_price_known else ", the price being unknown"
        return f"about {format_dollars(self.cost_micros)}{ceiling}" if self.cost_micros else "costs nothing"

    def _describe_runs(self) -> str:
        if not self.run_count:
            return "" if self.unread_count else "Nothing runs: each of its prompts has run already."
        names = [prompt.prompt_revision.prompt.name for prompt in self.prompts if prompt.run_count]
        what = f"“{names[0]}”" if len(names) == 1 else f"{len(names)} prompts"
        return f"Runs {what}: {_count(self.run_count, 'run')}, about {self.tokens:,} tokens, {self.format_cost()}."

    def _describe_unread(self) -> str:
        if not self.unread_count:
            return ""
        return f"{_count(self.unread_count, 'document')} not read yet: runs when read."

    def _describe_budget(self) -> str:
        if not self.is_over_budget:
            return ""
        return f"{format_dollars(self.left_micros)} is left this month; what does not fit waits for the budget."


@dataclass(frozen=True)
class _Sizes:
    """`reads`: how many of the documents have been read; of one the mean `tokens` of text and of `pictures`."""

    documents: int
    reads: int
    tokens: int
    pictures: int


def estimate_tagging(actor: Actor, *, documents: QuerySet[Document], tag: Tag) -> RunEstimate:
    """What setting this tag on these documents starts. Those that carry it already start nothing."""
    return _estimate(actor, documents.exclude(tags=tag), prompts.list_prompts_of_tag(tag), repeat=False)


def estimate_each_tag(actor: Actor, *, document: Document, tags: Sequence[Tag]) -> dict[str, RunEstimate]:
    """By the key of a tag what setting it on this document starts; it is measured once for all of them."""
    by_tag = prompts.list_prompts_by_tag(tags)
    revisions = list({revision.pk: revision for carried in by_tag.values() for revision in carried}.values())
    whole = estimate_runs(
        actor, documents=Document.objects.filter(pk=document.pk), prompt_revisions=revisions, repeat=False
    )
    by_revision = {prompt.prompt_revision.pk: prompt for prompt in whole.prompts}
    return {
        tag.pk: replace(whole, prompts=[by_revision[revision.pk] for revision in by_tag.get(tag.pk, ())])
        for tag in tags
    }


def estimate_runs(
    actor: Actor, *, documents: QuerySet[Document], prompt_revisions: Sequence[PromptRevision], repeat: bool = True
) -> RunEstimate:
    """What running these on these documents costs. Without `repeat` what has run on the newest reading is left out."""
    return _estimate(actor, documents, prompt_revisions, repeat=repeat)


def _estimate(
    actor: Actor, documents: QuerySet[Document], revisions: Sequence[PromptRevision], *, repeat: bool
) -> RunEstimate:
    documents = documents.filter(organization=actor.organization, trashed_at=None)
    sizes = _measure(documents)
    ran = {} if repeat or not revisions else _count_ran(documents, revisions)
    models = {name: _find_model(actor, name) for name in {revision.model for revision in revisions}}
    return RunEstimate(
        document_count=sizes.documents,
        unread_count=sizes.documents - sizes.reads,
        prompts=[
            _estimate_prompt(revision, models[revision.model], sizes.reads - ran.get(revision.pk, 0), sizes)
            for revision in revisions
        ],
        left_micros=get_budget(actor.organization).left_micros,
    )


def _measure(documents: QuerySet[Document]) -> _Sizes:
    completed = Reading.objects.filter(document=OuterRef("pk"), status=Reading.Status.COMPLETED)
    read = documents.filter(Exists(completed))
    newest = read.order_by("-created_at", "-pk").annotate(newest=Subquery(_newest_first(completed)))
    readings = list(newest.values_list("newest", flat=True)[:MAX_MEASURED])
    poor = Count("pk", filter=BADLY_READ)
    counted = Page.objects.filter(reading__in=readings).aggregate(**PRINTED, poor=poor)
    totals = PICTURE_TOKENS * counted.pop("poor"), estimate_printed(**counted)
    pictures, tokens = (ceil(total / len(readings)) if readings else 0 for total in totals)
    return _Sizes(documents.count(), read.count(), tokens, pictures)


def _newest_first(completed: QuerySet[Reading]) -> QuerySet[Reading, object]:
    return completed.order_by("-number").values("pk")[:1]


def _count_ran(documents: QuerySet[Document], revisions: Sequence[PromptRevision]) -> dict[str, int]:
    """Of each revision on how many documents it was started already, on their newest reading."""
    completed = Reading.objects.filter(document=OuterRef("document"), status=Reading.Status.COMPLETED)
    runs = Extraction.objects.filter(
        prompt_revision__in=revisions, document__in=documents.values("pk"), reading=Subquery(_newest_first(completed))
    )
    counted = runs.order_by().values("prompt_revision").annotate(number=Count("document", distinct=True))
    return dict(counted.values_list("prompt_revision", "number"))


@dataclass(frozen=True)
class _Model:
    name: str
    price: Price
    answer_tokens: int
    sees: bool
    problem: str


def _find_model(actor: Actor, name: str) -> _Model:
    chosen = models_catalogue.resolve(name, default=settings.EXTRACTION_MODEL)
    try:
        models_catalogue.check_usable(chosen)
        problem = ""
    except Invalid as error:
        problem = error.sentence
    usual = estimate_usual_tokens(actor.organization, "extraction", chosen)
    sees = models_catalogue.find_abilities(chosen).sees
    return _Model(chosen, model_prices.find_price_or_ceiling(chosen), usual, sees, problem)


def _estimate_prompt(revision: PromptRevision, model: _Model, runs: int, sizes: _Sizes) -> PromptEstimate:
    schema = json.dumps(revision.schema_revision.response_format) if revision.schema_revision else ""
    asked = estimate_tokens(RULES + revision.content + schema)
    document_tokens = sizes.tokens + (min(sizes.pictures, MAX_IN_RUN * PICTURE_TOKENS) if model.sees else 0)
    windows = max(1, ceil(document_tokens / WINDOW_TOKENS))
    read, written = runs * (windows * asked + document_tokens), runs * windows * model.answer_tokens
    return PromptEstimate(
        prompt_revision=revision,
        model=model.name,
        run_count=runs,
        prompt_tokens=read,
        completion_tokens=written,
        cost_micros=model.price.cost(model.name, read, written).micros,
        is_price_known=model.price.known,
        problem=model.problem,
    )


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
