"""The automatic setup of a document as its card shows it: what was made, what came out here, who decides or decided."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from hashlib import sha256

from django.db.models import QuerySet

from accounts.actor import Actor
from accounts.models import Role
from agent.cards import sibling_rows
from agent.cards.sibling_rows import SiblingRow
from agent.models import Turn
from agent.policy import agent_settings
from agent.turns import refinement_threads
from documents.autosetup.proposed_checks import ProposedCheck, list_proposed_checks
from documents.definitions import schemas, uses
from documents.definitions.schema_fields import FieldLine, count_fields, list_field_lines
from documents.definitions.schemas import Twin
from documents.extractions import extraction_view
from documents.extractions.extraction_view import ExtractionView, FieldView, TableView
from documents.models import (
    AutoSetup,
    Document,
    Extraction,
    LanguageModel,
    Prompt,
    Proposal,
    Schema,
    SchemaRevision,
    Tag,
)
from documents.reading.reading import get_newest
from documents.values.provenance import WITHOUT_VALUE
from kit.errors import NotFound
from llm import models_catalogue

MAX_VALUES = 6
MAX_MEMBERS = 8
Status = AutoSetup.Status
UNDER_WAY = (Status.QUEUED, Status.RUNNING)
STATE_WORDS = {
    "exact": "exact",
    "normalized": "normalized",
    "similar": "similar",
    "inferred": "inferred",
    "not_located": "not located",
    "edited": "edited",
}


@dataclass(frozen=True)
class TagChoice:
    name: str
    documents: int


@dataclass
class SetupView:
    """The card of one document. What belongs to the group is the same on the card of each of its documents.

    `members` are the first of the group, `group_size` says how many there are.
    `refined_in` is the id of the actor's own thread for it, empty while there is none. `pages_unread` names the pages
    of the lead that the run has not read whole.
    """

    setup: AutoSetup
    actor: Actor
    turn: Turn | None = None
    extraction: ExtractionView | None = None
    members: list[AutoSetup] = field(default_factory=list)
    group_size: int = 1
    tags: list[TagChoice] = field(default_factory=list)
    models: list[LanguageModel] = field(default_factory=list)
    field_count: int = 0
    fields: list[FieldLine] = field(default_factory=list)
    twins: list[Twin] = field(default_factory=list)
    refined_in: str = ""
    siblings: list[SiblingRow] = field(default_factory=list)
    pages_unread: str = ""
    checks: list[ProposedCheck] = field(default_factory=list)

    @property
    def document(self) -> Document:
        return self.setup.document

    @property
    def proposal(self) -> Proposal | None:
        return self.setup.proposal

    @property
    def schema(self) -> Schema | None:
        revision = self.proposal.schema_revision if self.proposal else None
        return revision.schema if revision else None

    @property
    def prompt(self) -> Prompt | None:
        revision = self.proposal.prompt_revision if self.proposal else None
        return revision.prompt if revision else None

    @property
    def instructions(self) -> str:
        """The whole text of the proposed prompt, as a model is sent it."""
        revision = self.proposal.prompt_revision if self.proposal else None
        return revision.content if revision else ""

    @property
    def tag_name(self) -> str:
        """What the tag is called that it is offered with."""
        return self.prompt.name if self.prompt else ""

    @property
    def may_decide(self) -> bool:
        return self.actor.may(Role.BUILDER)

    @property
    def waits(self) -> bool:
        return self.setup.status == Status.PROPOSED

    @property
    def is_live(self) -> bool:
        """It changes by itself, or by somebody else's decision."""
        return self.waits or self.setup.status in UNDER_WAY

    @property
    def is_lead(self) -> bool:
        return self.proposal is None or self.proposal.lead_id == self.document.pk

    @property
    def is_untried(self) -> bool:
        return self.setup.status in (Status.FAILED, Status.SKIPPED)

    @property
    def seconds(self) -> int:
        """From the beginning of the run to its end; what a person did later does not count."""
        turn = self.turn
        if turn is None:
            return 0
        whole = (turn.finished_at - turn.created_at).total_seconds() if turn.finished_at else turn.worked_ms / 1000
        return max(1, round(whole))

    @property
    def decided_by(self) -> str:
        user = self.setup.decided_by
        if user is None:
            return ""
        return "you" if user == self.actor.user else user.shown_name

    @property
    def found(self) -> str:
        """3 exact, 1 normalized."""
        states = Counter(leaf.state for leaf in self._leaves)
        return ", ".join(f"{states[state]} {word}" for state, word in STATE_WORDS.items() if states[state])

    @property
    def located(self) -> str:
        leaves = [leaf for leaf in self._leaves if leaf.state != "prose"]
        if not leaves and self._leaves:
            return "Free text"
        return f"{sum(leaf.is_located for leaf in leaves)} of {len(leaves)} located" if leaves else "No values"

    @property
    def values(self) -> list[FieldView | TableView]:
        """The first ones, in which those come before the others that a person has to look at."""
        items = self.extraction.items if self.extraction else []
        doubtful = [item for item in items if isinstance(item, FieldView) and item.is_uncertain]
        return [*doubtful, *(item for item in items if item not in doubtful)][:MAX_VALUES]

    @property
    def more_values(self) -> int:
        return max(0, len(self.extraction.items) - MAX_VALUES) if self.extraction else 0

    @property
    def is_shared(self) -> bool:
        return self.group_size > 1

    @property
    def more_members(self) -> int:
        return self.group_size - len(self.members)

    @property
    def version(self) -> str:
        """Changes whenever the card would: one that a person is typing in is left alone until then."""
        proposal, turn = self.proposal, self.turn
        parts: list[object] = [self.setup.status, self.setup.reason, self.setup.decided_at, self.may_decide]
        parts += [turn.round, turn.status] if turn and self.setup.status in UNDER_WAY else []
        parts += [self.group_size, *((member.document_id, member.status) for member in self.members)]
        parts += [self.extraction.id, self.extraction.version] if self.extraction else []
        if proposal:
            parts += [proposal.status, proposal.schema_revision_id, proposal.prompt_revision_id, proposal.note]
        return sha256(repr(parts).encode()).hexdigest()[:12]

    @property
    def _leaves(self) -> list[FieldView]:
        leaves = self.extraction.leaves if self.extraction else []
        return [leaf for leaf in leaves if leaf.state not in WITHOUT_VALUE]


