"""One finished session: its log in append batches, and the truth of its calls."""

from collections.abc import Iterator
from itertools import pairwise
from random import Random
from typing import Any, NamedTuple

from study_generator.calls import Call, SessionCalls, offered_tools
from study_generator.plan import SessionPlan
from study_generator.rows import SessionLog
from study_generator.words import Words


class Session(NamedTuple):
    """A session log, cut where the harness appended, and one truth line per call."""

    id: str
    header: str
    batches: list[str]
    truth: list[dict[str, Any]]


def write_session(rng: Random, plan: SessionPlan, session: str, tags: Iterator[int]) -> Session:
    """Make the calls of a plan and lay them down as rows."""
    tools = offered_tools(plan, rng)
    cwd = f"/home/dev/ws/{Words(rng).area()}"
    calls = SessionCalls(plan, tools, rng=rng, tags=tags, cwd=cwd).all()
    log = SessionLog(
        rng,
        session=session,
        cwd=cwd,
        provider=plan.provider,
        model=plan.model,
        packs=rng.randrange(100) < 95,
    )
    log.open_session()
    log.open_turn(tools, "initial")
    truth: list[dict[str, Any]] = []
    marks = []
    second_turn = rng.randrange(10, len(calls)) if rng.randrange(100) < 15 else None
    for group in _grouped(rng, calls):
        for call, (call_id, seq) in zip(group, log.step(group), strict=True):
            truth.append(_truth(call, session=session, call_id=call_id, seq=seq, model=plan.model))
        marks.append(len(log.rows))
        if second_turn is not None and len(truth) >= second_turn:
            log.close_turn()
            log.open_turn(tools if rng.randrange(2) else None, "resume")
            second_turn = None
    log.close_turn()
    return Session(session, log.header, _batches(rng, log.rows, marks), truth)


def _grouped(rng: Random, calls: list[Call]) -> Iterator[list[Call]]:
    """Most answers of the model hold one call, some two or three."""
    start = 0
    while start < len(calls):
        size = rng.choice((1, 1, 1, 1, 1, 2, 3))
        yield calls[start : start + size]
        start += size


def _batches(rng: Random, rows: list[str], marks: list[int]) -> list[str]:
    cuts = [0, *sorted(rng.sample(marks[:-1], rng.randrange(3))), len(rows)]
    return ["".join(rows[start:end]) for start, end in pairwise(cuts)]


def _truth(call: Call, **place: Any) -> dict[str, Any]:
    done = call.damage
    return {
        **place,
        "tool": call.tool,
        "family": done.family,
        "kind": call.slot.kind,
        "intended": call.intended,
        "expected_outcome": done.outcome,
        "expected_reason": done.reason,
        "expected": done.expected,
        "wrapper_depth": call.slot.depth,
        "host": call.answer.host,
    }
