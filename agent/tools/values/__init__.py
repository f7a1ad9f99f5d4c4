"""Extractions as a model reads them, long lists in short."""
