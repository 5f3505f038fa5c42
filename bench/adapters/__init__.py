"""Adapters that drive the peers, each in a process of its own; see ndjson_loop."""
