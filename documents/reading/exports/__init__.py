"""What was read, in forms that other programs take."""
