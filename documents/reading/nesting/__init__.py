"""The structure of files whose lines stand inside of each other."""
