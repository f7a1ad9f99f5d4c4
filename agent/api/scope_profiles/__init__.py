"""Routes of scope profiles."""
