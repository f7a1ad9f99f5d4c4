"""Slides: where their boxes stand, and what is in them."""
