"""The words of languages, as sentences and lines have them: ordinary ones, names, and those that tell something."""
