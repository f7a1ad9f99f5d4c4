"""Tools of a thread itself: its standing wishes, its steps, and undo of its changes."""
