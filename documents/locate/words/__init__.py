"""The words of the pages, cut and joined as they are looked up."""
