"""Bulk actions that calls have begun: their outcome for the model, and the turns that sleep until they end."""
