"""The administration as a whole: its site, and the groups of its records."""
