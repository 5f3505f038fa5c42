"""The supervisor of a foreign engine or judge: started once, timed, restarted, never trusted.

A request is a JSON object with an `id`, an answer the object with the same `id`. Requests are
asked one at a time. A request that got no answer is not asked again.
"""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Final

from toolfix_audit.audit.foreign.child import Child, NoLineError
from toolfix_audit.model.errors import ToolfixError
from toolfix_audit.model.json import Json, JsonError, dump_json, parse_json

SECONDS: Final = 10.0
"""So long may one answer take."""

MAX_RESTARTS: Final = 3
"""So often in a row a process is started again without one answer in between."""

_START_SECONDS: Final = 30.0
_WATCH_SECONDS: Final = 0.3
_NOISE_SECONDS: Final = 1.0
_MAX_REFUSED: Final = 10_000
_GREETING: Final[Mapping[str, Json]] = {"hello": True}


class ForeignError(ToolfixError):
    """A foreign engine or judge can't be used: not there, or without answers again and again."""

    def at(self, call: str) -> ForeignError:
        """The same error, naming the call that was being audited."""
        return ForeignError(f"{self.message} (at call {call})", hint=self.hint)


class NoAnswerError(Exception):
    """One request got no answer; the process is ready for the next. `kind` is one word."""

    def __init__(self, kind: str, cause: str) -> None:
        super().__init__(cause)
        self.kind = kind


@dataclass(frozen=True, slots=True)
class Command:
    """What to start. `label` is its name in messages and reports, `mend` what to do where it
    can't be started; with `greets` it answers a greeting with its name and version."""

    label: str
    argv: tuple[str, ...]
    mend: str
    greets: bool = False


