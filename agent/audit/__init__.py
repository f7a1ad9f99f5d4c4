"""The audit log in sentences."""
