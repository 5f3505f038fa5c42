"""Bytes -> records: finds log files, tells their format by content, reads them without loss.

Knows nothing of stores, engines or terminals. What can't be read is a record, never an exception.
"""
