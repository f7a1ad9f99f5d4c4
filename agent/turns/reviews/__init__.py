"""What an answer rests on, looked for before it is recorded."""
