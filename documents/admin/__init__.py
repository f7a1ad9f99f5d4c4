from documents.admin import auto_setup, definitions, documents, extractions, spending

__all__ = ["auto_setup", "definitions", "documents", "extractions", "spending"]
