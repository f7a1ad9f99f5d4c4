"""Questions to every document of a scope, as turns of their own."""
