"""Recorded answers of models, run through the rewriter as a proxy would: a rehearsal."""

from toolfix_audit.audit.replay.captured import Opened, captured_answers
from toolfix_audit.audit.replay.pieces import Captured, Piece, schemas_of
from toolfix_audit.audit.replay.run import Change, Rehearsal, replay

__all__ = [
    "Captured",
    "Change",
    "Opened",
    "Piece",
    "Rehearsal",
    "captured_answers",
    "replay",
    "schemas_of",
]
