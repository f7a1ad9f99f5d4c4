"""Prompts run on documents, their results, and the models that do it."""
