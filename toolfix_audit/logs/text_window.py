"""The text of a document around the place where it is being read: values are taken off it one by
one, and only the one at hand is held."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from typing import Final

from toolfix_audit.logs.blocks import Damage
from toolfix_audit.model.json import Json, JsonError, parse_prefix
from toolfix_audit.model.json_errors import skip_space

MAX_VALUE_CHARACTERS: Final = 64 * 1024 * 1024
"""A larger single value is refused as unreadable."""

_BOM: Final = "\ufeff"
_CUT: Final = "the document is cut: it ends inside a value"


class TextWindow:
    """Decoded blocks, of which `text` is at hand and `position` is where reading stands. `cause`
    says why reading ended early, `is_full` that a value was too large."""

    def __init__(
        self,
        blocks: Iterator[bytes | Damage],
        limit: int = MAX_VALUE_CHARACTERS,
        place: tuple[int, int] = (1, 0),
    ) -> None:
        """Begin at a place, by default at the start of a file, where a byte order mark is no
        part of the text."""
        self._blocks = blocks
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._limit = limit
        self._line, self._offset = place
        self._ended = False
        self.cause: str | None = None
        self.is_full = False
        self.text = ""
        self.position = 0
        if self.peek() == _BOM:
            self._consume(self.position + 1)

    @property
    def place(self) -> tuple[int, int]:
        """The 1-based line and the byte offset of the position."""
        return self._line, self._offset

    def peek(self) -> str:
        """The next character that is no space; the empty text at the end."""
        while True:
            end = skip_space(self.text, self.position)
            if end < len(self.text) or self._ended:
                self._consume(end)
                return self.text[self.position : self.position + 1]
            self._grow(1)

    def take_mark(self) -> None:
        """Pass one character."""
        self._consume(self.position + 1)

    def expect(self, mark: str) -> None:
        """Pass a character that must be there.

        Raises:
            JsonError: there is another, or none.
        """
        found = self.peek()
        if found != mark:
            raise JsonError(f"Expecting {mark!r} delimiter", self.position, at_end=not found)
        self.take_mark()

    def take_value(self) -> Json:
        """Read the value that comes next. On an error the position stays where it starts.

        Raises:
            JsonError: it is broken, cut or too large.
        """
        self.peek()
        while True:
            try:
                value, end = parse_prefix(self.text, self.position)
            except JsonError as error:
                if self._ended or not error.at_end:
                    raise
                self._grow(len(self.text))
                continue
            if end == len(self.text) and not self._ended:
                self._grow(1)  # a number may go on
                continue
            if end - self.position > self._limit:
                raise self._too_large()
            self._consume(end)
            return value

    def failure(self, error: JsonError) -> str:
        """Why reading ended with that error, in one line."""
        if self.cause:
            return self.cause
        message = error.args[0].rsplit(" at character ", 1)[0]
        return _CUT if error.at_end else f"not JSON: {message}"

    def rest(self) -> TextWindow:
        """A window of its own over the text at hand from the position on."""
        rest = self.text[self.position :].encode()
        return TextWindow(iter((rest,)), len(rest), self.place)

    def _consume(self, end: int) -> None:
        gone = self.text[self.position : end]
        self._line += gone.count("\n")
        self._offset += len(gone) if gone.isascii() else len(gone.encode())
        self.position = end
        if end > len(self.text) // 2:
            self.text = self.text[end:]
            self.position = 0

    def _grow(self, wanted: int) -> None:
        """Read on until `wanted` more characters are there, the limit is reached, or the end."""
        room = self._limit + 1 - (len(self.text) - self.position)
        if room <= 0:
            raise self._too_large()
        parts = [self.text]
        missing = min(wanted, room)
        while missing > 0 and not self._ended:
            part = self._next_text()
            parts.append(part)
            missing -= len(part)
        self.text = "".join(parts)

    def _too_large(self) -> JsonError:
        self.is_full = True
        self._stop(f"a value has more than {self._limit} characters")
        return JsonError("Value too large", self.position)

    def _next_text(self) -> str:
        block = next(self._blocks, None)
        if isinstance(block, Damage):
            self._stop(block.cause)
            return ""
        try:
            if block is not None:
                return self._decoder.decode(block)
        except UnicodeDecodeError as error:
            self._stop(f"not UTF-8: byte 0x{error.object[error.start]:02x}")
            return error.object[: error.start].decode()
        rest = len(self._decoder.getstate()[0])
        self._stop(f"not UTF-8: the last {rest} bytes are no character" if rest else None)
        return ""

    def _stop(self, cause: str | None) -> None:
        self._ended = True
        self.cause = cause
