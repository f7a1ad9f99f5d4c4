"""Tables of a page: what files say of their cells, or where words stand, as one structure of rows and cells."""
