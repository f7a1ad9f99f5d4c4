from documents.admin import auto_create, definitions, documents, extractions, spending

__all__ = ["auto_create", "definitions", "documents", "extractions", "spending"]
