"""Models that write nothing: numbers for texts, and an order of texts."""
