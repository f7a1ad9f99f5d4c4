"""The scope of a turn: its check before the first round, and the end of a turn that is refused."""
