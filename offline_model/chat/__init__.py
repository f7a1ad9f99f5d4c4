"""The conversation of the offline model: what was asked and done so far, and the step that comes next."""
