"""Where the rows of a table among the values stand."""
