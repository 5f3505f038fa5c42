"""Family G, leaked-call: calls that a model wrote as text or reasoning, found and judged.

`detect(message, tools)` says what leaked, with arguments typed by the schemas alone, and whether
the calls could be made as they stand. Detection only: nothing is run, and nothing is rewritten.
"""

from toolfix_audit.engine.leaks.detect import detect
from toolfix_audit.engine.leaks.leak import (
    Detection,
    Leak,
    LeakedCall,
    Message,
    Refusal,
    StructuredCall,
)
from toolfix_audit.engine.leaks.syntaxes import SYNTAXES

__all__ = [
    "SYNTAXES",
    "Detection",
    "Leak",
    "LeakedCall",
    "Message",
    "Refusal",
    "StructuredCall",
    "detect",
]
