"""Values of documents in calls and on their cards: the paths of rows, and crops of pages."""
