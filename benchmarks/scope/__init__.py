"""How well scope profiles judge, and what they add to a turn."""
