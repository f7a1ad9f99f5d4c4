"""Pictures, each through the one decoder of its kind."""
