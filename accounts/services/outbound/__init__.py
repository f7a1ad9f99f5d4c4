"""Requests to addresses that a person, a model or another server gives: rules, rows, and the one way to make one."""
