"""Files of word processors, spreadsheets and presentations, each as blocks."""
