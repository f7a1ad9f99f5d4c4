"""In which order a page is read: columns are found by the empty strips between them."""
