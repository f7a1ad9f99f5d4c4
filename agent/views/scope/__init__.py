"""The settings page of scope profiles, with its tester."""
