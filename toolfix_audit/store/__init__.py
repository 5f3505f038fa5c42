"""The embedded store: one DuckDB file that holds what was read and what a dry run found.

`store.store` opens it and answers questions, `store.load` fills it. This file imports neither,
so that `--help` does not pay for DuckDB.
"""
