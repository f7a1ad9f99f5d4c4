"""Around an upload: the tags it gets, and what becomes of a drop."""
