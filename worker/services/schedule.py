"""The scheduler's sweeps and how often they run. Each finds its work in rows and may run at any time, twice too."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore

from accounts.services.connections import retention as connection_retention
from accounts.services.mail import sending
from accounts.services.outbound import retention as outbound_retention
from agent.conversation import deletion, old_events
from agent.outside import servers as outside_servers
from agent.turns import headless
from agent.turns import sweep as agent_sweep
from documents import bulk, extractions
from documents.autosetup import lookalikes
from documents.bulk import answering
from documents.bulk.retention import delete_old as delete_old_actions
from documents.extractions.post_read_triggers import trigger_prompts
from documents.extractions.rechecking import recheck_duplicates
from documents.find.research import condensing, ranking
from documents.index.values.indexing import index_old_runs
from documents.index.vectors import embedding, query_vectors
from documents.index.words import indexing
from documents.intake import parts
from documents.intake.borders import note_waiting
from documents.reading import derived_files, reading
from documents.retention import orphans
from documents.types import asking, telling
from kit import jobs
from kit.rows import statistics
from llm import model_calls
from llm.money import spending
from worker.services import backups

DAY_SECONDS = 86_400.0


@dataclass(frozen=True)
class Sweep:
    name: str
    every_seconds: float
    run: Callable[[], object]


def _ask_for_models() -> None:
    """By a job: the list comes from litellm, which only the agent worker imports."""
    jobs.send(jobs.Job.SYNC_MODELS, "")


def _remove_leftovers() -> None:
    orphans.remove_leftovers()
    backups.remove_old(settings.DATA_DIR / "backups", days=settings.BACKUP_DAYS)


SWEEPS: tuple[Sweep, ...] = (
    Sweep("readings", 3.0, reading.requeue_lost_readings),
    Sweep("mails and archives", 10.0, parts.unpack_waiting),
    Sweep("types of documents", 3.0, telling.tell_waiting),
    Sweep("types that a model is asked for", 5.0, asking.wake_asking),
    Sweep("prompts of what was read", 3.0, trigger_prompts),
    Sweep("runs held for a former type", 5.0, extractions.reconsider_stale),
    Sweep("documents that look alike", 5.0, lookalikes.compare_waiting),
    Sweep("borders of bundles", 10.0, note_waiting),
    Sweep("extractions", 3.0, extractions.requeue_lost_extractions),
    Sweep("duplicates of values", 10.0, recheck_duplicates),
    Sweep("values for filters", 5.0, index_old_runs),
    Sweep("words of pages", 3.0, indexing.wake_indexing),
    Sweep("vectors of pages", 5.0, embedding.wake_embedding),
    Sweep("vectors of searches", 60.0, query_vectors.delete_old),
    Sweep("old answers of readings", 3600.0, condensing.delete_old),
    Sweep("old orders of documents", 3600.0, ranking.delete_old),
    Sweep("bulk actions", 3.0, bulk.requeue_lost_actions),
    Sweep("documents that are asked", 3.0, answering.requeue_lost_items),
    Sweep("turns and calls", 3.0, agent_sweep.run_once),
    Sweep("automatic setup", 3.0, headless.sweep),
    Sweep("reservations", 30.0, spending.book_expired),
    Sweep("bare model calls", 60.0, model_calls.clean_up),
    Sweep("what is deleted for good", 10.0, deletion.run_once),
    Sweep("mails", 10.0, sending.requeue_mails),
    Sweep("tools of outside servers", 60.0, outside_servers.wake_listings),
    Sweep("old mails", 3600.0, sending.delete_old),
    Sweep("caches", 3600.0, derived_files.trim),
    Sweep("stored files", 60.0, orphans.FilesCheck().run_once),
    Sweep("files that nobody needs", 3600.0, _remove_leftovers),
    Sweep("events of threads", 3600.0, old_events.delete_old),
    Sweep("old bulk actions", 3600.0, delete_old_actions),
    Sweep("old requests to the outside", 3600.0, outbound_retention.delete_old),
    Sweep("connections of programs", 600.0, connection_retention.clean_up),
    Sweep("sessions", DAY_SECONDS, SessionStore.clear_expired),
    Sweep("statistics", 3600.0, statistics.keep),
    Sweep("model catalogue", 6 * 3600.0, _ask_for_models),
)
