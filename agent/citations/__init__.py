"""What answers rest on: short names of blocks, citations, and the check that the words stand there."""
