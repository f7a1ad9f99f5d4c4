"""The fields of a document: its rows and cells, the words and values in them, and a schema filled from them."""
