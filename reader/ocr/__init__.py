"""From the picture of a page to words with boxes."""
