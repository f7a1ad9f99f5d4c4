"""Tools about the answer itself: what proves it, and where that opens."""
