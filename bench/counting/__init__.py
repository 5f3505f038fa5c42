"""Counting calls in real logs with the readers of others, and with this project's."""
