"""The supervisor: whatever the process does, every request ends, and the next one is asked."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from toolfix_audit.audit.foreign import Command, ForeignError, NoAnswerError, Process
from toolfix_audit.audit.foreign.process import MAX_RESTARTS
from toolfix_audit.model.json import Json

from .conftest import is_gone

Fake = Callable[..., Process]
SCHEMA: Json = {"properties": {"limit": {"type": "integer"}}}
GOOD: dict[str, Json] = {"schema": SCHEMA, "args": {"limit": "5"}}
BAD: dict[str, Json] = {"args": {"trigger": 1}}


def bad(number: int) -> dict[str, Json]:
    return {"args": {"trigger": number}}


def test_answers_come_back(fake: Fake) -> None:
    process = fake("honest")
    for _ in range(50):
        assert process.ask(GOOD)["arguments"] == {"limit": 5}
    assert not process.failures


def test_it_is_started_once(fake: Fake) -> None:
    process = fake("honest")
    process.start()
    first = process._child
    process.ask(GOOD)
    process.start()
    assert process._child is first


@pytest.mark.parametrize(
    ("mode", "told"),
    [
        ("hang", ("timeout", "no answer within 3 s")),
        ("hang_with_child", ("timeout", "no answer within 3 s")),
        ("die", ("died", "ended with code 3: out of luck")),
        ("garbage", ("garbage", 'garbage: {"id": <html>?[31m not me')),
        ("other_id", ("garbage", 'garbage: {"id": "r999"')),
        ("listed", ("garbage", "garbage: [")),
        ("endless_line", ("garbage", "a line without end")),
        ("endless_lines", ("garbage", "garbage: again and again")),
    ],
)
def test_a_request_without_an_answer_ends(
    fake: Fake, tmp_path: Path, mode: str, told: tuple[str, str]
) -> None:
    kind, cause = told
    process = fake(mode, str(tmp_path / "pid"))
    assert process.ask(GOOD)["arguments"] == {"limit": 5}
    with pytest.raises(NoAnswerError) as raised:
        process.ask(BAD)
    assert raised.value.kind == kind
    assert cause in str(raised.value)
    assert "\x1b" not in str(raised.value)
    assert process.failures == {kind: 1}
    assert process.ask(GOOD)["arguments"] == {"limit": 5}


@pytest.mark.parametrize(
    ("mode", "told"),
    [("echo", "only id, args"), ("empty", "only id"), ("own_error", "only id, error")],
)
def test_an_answer_without_what_was_asked_for_is_none(fake: Fake, mode: str, told: str) -> None:
    process, holds = fake(mode), ("arguments", "refused")
    assert process.ask(GOOD, holds=holds)["arguments"] == {"limit": 5}
    with pytest.raises(NoAnswerError, match=f"holds no `arguments` and no `refused`, {told}$"):
        process.ask(BAD, holds=holds)
    assert process.failures == {"incomplete": 1}
    assert process.ask(GOOD, holds=holds)["arguments"] == {"limit": 5}


def test_an_echo_is_given_up(fake: Fake) -> None:
    process = fake("echo!")
    for number in range(MAX_RESTARTS + 1):
        with pytest.raises(NoAnswerError):
            process.ask(bad(number), holds=("arguments",))
    with pytest.raises(ForeignError, match="4 times in a row; the last time: its answer holds no"):
        process.ask(bad(99), holds=("arguments",))


def test_what_got_no_answer_is_not_asked_again(fake: Fake) -> None:
    process = fake("hang")
    with pytest.raises(NoAnswerError):
        process.ask(BAD)
    process.ask(GOOD)
    for _ in range(20):
        with pytest.raises(NoAnswerError):
            process.ask(BAD)
    assert process.failures == {"timeout": 21}
    assert process.ask(GOOD)["arguments"] == {"limit": 5}


def test_noise_before_an_answer_does_no_harm(fake: Fake) -> None:
    process = fake("noisy")
    for number in range(5):
        assert process.ask(bad(number))["arguments"] == {"trigger": number}
    assert not process.failures


def test_a_late_answer_is_nobodys(fake: Fake) -> None:
    process = fake("twice")
    for number in range(10):
        assert process.ask(bad(number))["arguments"] == {"trigger": number}


def test_a_flood_on_stderr_does_no_harm(fake: Fake) -> None:
    process = fake("flood", seconds=30)
    for number in range(3):
        assert process.ask(bad(number))["arguments"] == {"trigger": number}
    assert sum(map(len, process._child._tail if process._child else ())) < 70_000


def test_one_that_ends_after_each_answer_is_started_again(fake: Fake) -> None:
    process = fake("last_one")
    for number in range(6):
        assert process.ask(bad(number))["arguments"] == {"trigger": number}
    assert not process.failures


@pytest.mark.parametrize("mode", ["hang!", "die!", "garbage!", "other_id!", "deaf"])
def test_one_that_never_answers_is_given_up(fake: Fake, mode: str) -> None:
    process = fake(mode, seconds=0.3)
    asked = 0
    with pytest.raises(ForeignError) as raised:  # noqa: PT012
        while asked < 20:
            asked += 1
            with pytest.raises(NoAnswerError):
                process.ask(bad(asked))
    assert asked <= MAX_RESTARTS + 2
    assert raised.value.exit_code == 2
    assert "\n" not in raised.value.message
    assert f"no answer {MAX_RESTARTS + 1} times in a row" in raised.value.message
    assert "(at call c7)" in raised.value.at("c7").message


def test_one_that_ends_at_once_is_told_at_the_start(fake: Fake) -> None:
    with pytest.raises(ForeignError, match="no such luck"):
        fake("die_at_once").start()


def test_one_that_is_not_there_is_told_at_the_start() -> None:
    process = Process(Command("x", ("/nonexistent/engine",), "install it"))
    with pytest.raises(ForeignError, match="No such file") as raised:
        process.start()
    assert raised.value.hint == "install it"


def test_one_that_stops_reading_can_not_block(fake: Fake) -> None:
    process = fake("deaf", seconds=0.5)
    with pytest.raises(NoAnswerError):
        process.ask({"args": {"text": "x" * 5_000_000}})


def test_large_requests_and_answers_pass(fake: Fake) -> None:
    text = "ü\u2028x" * 400_000
    assert fake("honest", seconds=60).ask({"args": {"text": text}})["arguments"] == {"text": text}


def test_a_lone_surrogate_passes(fake: Fake) -> None:
    assert fake("honest").ask({"args": {"text": "\ud800"}})["arguments"] == {"text": "\ud800"}


@pytest.mark.skipif(os.name != "posix", reason="process groups")
def test_what_it_started_ends_with_it(fake: Fake, tmp_path: Path) -> None:
    note = tmp_path / "pid"
    process = fake("hang_with_child", str(note), seconds=3)
    with pytest.raises(NoAnswerError):
        process.ask(BAD)
    pid = int(note.read_text(encoding="utf-8"))
    assert is_gone(pid)


def test_closing_ends_it_and_asking_starts_it_again(fake: Fake) -> None:
    process = fake("honest")
    process.ask(GOOD)
    child = process._child
    process.close()
    assert child is not None
    assert child.has_ended(5)
    assert process.ask(GOOD)["arguments"] == {"limit": 5}


def test_a_greeting_tells_the_version() -> None:
    script = (
        "import json,sys\n"
        "for line in sys.stdin:\n"
        "    print(json.dumps({'id': json.loads(line)['id'], 'version': '7.1'}), flush=True)\n"
    )
    process = Process(Command("x", (sys.executable, "-c", script), "mend", greets=True))
    process.start()
    assert process.version == "7.1"
    process.close()
