"""Tools that ask the tables of a file: rows, sums, and what does not fit with other rows."""
