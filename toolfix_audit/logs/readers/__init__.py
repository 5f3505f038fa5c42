"""The log formats, one module each; the first reader that recognises a file reads it."""

from __future__ import annotations

from typing import Final

from toolfix_audit.logs.reader import Reader
from toolfix_audit.logs.readers import dsh, native, openai_messages

READERS: Final[tuple[Reader, ...]] = (dsh.READER, native.READER, openai_messages.READER)
"""Every reader, in the order in which they are asked."""
