"""The documents say what the program does."""
