from documents.admin import definitions, documents, extractions, spending

__all__ = ["definitions", "documents", "extractions", "spending"]
