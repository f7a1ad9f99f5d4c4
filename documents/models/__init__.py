from documents.models.definitions import Prompt, PromptRevision, Revision, Schema, SchemaRevision
from documents.models.document import Document, Page, Reading, Tag
from documents.models.extraction import Extraction, FieldEdit, Verification
from documents.models.spending import Budget, LanguageModel, Reservation, Usage

__all__ = [
    "Budget",
    "Document",
    "Extraction",
    "FieldEdit",
    "LanguageModel",
    "Page",
    "Prompt",
    "PromptRevision",
    "Reading",
    "Reservation",
    "Revision",
    "Schema",
    "SchemaRevision",
    "Tag",
    "Usage",
    "Verification",
]
