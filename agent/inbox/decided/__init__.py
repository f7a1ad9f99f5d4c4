"""What people have decided today: one module a kind of thing that is decided, and the list of all."""
