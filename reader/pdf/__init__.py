"""PDF through PDFium: its text layer, its pictures, and PDFs that are made of pictures."""
