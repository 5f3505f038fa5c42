"""Injection: plants defects of known truth in valid calls, and says what the engine makes of them.
A defect is planted only where the rules prove its repair."""

from toolfix_audit.audit.inject.corpus import made_calls, valid_calls
from toolfix_audit.audit.inject.run import Deviation, Fate, Injection, Plan, inject
from toolfix_audit.audit.inject.subject import Planted, Subject

__all__ = [
    "Deviation",
    "Fate",
    "Injection",
    "Plan",
    "Planted",
    "Subject",
    "inject",
    "made_calls",
    "valid_calls",
]
