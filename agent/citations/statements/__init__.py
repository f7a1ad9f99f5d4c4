"""What a sentence says, and whether it stands in the lines that it names: by rules, without a model or rows."""
