"""Joins logs and engine: the kernel, the dry run, the mis-fix check, the gate."""
