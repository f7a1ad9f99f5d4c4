"""Whether lines prove a sentence whose facts stand in them: its words, who does what, and what turns it around."""
