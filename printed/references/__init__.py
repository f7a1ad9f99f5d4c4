"""Words by which people point at objects and at rows of tables."""
