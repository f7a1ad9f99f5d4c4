"""Pages for files that have none: blocks of text and tables, set on pages and drawn by us."""
