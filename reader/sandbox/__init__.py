"""What keeps a reader from doing anything but reading."""
