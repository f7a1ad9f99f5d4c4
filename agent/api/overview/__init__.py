"""Routes of what goes on in an organization: what waits for a person, what works, and what was done."""
