"""Old Word and PowerPoint files, which LibreOffice makes PDFs of where it is installed."""
