"""Files that are text with a structure of its own: each as blocks whose addresses are those of its structure."""
