"""Numbers of OpenDocument: those before its paragraphs, and the formats of its cells."""
