from documents.admin import (
    auto_setup,
    bulk,
    definitions,
    document_types,
    documents,
    extractions,
    folders,
    search,
    spending,
)

__all__ = [
    "auto_setup",
    "bulk",
    "definitions",
    "document_types",
    "documents",
    "extractions",
    "folders",
    "search",
    "spending",
]
