"""toolfix-audit: prove what a tool-call repair engine would do, on your own logs.

This package file imports nothing, so that a proxy can import `toolfix_audit.engine` alone.
"""
