"""`python -m toolfix_audit` is `toolfix-audit`."""

from toolfix_audit.cli.app import main

main()
