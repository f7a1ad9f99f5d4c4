"""What an agent can do for a person, task by task, with any model. See `__main__`."""
