"""The settings, a page a subject."""
