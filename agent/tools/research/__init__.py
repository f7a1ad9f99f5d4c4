"""Tools that answer from many documents."""
