from documents.models.auto_setup import AutoSetup, Proposal, ProposalSibling, Sketch
from documents.models.bulk import BULK_ITEM_LEASE, BULK_LEASE, BulkAction, BulkItem, ResultFile
from documents.models.current_value import CurrentValue
from documents.models.data_folder import DataFolder
from documents.models.definitions import Prompt, PromptRevision, Revision, Schema, SchemaRevision
from documents.models.document import UNPACKING_LEASE, Document, ReasonCode, Tag
from documents.models.document_type import DocumentType, HeldRun, TypeDecision, TypeModelChoice
from documents.models.duplicate_key import DuplicateKey
from documents.models.extraction import EXTRACTION_LEASE, Extraction, FieldEdit, Verification
from documents.models.metadata import MetadataPair, PaperMark
from documents.models.reading import INDEXING_LEASE, READING_LEASE, Page, Reading, ReadingShare
from documents.models.review_time import ReviewTime
from documents.models.saved_view import ColumnChoice, ResultChoice, SavedView
from documents.models.search import (
    CondensedReading,
    EmbeddingChoice,
    FileChunk,
    IndexedPage,
    IndexedWord,
    PageChunk,
    QueryVector,
    RankedDocuments,
    StoredComparison,
    WordIndex,
)
from llm.models import (
    Budget,
    LanguageModel,
    ModelCall,
    ModelPrice,
    ModelProvider,
    ProviderKey,
    Reservation,
    Usage,
    UsageDay,
)

__all__ = [
    "BULK_ITEM_LEASE",
    "BULK_LEASE",
    "EXTRACTION_LEASE",
    "INDEXING_LEASE",
    "READING_LEASE",
    "UNPACKING_LEASE",
    "AutoSetup",
    "Budget",
    "BulkAction",
    "BulkItem",
    "ColumnChoice",
    "CondensedReading",
    "CurrentValue",
    "DataFolder",
    "Document",
    "DocumentType",
    "DuplicateKey",
    "EmbeddingChoice",
    "Extraction",
    "FieldEdit",
    "FileChunk",
    "HeldRun",
    "IndexedPage",
    "IndexedWord",
    "LanguageModel",
    "MetadataPair",
    "ModelCall",
    "ModelPrice",
    "ModelProvider",
    "Page",
    "PageChunk",
    "PaperMark",
    "Prompt",
    "PromptRevision",
    "Proposal",
    "ProposalSibling",
    "ProviderKey",
    "QueryVector",
    "RankedDocuments",
    "Reading",
    "ReadingShare",
    "ReasonCode",
    "Reservation",
    "ResultChoice",
    "ResultFile",
    "ReviewTime",
    "Revision",
    "SavedView",
    "Schema",
    "SchemaRevision",
    "Sketch",
    "StoredComparison",
    "Tag",
    "TypeDecision",
    "TypeModelChoice",
    "Usage",
    "UsageDay",
    "Verification",
    "WordIndex",
]
