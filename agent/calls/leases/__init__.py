"""Approved calls, taken by a process for as long as it runs them."""
