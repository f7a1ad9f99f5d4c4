"""Bounds that keep a reader from doing anything but reading."""
