"""The parts of an XLSX file: its cells, its formats, and what lies beside its cells."""
