"""The check after a tool: no foreign item is asked for, kept in a result or changed where a scope profile holds."""
