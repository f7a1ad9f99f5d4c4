"""Tools about documents: find, read, change, split."""
