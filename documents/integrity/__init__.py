"""Whether what is found by says what was read: indexes of words, vectors and values, compared with their sources."""
