"""Turns that are refused for what their calls asked for or brought."""
