"""The export of a corpus."""
