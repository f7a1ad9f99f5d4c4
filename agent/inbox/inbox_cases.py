"""The chosen item of the inbox: what a person has to see of it to decide, and what can be done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.db.models import Prefetch
from django.urls import reverse

from accounts.actor import Actor
from accounts.models import Role
from agent.cards import cards
from agent.cards.cards import Card
from agent.cards.chain_ends import ChainEnd, build_chain_end
from agent.conversation.addresses import address_of
from agent.inbox import inbox
from agent.inbox.failures import Alike, find_alike
from agent.inbox.inbox_rows import (
    CARD,
    CHECKS,
    DOUBT,
    FAILED,
    HELD,
    PAUSED,
    PROPOSAL,
    UNREAD,
    VERIFY,
    describe_pause,
    describe_proposal,
)
from agent.inbox.proofs import Proof, draw_proofs
from agent.models import Decision, Thread, ToolCall, Turn
from agent.policy import agent_settings
from agent.policy.visibility import filter_visible
from agent.turns.outcome_text import TurnOutcome, describe_turn_outcome
from agent.turns.turn_views import newest_revisions
from documents.extractions.extraction_view import ExtractionView, FieldView, build_view
from documents.find.filters.verification import filter_failing
from documents.held_decisions import list_tags
from documents.models import Document, Extraction, HeldRun, PromptRevision, Proposal, Tag
from documents.review import presence
from kit.ids import is_id

MAX_TEXT = 300
MAX_DOUBTFUL = 8


@dataclass(frozen=True)
class Failure:
    """A reading or an extraction that failed. `prompt` is what can be run again, `pages_read` what was kept.

    `is_permanent`: the cause is the file, so that reading it again helps nobody. `alike` failed for the same cause.
    """

    is_unread: bool
    needs_password: bool
    is_permanent: bool = False
    pages_read: int = 0
    prompt: PromptRevision | None = None
    cost_micros: int = 0
    alike: Alike | None = None


@dataclass(frozen=True)
class Pause:
    """`room` is what going on adds to a turn that met its own limit of cost, in millionths of a dollar, else 0."""

    turn: Turn
    title: str
    outcome: TurnOutcome
    may_resume: bool
    room: int


@dataclass(frozen=True)
class Case:
    """`waits` is false for what was decided meanwhile. `address` is where it can be seen whole.

    `chain` are the cards of the call chain that the card is a step of, `chain_end` decides several of them together.
    `held_tags` are those that ask for the prompt of `held`.
    `proofs` are the values of a document that can be verified here, `other` is who else verifies it.
    """

    kind: str
    pk: str
    waits: bool
    title: str
    address: str
    document: Document | None = None
    thread: Thread | None = None
    thread_address: str = ""
    quote: str = ""
    card: Card | None = None
    chain: Sequence[Card] = ()
    chain_end: ChainEnd | None = None
    pause: Pause | None = None
    proposal: Proposal | None = None
    failure: Failure | None = None
    held_run: HeldRun | None = None
    held_tags: Sequence[Tag] = ()
    values: ExtractionView | None = None
    proofs: Sequence[Proof] = ()
    other: str = ""

    @property
    def doubtful(self) -> list[FieldView]:
        """The values that a person should look at first, as many as a case has room for."""
        leaves = self.values.leaves if self.values else ()
        return [leaf for leaf in leaves if leaf.is_uncertain][:MAX_DOUBTFUL]

    @property
    def check_messages(self) -> list[str]:
        """What value checks say is wrong, as much of it as a case has room for."""
        return self.values.list_failed_checks()[:MAX_DOUBTFUL] if self.values else []

    @property
    def loose_messages(self) -> list[str]:
        """Of those the ones that no value below owns: they are looked at by themselves."""
        owned = {message for proof in self.proofs for message in proof.field.failed_checks}
        return [message for message in self.check_messages if message not in owned]

    @property
    def key(self) -> str:
        return f"{self.kind}-{self.pk}"

    @property
    def is_small(self) -> bool:
        """Whether a line of a list has room for all that a decision on the card rests on."""
        if (
            self.card is None
            or self.chain
            or self.card.barred
            or self.card.blocked
            or not (self.card.change and self.card.crop)
        ):
            return False
        preview = self.card.preview
        more = ("rows", "fields", "changes", "field_changes", "lines", "text", "used_by", "warnings", "effect")
        return not any(preview.get(name) for name in more) and not self.card.call.replaces_id


def find_case(actor: Actor, key: str) -> Case | None:
    """The item with this key, decided or not; None for what the actor cannot see."""
    kind, _, pk = key.partition("-")
    return _CASES[kind](actor, pk) if kind in _CASES and is_id(pk) else None


def _find_card(actor: Actor, pk: str) -> Case | None:
    """The card as it stands now: of one that was made anew, its newest revision."""
    named = ToolCall.objects.filter(filter_visible(actor), pk=pk, undoes=None).first()
    if named is None:
        return None
    decided = Prefetch("decisions", Decision.objects.select_related("user").order_by("created_at"))
    rows = inbox.select_details(CARD).filter(turn=named.turn_id, undoes=None).select_related("undone_by", "message")
    calls = newest_revisions(rows.prefetch_related(decided, "undone_by__decisions__user"))
    for call in calls:
        call.turn.thread = call.thread
    place = (named.round, named.position)
    call = next(call for call in calls if (call.round, call.position) == place)
    context = cards.build_context(call.thread, actor, calls)
    steps = context.list_steps(call) if call.chain_step else []
    doubt = call.status == ToolCall.Status.IN_DOUBT
    thread = call.thread
    return Case(
        kind=DOUBT if doubt else CARD,
        pk=call.pk,
        waits=doubt or call.status == ToolCall.Status.PENDING,
        title=_title(thread),
        address=_address(thread),
        document=thread.document,
        thread=thread,
        thread_address=address_of(thread),
        quote=_shorten(call.message.join_text()),
        card=cards.draw_card(call, context),
        chain=[cards.draw_card(step, context) for step in steps],
        chain_end=next(iter(build_chain_end(steps)), None) if steps else None,
    )


def _find_pause(actor: Actor, pk: str) -> Case | None:
    turn = inbox.select_details(PAUSED).filter(filter_visible(actor), pk=pk).first()
    if turn is None:
        return None
    thread = turn.thread
    mine = actor.may(Role.REVIEWER) and thread.owner_id == actor.user.pk
    limited = turn.pause_reason == Turn.Pause.BUDGET and turn.spent_micros >= turn.limit_micros
    room = agent_settings.effective_settings(thread.organization).turn_limit_micros if limited else 0
    outcome = describe_turn_outcome(turn, [])
    return Case(
        kind=PAUSED,
        pk=turn.pk,
        waits=turn.status == Turn.Status.PAUSED,
        title=_title(thread),
        address=_address(thread),
        document=thread.document,
        thread=thread,
        thread_address=address_of(thread),
        pause=Pause(turn, describe_pause(turn), outcome, mine or actor.may(Role.ADMIN), room),
    )


def _find_proposal(actor: Actor, pk: str) -> Case | None:
    rows = inbox.select_details(PROPOSAL).select_related("decided_by")
    proposal: Proposal | None = rows.filter(organization=actor.organization, pk=pk).first()
    if proposal is None:
        return None
    lead = proposal.lead
    address = reverse("document-agent", args=(actor.organization.pk, lead.pk)) if lead else ""
    return Case(
        kind=PROPOSAL,
        pk=pk,
        waits=proposal.status == Proposal.Status.PROPOSED,
        title=lead.name if lead else describe_proposal(proposal),
        address=address,
        document=lead,
        proposal=proposal,
    )


def _find_held(actor: Actor, pk: str) -> Case | None:
    rows = inbox.select_details(HELD).filter(document__organization=actor.organization, document__trashed_at=None)
    held_run: HeldRun | None = rows.filter(pk=pk).first()
    if held_run is None:
        return None
    document = held_run.document
    address = reverse("document", args=(actor.organization.pk, document.pk))
    waits = inbox.filter_waiting(actor, HELD).filter(pk=pk).exists()
    tags = list_tags(document, held_run)
    return Case(HELD, pk, waits, document.name, address, document=document, held_run=held_run, held_tags=tags)


def _find_failure(actor: Actor, pk: str) -> Case | None:
    document = Document.objects.for_org(actor.organization).filter(pk=pk).first()
    if document is None:
        return None
    address = reverse("document", args=(actor.organization.pk, pk))
    kind = UNREAD if document.state == Document.State.OCR_FAILED else FAILED
    waits = kind == UNREAD or document.state == Document.State.LLM_FAILED
    failure = replace(_describe_failure(document), alike=find_alike(actor, document)) if waits else None
    return Case(kind, pk, waits, document.name, address, document=document, failure=failure)


def _find_unverified(actor: Actor, pk: str) -> Case | None:
    document = Document.objects.for_org(actor.organization).filter(pk=pk).first()
    if document is None:
        return None
    rows = document.extractions.filter(status=Extraction.Status.COMPLETED, prompt_revision__isnull=False)
    run = rows.select_related("schema_revision", "prompt_revision__prompt").order_by("-number").first()
    view = build_view(run) if run else None
    waits = view is not None and view.verified_at is None
    address = reverse("document", args=(actor.organization.pk, pk))
    proofs = draw_proofs(run, view.leaves) if run and view and waits and not view.is_prose else []
    other = presence.find_others(actor, [pk]).get(pk, "")
    kind = CHECKS if filter_failing(Document.objects.filter(pk=pk)).exists() else VERIFY
    return Case(kind, pk, waits, document.name, address, document=document, values=view, proofs=proofs, other=other)


def _describe_failure(document: Document) -> Failure:
    if document.state == Document.State.OCR_FAILED:
        reading = document.readings.order_by("-number").first()
        is_permanent = reading is not None and reading.is_permanent
        return Failure(True, bool(document.state_code), is_permanent, pages_read=reading.pages_read if reading else 0)
    rows = document.extractions.filter(status=Extraction.Status.FAILED).select_related("prompt_revision__prompt")
    run = rows.order_by("-number").first()
    return Failure(False, False, prompt=run.prompt_revision if run else None, cost_micros=run.cost_micros if run else 0)


def _title(thread: Thread) -> str:
    return thread.document.name if thread.document else thread.title


def _address(thread: Thread) -> str:
    if thread.document_id is None:
        return address_of(thread)
    return reverse("document", args=(thread.organization_id, thread.document_id))


def _shorten(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= MAX_TEXT else f"{line[:MAX_TEXT].rstrip()}…"


_CASES = {
    CARD: _find_card,
    DOUBT: _find_card,
    PAUSED: _find_pause,
    PROPOSAL: _find_proposal,
    HELD: _find_held,
    UNREAD: _find_failure,
    FAILED: _find_failure,
    CHECKS: _find_unverified,
    VERIFY: _find_unverified,
}
