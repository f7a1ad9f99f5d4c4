"""The tools. Importing this package registers each of them."""

from agent.tools import documents, extraction, fields, help, language_models, pages, results, search, splitting
from agent.tools.definitions import prompt_changes, prompts, schema_changes, schemas, tags

__all__ = [
    "documents",
    "extraction",
    "fields",
    "help",
    "language_models",
    "pages",
    "prompt_changes",
    "prompts",
    "results",
    "schema_changes",
    "schemas",
    "search",
    "splitting",
    "tags",
]
