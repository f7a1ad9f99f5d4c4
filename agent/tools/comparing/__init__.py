"""Tools that say what two documents have otherwise: their values, and their texts."""
