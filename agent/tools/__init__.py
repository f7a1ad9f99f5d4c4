"""The tools. Importing this package registers each of them."""

from agent.tools import (
    checks,
    clock,
    extraction,
    fields,
    help,
    language_models,
    references,
    results,
    verifying,
)
from agent.tools.answers import citing, opening
from agent.tools.comparing import extractions, texts
from agent.tools.definitions import prompt_changes, prompts, schema_changes, schemas, tags
from agent.tools.documents import (
    catalog,
    changes,
    exporting,
    field_queries,
    pages,
    search,
    trashing,
    viewing,
)
from agent.tools.intake import adding, splitting
from agent.tools.research import file_chunks, reads, scope_reads
from agent.tools.tables import queries
from agent.tools.thread import steps, undoing, wishes

__all__ = [
    "adding",
    "catalog",
    "changes",
    "checks",
    "citing",
    "clock",
    "exporting",
    "extraction",
    "extractions",
    "field_queries",
    "fields",
    "file_chunks",
    "help",
    "language_models",
    "opening",
    "pages",
    "prompt_changes",
    "prompts",
    "queries",
    "reads",
    "references",
    "results",
    "schema_changes",
    "schemas",
    "scope_reads",
    "search",
    "splitting",
    "steps",
    "tags",
    "texts",
    "trashing",
    "undoing",
    "verifying",
    "viewing",
    "wishes",
]
