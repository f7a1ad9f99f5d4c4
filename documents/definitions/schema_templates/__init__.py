"""Schemas to start from, each a JSON file of this folder, and the prompts that go with them."""
