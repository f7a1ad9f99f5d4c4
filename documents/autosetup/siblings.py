"""Documents that look like the one that an automatic setup studies: what is designed for one should fit them too."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from django.db.models import Q, QuerySet

from accounts.actor import Actor
from documents.find.search import find_pages
from documents.models import Document, Page, Proposal, ProposalSibling, Reading, Sketch
from documents.reading import similarity
from documents.reading.reading import get_newest

MAX_SIBLINGS = 3
# Each try of a longer one would take a good part of the time and money of the whole run.
MAX_PAGES = 10
MAX_OF_TAG, MAX_LOOKED_AT, MAX_SKETCHES = 50, 20, 300
HEAD_LINES, HEAD_WORDS = 4, 4
_WORD = re.compile(r"[^\W\d_]{4,}")


@dataclass(frozen=True)
class Choice:
    """`similarity` is 0 to 1."""

    document: Document
    page_count: int
    similarity: float


def find_siblings(actor: Actor, document: Document) -> list[Choice]:
    """The documents most like this one, of its type, that the actor may see: read, short, no copies; likest first.

    Compares hundreds of sketches, so it is not to be called while others wait for a lock.
    """
    own = Sketch.objects.filter(document=document).first()
    return _Look(actor, document, own).choose() if own else []


@dataclass
class _Look:
    actor: Actor
    document: Document
    own: Sketch

    def choose(self) -> list[Choice]:
        bytes_seen, chosen = {self.document.sha256}, []
        for alike, other in self._rank():
            newest = None if other.sha256 in bytes_seen else get_newest(other)
            if newest is not None and 0 < (newest.page_count or 0) <= MAX_PAGES:
                bytes_seen.add(other.sha256)
                chosen.append(Choice(other, newest.page_count or 0, alike))
            if len(chosen) == MAX_SIBLINGS:
                break
        return chosen

    def _rank(self) -> list[tuple[float, Document]]:
        """A tag in common counts: what people put together may look less alike."""
        ranked = []
        for other, sketch in self._sketch_all():
            alike = round(similarity.measure_similarity(self.own, sketch), 4)
            if alike >= (similarity.WORTH_A_LOOK if other.pk in self._tagged_ids else similarity.ALIKE):
                ranked.append((alike, other))
        return sorted(ranked, key=lambda each: (-each[0], each[1].pk))

    def _sketch_all(self) -> Iterator[tuple[Document, Sketch]]:
        """Documents that were never compared are sketched now, so many at a time."""
        left = similarity.MAX_SKETCHED
        for other in self._list_others():
            sketch: Sketch | None = getattr(other, "sketch", None)
            if sketch is None and left:
                left -= 1
                newest = get_newest(other)
                sketch = similarity.save_sketch(other, newest) if newest else None
            if sketch is not None:
                yield other, sketch

    def _list_others(self) -> Iterable[Document]:
        """Those with a tag in common, with the words of its head, the newest, and the newest that are sketched."""
        tagged = self._newest(self._read.filter(pk__in=self._tagged_ids), MAX_OF_TAG)
        worded = self._newest(self._read.filter(pk__in=self._find_by_words()), MAX_LOOKED_AT)
        newest = self._newest(self._read, MAX_LOOKED_AT)
        sketched = self._newest(self._read.filter(sketch__isnull=False), MAX_SKETCHES)
        return {other.pk: other for other in (*tagged, *worded, *newest, *sketched)}.values()

    @staticmethod
    def _newest(rows: QuerySet[Document], maximum: int) -> list[Document]:
        return list(rows.select_related("sketch").order_by("-created_at", "-pk")[:maximum])

    @property
    def _read(self) -> QuerySet[Document]:
        rows = Document.objects.for_org(self.actor.organization).filter(similarity.may_share_type(self.document))
        is_read = Q(pk__in=Reading.objects.filter(status=Reading.Status.COMPLETED).values("document"))
        return rows.filter(is_read).exclude(pk=self.document.pk)

    @cached_property
    def _tagged_ids(self) -> set[str]:
        of_tags = self._read.filter(tags__in=self.document.tags.all()).order_by("-created_at")
        return set(of_tags.values_list("pk", flat=True)[:MAX_OF_TAG])

    def _find_by_words(self) -> list[str]:
        """By the words at the head of its first page, where a sender and a title stand."""
        words = _list_head_words(get_newest(self.document))
        if not words:
            return []
        hits = find_pages(self.actor, " ".join(words), limit=MAX_LOOKED_AT).hits
        return [hit.document.pk for hit in hits]


def _list_head_words(reading: Reading | None) -> list[str]:
    page = Page.objects.filter(reading=reading).order_by("number").only("text").first() if reading else None
    head = " ".join(page.text.splitlines()[:HEAD_LINES]) if page else ""
    return list(dict.fromkeys(_WORD.findall(head)))[:HEAD_WORDS]


def record_siblings(proposal: Proposal, choices: Iterable[Choice], *, thread_id: str) -> None:
    """In place of those of an earlier run, in the caller's transaction."""
    proposal.siblings.all().delete()
    rows = [
        ProposalSibling(
            proposal=proposal,
            document=choice.document,
            thread_id=thread_id,
            likeness=choice.similarity,
            page_count=choice.page_count,
        )
        for choice in choices
    ]
    ProposalSibling.objects.bulk_create(rows)


def list_siblings(thread_id: str) -> list[ProposalSibling]:
    """Those that the run of this thread reads, the likest first; not those in the trash."""
    rows = ProposalSibling.objects.filter(thread_id=thread_id, document__trashed_at=None)
    return list(rows.select_related("document__organization").order_by("-likeness", "pk"))


def list_siblings_of(proposal: Proposal) -> list[ProposalSibling]:
    """For people: the likest first; not those in the trash."""
    rows = proposal.siblings.filter(document__trashed_at=None).select_related("document", "prompt_revision")
    return list(rows.order_by("-likeness", "pk"))


def add_pages_read(row: Proposal | ProposalSibling, pages: Iterable[int]) -> None:
    """Pages whose text the model of the run has before it, whole."""
    read = sorted({*row.pages_read, *pages})
    if read != row.pages_read:
        type(row).objects.filter(pk=row.pk).update(pages_read=read)
        row.pages_read = read
