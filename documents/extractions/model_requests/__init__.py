"""What the extraction model is asked, and what is read of its answers."""