def of_document(actor: Actor, document: Document) -> SetupView | None:
    """The card of this document; None when its setup was never asked for."""
    setup = _rows().filter(document=document).first()
    return _build_view(actor, setup) if setup else None


def of_proposal(actor: Actor, proposal: Proposal, *, document_id: str = "") -> SetupView:
    """The card as one document of the group has it; without an id, the one it was made for. Raises NotFound."""
    rows = _rows().filter(proposal=proposal)
    chosen_id = document_id or proposal.lead_id
    setup = rows.filter(document=chosen_id).first() or (None if document_id else rows.order_by("created_at").first())
    if setup is None:
        raise NotFound("Proposal not found")
    return _build_view(actor, setup)


def count_waiting(document: Document | None) -> int:
    """1 when a proposal waits on this document, for the count on the Agent tab."""
    return AutoSetup.objects.filter(document=document, status=Status.PROPOSED).count() if document else 0


def _rows() -> QuerySet[AutoSetup]:
    return AutoSetup.objects.filter(document__trashed_at=None).select_related(
        "document__organization",
        "requested_by",
        "decided_by",
        "extraction",
        "proposal__lead",
        "proposal__tag",
        "proposal__schema_revision__schema",
        "proposal__prompt_revision__prompt",
    )


def _build_view(actor: Actor, setup: AutoSetup) -> SetupView:
    view = SetupView(setup, actor)
    proposal = setup.proposal
    if proposal is not None:
        members = proposal.members.select_related("document").order_by("created_at", "pk")
        view.members, view.group_size = list(members[:MAX_MEMBERS]), members.count()
        if proposal.schema_revision is not None:
            view.field_count = count_fields(proposal.schema_revision.json_schema)
            view.fields = list_field_lines(proposal.schema_revision.json_schema) if view.waits else []
            view.twins = _find_twins(proposal.schema_revision) if view.waits else []
    view.turn = Turn.objects.filter(pk=_turn_id(view)).select_related("thread__owner").first()
    run = _find_run(setup)
    view.extraction = extraction_view.build_view(run) if run and view.waits else None
    if proposal is not None and view.waits:
        view.checks = list_proposed_checks(proposal)
        view.siblings, view.pages_unread = sibling_rows.list_rows(proposal), _name_unread_pages(proposal)
    if view.may_decide and view.waits:
        view.tags = _list_tags(actor)
        own = refinement_threads.find_own_thread(actor, setup)
        view.refined_in = own.pk if own else ""
    if view.may_decide and (view.waits or view.is_untried):
        effective = agent_settings.effective_settings(actor.organization)
        view.models = [
            model for model in models_catalogue.list_chat_models(actor.organization) if effective.allows(model.name)
        ]
    return view


def _name_unread_pages(proposal: Proposal) -> str:
    """None for a proposal of before the pages were counted."""
    newest = get_newest(proposal.lead) if proposal.lead and proposal.pages_read else None
    return sibling_rows.name_unread_pages(proposal.pages_read, newest.page_count or 0) if newest else ""


def _find_twins(revision: SchemaRevision) -> list[Twin]:
    """Other schemas in force that have the fields of the proposed one."""
    schema = revision.schema
    return schemas.find_twins(schema.organization, revision.json_schema, but=schema.pk)


def _turn_id(view: SetupView) -> str:
    """Of the run that designed it, whichever document of the group that studied."""
    if view.setup.turn_id or view.proposal is None:
        return view.setup.turn_id
    return view.proposal.members.exclude(turn_id="").values_list("turn_id", flat=True).first() or ""


def _find_run(setup: AutoSetup) -> Extraction | None:
    """The newest run of the proposed prompt here: refining runs it again."""
    prompt_revision = setup.proposal.prompt_revision if setup.proposal else None
    if prompt_revision is None:
        return setup.extraction
    rows = Extraction.objects.filter(document=setup.document_id, prompt_revision__prompt=prompt_revision.prompt_id)
    related = ("prompt_revision__prompt", "schema_revision__schema", "document__organization", "reading")
    done = rows.filter(status=Extraction.Status.COMPLETED).select_related(*related)
    return done.order_by("-number").first()


def _list_tags(actor: Actor) -> list[TagChoice]:
    rows = list(Tag.objects.for_org(actor.organization).order_by("name"))
    counts = uses.count_documents_of_tags(rows)
    return [TagChoice(tag.name, counts.get(tag.pk, 0)) for tag in rows]
