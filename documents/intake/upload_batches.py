"""What has become of the files that somebody has put in since a moment: a drop, as its page follows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Case, Count, Exists, Max, OuterRef, Q, QuerySet, When
from django.utils import timezone

from accounts.actor import Actor
from documents.autosetup import lookalikes
from documents.models import AutoSetup, BulkAction, BulkItem, Document, Extraction, Prompt, Reading

LONGEST = timedelta(days=1)
MAX_NAMED = 3
State = Document.State
_UNREAD = (State.UPLOADED, State.OCR_PROCESSING)
_SET_UP = AutoSetup.Status


@dataclass(frozen=True)
class AlikeGroup:
    """Documents of a drop that look like what the prompt has run on."""

    prompt: Prompt
    count: int

    @property
    def words(self) -> str:
        return lookalikes.describe_alike(self.prompt, self.count)


@dataclass(frozen=True)
class UploadBatch:
    """`total` and `unread` count what is still on its way too, `total` also what was `refused`.
    `setting_up`: the agent is at them; `proposed`: its proposal waits;
    `alike`, `like_proposed` and `comparing` are of those `without_prompt`; `untagged` of those that look like nothing
    that is there.
    The lists hold the first few of each."""

    since: datetime
    last_at: datetime
    total: int
    unread: int
    refused: int
    failed: int
    with_values: int
    setting_up: int
    proposed: int
    without_prompt: int
    untagged: int
    comparing: int
    alike_count: int
    alike: Sequence[AlikeGroup]
    like_proposed_count: int
    like_proposed: Sequence[AlikeGroup]
    results: Sequence[Document]
    proposals: Sequence[Document]
    copies: Sequence[Document]
    copy_count: int

    @property
    def read(self) -> int:
        return self.total - self.unread - self.failed - self.refused

    @property
    def next_step(self) -> str:
        """What to do about those that look like nothing a prompt has run on; empty when there is none, and while
        any of them is compared."""
        if not self.unlike or not self.may_set_up:
            return ""
        them = "it" if self.unlike == 1 else "them"
        if self.unlike == self.total:
            start = f"No prompt has run on {'a document like it' if self.unlike == 1 else 'documents like these'}"
        else:
            start = f"{self.unlike:,} of them {'looks' if self.unlike == 1 else 'look'} like nothing that is set up"
        tagging = f"tag {them}" if self.untagged else f"give a prompt one of {'its' if them == 'it' else 'their'} tags"
        return f"{start}: {tagging}, or let the agent suggest fields."

    @property
    def to_set_up(self) -> int:
        return self.without_prompt - self.alike_count

    @property
    def unlike(self) -> int:
        return self.to_set_up - self.like_proposed_count

    @property
    def may_set_up(self) -> bool:
        return self.to_set_up > 0 and not self.comparing

    @property
    def is_live(self) -> bool:
        return self.unread > 0 or self.setting_up > 0 or self.comparing > 0


def summarize_batch(actor: Actor, *, since: datetime, chosen: int = 0, refused: int = 0) -> UploadBatch | None:
    """Of what the actor has uploaded since then, of a day at most; None when that is nothing and no file is on its way.
    `chosen` counts the files of the whole drop while some of them are."""
    rows = list_batch(actor, since=since)
    is_setting_up = Q(auto_setup__status__in=[_SET_UP.QUEUED, _SET_UP.RUNNING]) | Q(Exists(_list_asking()))
    counts = rows.aggregate(
        total=Count("pk"),
        last_at=Max("created_at"),
        unread=Count("pk", filter=Q(state__in=_UNREAD)),
        failed=Count("pk", filter=Q(state=State.OCR_FAILED)),
        setting_up=Count("pk", filter=is_setting_up),
        proposed=Count("pk", filter=Q(auto_setup__status=_SET_UP.PROPOSED)),
        copy_count=Count("pk", filter=Q(duplicate_of__trashed_at=None, duplicate_of__isnull=False)),
    )
    if not counts["total"] and not chosen:
        return None
    stored = counts["total"] + refused
    whole = max(stored, chosen)
    counts |= {"total": whole, "unread": counts["unread"] + whole - stored, "last_at": counts["last_at"] or since}
    waiting = list_without_prompt(actor, since=since)
    of_waiting = waiting.aggregate(
        without_prompt=Count("pk"),
        untagged=Count("pk", filter=~_has_tags() & Q(sketch__alike_prompt=None)),
        comparing=Count("pk", filter=Q(sketch__isnull=False, sketch__compared_at=None)),
        alike_count=Count("pk", filter=lookalikes.IS_ALIKE),
        like_proposed_count=Count("pk", filter=lookalikes.IS_LIKE_PROPOSED),
    )
    # In the order of the list, whose first one that waits is the one to begin with.
    is_done = Case(When(review=Document.Review.TO_VERIFY, then=0), default=1)
    results = rows.filter(_has_values()).order_by(is_done, "-created_at", "-pk")
    return UploadBatch(
        since=since,
        refused=refused,
        with_values=results.count(),
        results=list(results[:MAX_NAMED]),
        proposals=list(rows.filter(auto_setup__status=_SET_UP.PROPOSED).order_by("created_at", "pk")[:MAX_NAMED]),
        copies=list(_list_copies(rows)[:MAX_NAMED]),
        **counts,
        alike=_group(lookalikes.filter_alike(waiting)) if of_waiting["alike_count"] else (),
        like_proposed=_group(waiting.filter(lookalikes.IS_LIKE_PROPOSED)) if of_waiting["like_proposed_count"] else (),
        **of_waiting,
    )


def _group(alike: QuerySet[Document, Document]) -> list[AlikeGroup]:
    """By their prompt, the largest first."""
    counts = alike.order_by().values_list("sketch__alike_prompt").annotate(count=Count("pk"))
    largest = list(counts.order_by("-count", "sketch__alike_prompt")[:MAX_NAMED])
    prompts = Prompt.objects.select_related("latest").in_bulk([prompt_id for prompt_id, _ in largest])
    return [AlikeGroup(prompts[prompt_id], count) for prompt_id, count in largest]


def list_batch(actor: Actor, *, since: datetime) -> QuerySet[Document, Document]:
    begin = max(since, timezone.now() - LONGEST)
    return Document.objects.for_org(actor.organization).filter(uploaded_by=actor.user, created_at__gte=begin)


def list_without_prompt(actor: Actor, *, since: datetime) -> QuerySet[Document, Document]:
    """Those that are read, and whose tags have started no prompt; nobody has asked the agent about them either, nor is
    anybody's press on its way."""
    to_follow = Reading.objects.filter(
        document=OuterRef("pk"), status=Reading.Status.COMPLETED, prompts_started_at=None
    )
    runs = Extraction.objects.filter(document=OuterRef("pk"), prompt_revision__isnull=False)
    read = list_batch(actor, since=since).exclude(state__in=(*_UNREAD, State.OCR_FAILED))
    return read.filter(~Exists(to_follow), ~Exists(runs), ~Exists(_list_asking()), auto_setup=None)


def _list_asking() -> QuerySet[BulkItem, BulkItem]:
    """List the items of bulk actions that are under way and will ask the agent."""
    rows = BulkItem.objects.filter(document=OuterRef("pk"), status__in=BulkItem.UNFINISHED)
    return rows.filter(action__kind=BulkAction.Kind.SET_UP, action__status__in=BulkAction.UNDER_WAY)


def _has_tags() -> Exists:
    return Exists(Document.tags.through.objects.filter(document=OuterRef("pk")))


def _has_values() -> Exists:
    runs = Extraction.objects.filter(document=OuterRef("pk"), prompt_revision__isnull=False)
    return Exists(runs.filter(status=Extraction.Status.COMPLETED))


def _list_copies(rows: QuerySet[Document]) -> QuerySet[Document]:
    """List those whose bytes or paper are here already."""
    same_bytes = Q(duplicate_of__isnull=False, duplicate_of__trashed_at=None)
    same_paper = Q(same_paper__isnull=False, same_paper__trashed_at=None)
    copies = rows.filter(same_bytes | same_paper)
    return copies.select_related("duplicate_of", "same_paper").order_by("created_at", "pk")
