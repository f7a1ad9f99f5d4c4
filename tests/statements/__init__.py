"""Which tests need not run on PostgreSQL too, because others send the same statements from the same functions."""
