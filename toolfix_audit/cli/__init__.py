"""The command line: the only place that prints, exits, and reads environment or configuration.

Modules here import nothing heavy at the top: `--help` and `--version` stay quick.
"""
