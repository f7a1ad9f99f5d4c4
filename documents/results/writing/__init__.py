"""The forms of a file of results. Each gives its bytes in parts while documents are added, and the rest at the end."""
