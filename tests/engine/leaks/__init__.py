"""Leaked calls."""
