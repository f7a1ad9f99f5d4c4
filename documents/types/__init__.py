"""Types of documents: what a document is, told by rules over its words and their layout."""
