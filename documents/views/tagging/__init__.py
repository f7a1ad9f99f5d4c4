"""Tags by hand: the picker, the chips of a document, the tags of the next upload."""
