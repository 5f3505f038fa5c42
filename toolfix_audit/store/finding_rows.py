"""What stands beside the calls, out of the store: a page at a time, each thing once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import groupby
from typing import Any, Final, NamedTuple

from toolfix_audit.store import finding_queries as queries
from toolfix_audit.store.connect import writing
from toolfix_audit.store.store import Store

PAGE_ROWS: Final = 2048
PAGE_CHARACTERS: Final = 8_000_000
PAGE_SESSIONS: Final = 64
_DIGITS: Final = 8


class TextRow(NamedTuple):
    """A text of a model, with what tells the tools that its request offered: the tool list in
    force, or else the harness and the tools that the session called."""

    source: int
    position: int
    session: str
    path: str
    digest: str
    text: str
    reasoning: bool
    has_calls: bool
    finish_reason: str | None
    model: str | None
    catalog: str | None
    harness: str | None
    version: str | None
    called: list[str] | None


class CallRow(NamedTuple):
    """A call, with what tells the tools that its request offered."""

    call: str
    session: str
    path: str
    tool: str
    arguments: str
    model: str | None
    catalog: str | None
    harness: str | None
    version: str | None
    called: list[str] | None


class ResultRow(NamedTuple):
    """A result, with the call that it answers, if any."""

    position: int
    session: str
    path: str
    digest: str
    call_id: str | None
    is_error: bool
    text: str
    blocks: str | None
    call: str | None
    tool: str | None
    model: str | None


class StreamRow(NamedTuple):
    """A failed stream; `model` spoke last before it."""

    position: int
    session: str
    path: str
    digest: str
    shown: str
    code: str | None
    raw: str | None
    model: str | None


class ActRow(NamedTuple):
    """A call, a result or a text of a session, without its content. A copy of what another
    session tells is no find of this one; a split session stands in several files."""

    source: int
    session: str
    path: str
    digest: str
    position: int
    part: str
    call_id: str | None
    call_position: int | None
    tool: str | None
    model: str | None
    call: str | None
    is_copy: bool
    is_split: bool


class TurnRow(NamedTuple):
    """A part of a session: a `text`, its `reasoning`, a `call` or a `result`."""

    position: int
    part: str
    finish_reason: str | None
    has_calls: bool


def place_key(digest: str, position: int) -> str:
    """A name for a record that is the same in every store: made as the ids of calls are."""
    return sha256(f"{digest}:{position}".encode()).hexdigest()[:_DIGITS]


def telling_texts(store: Store, pattern: str) -> Iterator[TextRow]:
    """The texts in which a pattern of RE2 is found, in the order of their sources."""
    for row in _pages(store, queries.MATCH_TEXTS, queries.TEXTS, {"pattern": pattern}):
        yield TextRow(*row)


def telling_calls(store: Store, pattern: str) -> Iterator[CallRow]:
    """The calls in whose name or arguments a pattern is found."""
    for row in _pages(store, queries.MATCH_CALLS, queries.CALLS, {"pattern": pattern}):
        yield CallRow(*row)


def telling_results(store: Store, head: str, marks: str) -> Iterator[ResultRow]:
    """The results whose text begins like `head` and holds one of the marks, or whose blocks do."""
    told = {"head": head, "marks": marks}
    for row in _pages(store, queries.MATCH_RESULTS, queries.RESULTS, told):
        yield ResultRow(*row)


def odd_results(store: Store) -> Iterator[ResultRow]:
    """The results whose content is neither a text nor a list of blocks that name their type."""
    for row in _pages(store, queries.MATCH_SHAPES, queries.RESULTS, {}):
        yield ResultRow(*row)


def failed_streams(store: Store) -> Iterator[StreamRow]:
    """Every failed stream."""
    rows = store.connection.execute(queries.STREAMS).fetchall()
    yield from (StreamRow(*row) for row in rows)


def odd_sessions(store: Store) -> Iterator[list[ActRow]]:
    """The sessions whose calls and results may not match, each with all its acts in order; one
    that stands in several files once for each."""
    nothing: dict[str, object] = {}
    plan = ((queries.PAIR_PAGES, {"rows": PAGE_SESSIONS}), (queries.GONE, nothing))
    acts = (ActRow(*row) for row in _rows(store, plan, queries.PAIRS))
    for _, session in groupby(acts, key=lambda act: (act.source, act.session)):
        yield list(session)


def results_of(store: Store, source: int, position: int) -> list[ResultRow]:
    """The results of one call."""
    plan = ((queries.RESULTS_OF, {"source": source, "position": position}),)
    return [ResultRow(*row) for row in _rows(store, plan, queries.RESULTS)]


def acts_of(store: Store, source: int, session: str) -> list[ActRow]:
    """The acts of one session in one source, in order."""
    nothing: dict[str, object] = {}
    plan = ((queries.SESSION_OF, {"source": source, "session": session}), (queries.GONE, nothing))
    return [ActRow(*row) for row in _rows(store, plan, queries.PAIRS)]


def turns(store: Store, source: int, session: str) -> list[TurnRow]:
    """Who spoke when in a session of one source."""
    found = store.connection.execute(queries.TURNS, {"source": source, "session": session})
    return [TurnRow(*row) for row in found.fetchall()]


def _pages(
    store: Store, match: str, page: str, told: Mapping[str, object]
) -> Iterator[tuple[Any, ...]]:
    """The rows of what matches, once each."""
    limits = {"rows": PAGE_ROWS, "size": PAGE_CHARACTERS}
    return _rows(store, ((match, told), (queries.PAGES, limits)), page)


def _rows(
    store: Store, plan: Sequence[tuple[str, Mapping[str, object]]], page: str
) -> Iterator[tuple[Any, ...]]:
    """The rows of all pages that a plan makes; one page is held at a time."""
    with writing(store.path):
        store.connection.execute(queries.DROP)
        for statement, parameters in plan:
            store.connection.execute(statement, dict(parameters))
        bounds = store.connection.execute(queries.PAGE_BOUNDS).fetchall()
    for number, first, last in bounds:
        place = {"page": number, "first": first, "last": last}
        yield from store.connection.execute(page, place).fetchall()
    with writing(store.path):
        store.connection.execute(queries.DROP)
