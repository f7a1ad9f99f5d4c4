"""Documents that nothing runs on, and the prompt that has run on documents looking like them, or that a proposal brings
for such documents. Found by row state."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from accounts.models import Organization
from documents.autosetup import auto_setup
from documents.models import AutoSetup, Document, Extraction, Prompt, Proposal, Sketch
from documents.reading import similarity
from documents.reading.reading import get_newest
from documents.types.telling import tell_now
from kit import events
from kit.rows.row_guard import RowGuard

AT_ONCE = 50
# So many are compared again once there is a prompt more; older ones are left to a person.
MAX_COMPARED_AGAIN = 500
IS_ALIKE = Q(sketch__alike_prompt__trashed_at=None, sketch__alike_prompt__latest__isnull=False)
# The prompt is part of a proposal that nobody has decided.
IS_LIKE_PROPOSED = Q(
    sketch__alike_prompt__isnull=False, sketch__alike_prompt__trashed_at=None, sketch__alike_prompt__latest=None
)
_due = RowGuard("document that is compared")


def compare_waiting() -> int:
    """Answers how many documents were looked at."""
    due = Sketch.objects.filter(compared_at=None, document__trashed_at=None).order_by("created_at", "pk")
    return _due.run_each(due, _compare, maximum=AT_ONCE)


def _compare(sketch_id: str) -> None:
    """Outside of a transaction: it compares hundreds of sketches."""
    sketch = Sketch.objects.select_related("document").get(pk=sketch_id)
    document = sketch.document
    if newest := get_newest(document):
        tell_now(newest.pk)
        document.refresh_from_db(fields=["document_type"])
    prompt = (
        find_prompt_for_alike(document) if _runs_nothing(Document.objects.filter(pk=document.pk)).exists() else None
    )
    with transaction.atomic():
        Sketch.objects.filter(pk=sketch_id).update(alike_prompt=prompt, compared_at=timezone.now())
        events.publish(events.organization_group(document.organization_id), "document.changed", document_id=document.pk)


def find_prompt_for_alike(document: Document) -> Prompt | None:
    """The one in force whose documents look most like this one, where they look alike enough to share a prompt; else
    the one that is proposed for such documents."""
    best = next(iter(similarity.find_candidates(document)), None)
    if best and best.similarity >= similarity.ALIKE:
        return best.prompt_revision.prompt
    group_id = auto_setup.find_group(document, document.sketch)
    proposed = Proposal.objects.select_related("prompt_revision__prompt").filter(pk=group_id).first()
    return proposed.prompt_revision.prompt if proposed and proposed.prompt_revision else None


def compare_again(organization: Organization) -> None:
    """In the transaction that proposed a prompt or put it in force: what looked like nothing may look like what it ran
    on."""
    waiting = _runs_nothing(Document.objects.for_org(organization).exclude(IS_ALIKE))
    newest = waiting.filter(sketch__isnull=False).order_by("-created_at", "-pk")[:MAX_COMPARED_AGAIN]
    Sketch.objects.filter(document__in=list(newest.values_list("pk", flat=True))).update(compared_at=None)


def filter_alike(rows: QuerySet[Document, Document], prompt: Prompt | None = None) -> QuerySet[Document, Document]:
    """Those that look like what this prompt has run on, or any that is in force."""
    return rows.filter(IS_ALIKE, Q(sketch__alike_prompt=prompt) if prompt else Q())


def find_alike(document: Document) -> Prompt | None:
    """The prompt that the document is said to look like, in force or proposed."""
    sketch: Sketch | None = getattr(document, "sketch", None)
    prompt = sketch.alike_prompt if sketch else None
    return prompt if prompt and prompt.trashed_at is None else None


def describe_alike(prompt: Prompt, count: int | None = None) -> str:
    """The one sentence of the strip of an upload (with the `count`), the list, the document's page and the agent."""
    name = prompt.name if prompt.latest_id else f"{prompt.name}, proposed"
    if count is None:
        return f"Looks like {name}"
    return f"{count:,} {'looks' if count == 1 else 'look'} like {name}"


def describe_unrun(document: Document) -> tuple[str, Prompt] | None:
    """The sentence and its prompt for a document that nothing runs on; None where it looks like nothing."""
    prompt = find_alike(document)
    if prompt is None or not _runs_nothing(Document.objects.filter(pk=document.pk)).exists():
        return None
    return describe_alike(prompt), prompt


def _runs_nothing(rows: QuerySet[Document, Document]) -> QuerySet[Document, Document]:
    runs = Extraction.objects.filter(document=OuterRef("pk"), prompt_revision__isnull=False)
    asked = AutoSetup.objects.filter(document=OuterRef("pk"))
    return rows.filter(~Exists(runs), ~Exists(asked))
