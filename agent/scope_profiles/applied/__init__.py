"""Scope profiles as they hold for a turn: which ones, what is foreign by them, and how a refusal is worded."""
