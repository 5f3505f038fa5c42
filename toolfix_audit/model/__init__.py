"""Frozen records, enums and lossless JSON values; imports nothing of ours."""
