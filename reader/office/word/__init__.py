"""The parts of a DOCX file that are more than their text: numbers of lists, equations, chunks of other kinds."""