@dataclass(slots=True)
class Process:
    """A supervised process. `version` is what it told of itself, `failures` counts the requests
    without an answer by kind: `timeout`, `died`, `garbage`, `incomplete`, `error`."""

    command: Command
    seconds: float = SECONDS
    version: str = "unknown"
    failures: Counter[str] = field(default_factory=Counter)
    _child: Child | None = None
    _starts: int = 0
    _asked: int = 0
    _refused: dict[bytes, NoAnswerError] = field(default_factory=dict)
    _last: str = ""

    def start(self) -> None:
        """Start it, if it is not running, and see that it stays.

        Raises:
            ForeignError: it can't be started, or ends at once.
        """
        if self._child is None:
            self._start()

    def ask(
        self,
        request: Mapping[str, Json],
        *,
        holds: Collection[str] = (),
        schema_text: str | None = None,
    ) -> dict[str, Json]:
        """The answer to a request; `schema_text` is the JSON text of its `schema`. An object
        without any of the keys that it `holds` (the first one is what was asked for) is none.

        Raises:
            NoAnswerError: there is none, and the next request may be asked.
            ForeignError: there was none too often in a row.
        """
        body = _body(request, schema_text)
        digest = hashlib.sha256(body.encode()).digest()
        if digest in self._refused:
            raise self._fail(digest, self._refused[digest])
        try:
            return self._ask(body, holds)
        except NoLineError as error:
            if error.kind != "died":
                raise self._fail(digest, NoAnswerError(error.kind, str(error))) from None
        try:  # it may have ended before this request: ask a fresh one
            return self._ask(body, holds)
        except NoLineError as error:
            raise self._fail(digest, NoAnswerError(error.kind, str(error))) from None

    def close(self) -> None:
        """End the process; it may be asked again, which starts it anew."""
        if self._child is not None:
            self._child.close(gently=True)
            self._child = None

    def _ask(self, body: str, holds: Collection[str]) -> dict[str, Json]:
        child = self._child or self._start()
        try:
            answer = self._exchange(child, body, self.seconds)
            _require(answer, holds)
        except NoLineError as error:
            self._drop(str(error))
            raise
        except BaseException:  # interrupted: what is half asked must not answer the next
            self._drop("interrupted")
            raise
        self._starts = 0
        told = answer.get("version")
        self.version = told if isinstance(told, str) else self.version
        return answer

    def _start(self) -> Child:
        if self._starts > MAX_RESTARTS:
            raise ForeignError(
                f"{self.command.label}: no answer {self._starts} times in a row;"
                f" the last time: {self._last}",
                hint="run the command by hand with one request, or raise --timeout",
            )
        self._starts += 1
        try:
            child = Child(self.command.argv)
        except OSError as error:
            message = f"{self.command.label}: {self.command.argv[0]}: {error.strerror or error}"
            raise ForeignError(message, hint=self.command.mend) from None
        self._child = child
        if self.command.greets:
            self._greet(child)
        elif child.has_ended(_WATCH_SECONDS if self._starts == 1 else 0.0):
            raise self._not_started("it ended at once")
        return child

    def _greet(self, child: Child) -> None:
        try:
            answer = self._exchange(child, _body(_GREETING, None), _START_SECONDS)
        except NoLineError as error:
            raise self._not_started(str(error)) from None
        told = answer.get("version")
        self.version = told if isinstance(told, str) else self.version

    def _not_started(self, cause: str) -> ForeignError:
        child = self._child
        self._drop(cause)
        words = child.last_words() if child else ()
        said = next((word for word in words if word.startswith("install: ")), None)
        mend = said.removeprefix("install: ") if said else self.command.mend
        plain = [word for word in words if not word.startswith("install: ")]
        return ForeignError(f"{self.command.label}: {plain[-1] if plain else cause}", hint=mend)

    def _exchange(self, child: Child, body: str, seconds: float) -> dict[str, Json]:
        """Send a request and wait for its answer; other lines may come before it, not long."""
        self._asked += 1
        identity = f"r{self._asked}"
        child.send(f'{{"id":"{identity}"{body}}}')
        deadline, noise = time.monotonic() + seconds, b""
        while True:
            try:
                line = child.line(deadline)
            except NoLineError as error:
                if error.kind != "timeout":
                    raise
                if noise:
                    raise NoLineError("garbage", f"garbage: {_shown(noise)}") from None
                raise NoLineError("timeout", f"no answer within {seconds:g} s") from None
            answer = _object(line)
            if answer is not None and answer.get("id") == identity:
                return answer
            noise = noise or line
            deadline = min(deadline, time.monotonic() + _NOISE_SECONDS)

    def _drop(self, cause: str) -> None:
        self._last = cause
        if self._child is not None:
            self._child.close()
            self._child = None

    def _fail(self, digest: bytes, error: NoAnswerError) -> NoAnswerError:
        self.failures[error.kind] += 1
        if len(self._refused) >= _MAX_REFUSED:
            self._refused.clear()
        self._refused[digest] = error
        return error


def _require(answer: Mapping[str, Json], holds: Collection[str]) -> None:
    """Raise NoLineError where an answer says nothing of what was asked, such as an echo."""
    if holds and not any(key in answer for key in holds):
        told = ", ".join(list(answer)[:8])
        wanted = " and no ".join(f"`{key}`" for key in holds)
        raise NoLineError("incomplete", f"its answer holds no {wanted}, only {_shown_text(told)}")


def _body(request: Mapping[str, Json], schema_text: str | None) -> str:
    members = [f",{dump_json(key)}:{dump_json(member)}" for key, member in request.items()]
    if schema_text is not None:
        members.insert(0, f',"schema":{schema_text}')
    return "".join(members)


def _object(line: bytes) -> dict[str, Json] | None:
    try:
        value = parse_json(line.decode("utf-8", "replace"))
    except JsonError:
        return None
    return value if isinstance(value, dict) else None


def _shown(line: bytes) -> str:
    return _shown_text(line[:400].decode("utf-8", "replace").strip())


def _shown_text(text: str) -> str:
    return "".join(char if char.isprintable() else "?" for char in text)[:120]
