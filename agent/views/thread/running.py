"""What goes on in a thread at the moment, for the strip above the composer: what, how far, how long, for how much."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils import timezone

from agent.cards.steps import describe_beginning
from agent.models import ToolCall, Turn
from agent.turns.turn_views import RUNS
from agent.views.thread.thread_items import Live
from documents.bulk import get_kind
from documents.bulk.progress import count_settled
from kit.processes import heartbeats

WORKING = (Turn.Status.QUEUED, Turn.Status.RUNNING)
WRITING, AT_WORK = "Writing the answer", "The agent is working"


@dataclass(frozen=True)
class Running:
    """`seconds` have passed since it began, or since a person last decided something; `visited` of `documents` are done
    where a step goes through many.
    """

    turn: Turn
    doing: str
    seconds: int
    visited: int = 0
    documents: int = 0

    @property
    def version(self) -> str:
        """The page counts the seconds itself."""
        return f"{self.doing}-{self.visited}-{self.documents}-{self.turn.spent_micros}"


def build_running(turn: Turn | None, calls: Sequence[ToolCall]) -> Running | None:
    """None while it waits for a person, or for an agent that does not run."""
    if turn is None or turn.thread.organization.agent_stopped:
        return None
    own = [call for call in calls if call.turn_id == turn.pk]
    under_way = [call for call in own if call.status in RUNS or call.job_id]
    if turn.status not in WORKING and not under_way:
        return None
    seconds = _count_seconds(turn, own)
    if not under_way:
        return Running(turn, _describe_round(turn), seconds)
    if job := under_way[0].job:
        doing = get_kind(job.kind).describe_progress(job.arguments)
        return Running(turn, doing, seconds, count_settled(job), job.total_count)
    progress = (under_way[0].result or {}).get("progress", {})
    visited, documents = progress.get("visited", 0), progress.get("documents", 0)
    return Running(turn, describe_beginning(under_way[0]), seconds, visited, documents)


def _describe_round(turn: Turn) -> str:
    """Nobody tells the page that a worker has begun, so a turn that waits for its first moment is at work too."""
    live = Live(key="", turn=turn, version="", is_away=heartbeats.is_away("agent"))
    if live.is_away or turn.not_before:
        return live.doing
    return WRITING if turn.partial_text else AT_WORK


def _count_seconds(turn: Turn, calls: Sequence[ToolCall]) -> int:
    decided = [decision.created_at for call in calls for decision in call.decisions.all()]
    return max(0, round((timezone.now() - max([turn.created_at, *decided])).total_seconds()))
