"""An answer that denies something of all documents offers to ask every one of them, with the price."""

from __future__ import annotations

from dataclasses import dataclass

from accounts.actor import Actor
from agent.models import Turn
from agent.turns.surveys.survey_retry import read_question
from documents.find import scopes
from documents.find.research.surveying import estimate_micros
from documents.models import Document
from kit.errors import AppError
from kit.events import organization_group
from kit.group_cache import get_or_compute
from llm.money.budgets import format_dollars

MAX_DOCUMENTS = 2_000


@dataclass(frozen=True)
class FullPass:
    turn_id: str
    price: str

    @property
    def words(self) -> str:
        return f"Ask every document ({self.price})"


def find_full_pass(actor: Actor, turn: Turn) -> FullPass | None:
    """None where the turn asks nothing, or of more documents than are asked at once."""
    if not read_question(turn):
        return None
    group = organization_group(actor.organization.pk)
    micros = get_or_compute(group, f"full pass of {turn.pk}", lambda: _estimate(actor, turn))
    return None if micros is None else FullPass(turn.pk, format_dollars(micros) if micros else "free")


def _estimate(actor: Actor, turn: Turn) -> int | None:
    try:
        rows = (
            scopes.select_documents(actor, turn.scope) if turn.scope else Document.objects.for_org(actor.organization)
        )
    except AppError:
        return None
    ids = list(rows.order_by("-created_at", "-pk").values_list("pk", flat=True)[: MAX_DOCUMENTS + 1])
    if not ids or len(ids) > MAX_DOCUMENTS:
        return None
    return estimate_micros(actor, ids, read_question(turn), turn.model)
