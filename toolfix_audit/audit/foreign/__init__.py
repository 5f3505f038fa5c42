"""Clients of engines and judges in other processes, and the supervisor that keeps them honest.

The processes speak lines of JSON; docs/proof.md describes both protocols.
"""

from toolfix_audit.audit.foreign.engine import ForeignEngine
from toolfix_audit.audit.foreign.judge import ForeignJudge
from toolfix_audit.audit.foreign.pool import check_spec, compiler_of, engine_of
from toolfix_audit.audit.foreign.process import Command, ForeignError, NoAnswerError, Process

__all__ = [
    "Command",
    "ForeignEngine",
    "ForeignError",
    "ForeignJudge",
    "NoAnswerError",
    "Process",
    "check_spec",
    "compiler_of",
    "engine_of",
]
