"""`dryrun --by` and `--against`, and how reports are named, as a user meets them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .running import GOOD, run, write


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a log."""
    write(tmp_path / "my log.jsonl", GOOD)
    return tmp_path


def test_calls_are_counted_by_what_is_asked_for_in_every_format(folder: Path) -> None:
    reports = [f"--report={name}=out.{name}" for name in ("json", "html", "markdown", "text")]
    asked = ("--by", "tool,label:template", "--label", "template=plain")
    done = run("dryrun", "my log.jsonl", *asked, *reports, cwd=folder)
    assert done.code == 0, done.text
    made = {name: (folder / f"out.{name}").read_text() for name in ("html", "markdown", "text")}
    for text in (done.out, *made.values()):
        assert "Calls by tool, label:template, as asked for" in text
    document = json.loads((folder / "out.json").read_text())
    (found,) = (one for one in document["groups"] if one["by"] == ["tool", "label:template"])
    assert (found["more"], found["more_calls"]) == (0, 0)
    (row,) = found["rows"]
    assert (row["values"], row["calls"], row["misfixes"]) == (["read", "plain"], 4, 0)
    assert row["outcomes"]["fixed"] == 2


def test_labels_of_an_ingest_are_known(folder: Path) -> None:
    for name, template in (("a", "plain"), ("b", "qwen")):
        write(folder / f"{name}.jsonl", [line.replace('"s1"', f'"{name}"') for line in GOOD])
        label = f"template={template}"
        run("ingest", f"{name}.jsonl", "--label", label, "--db", "x.duckdb", cwd=folder)
    words = ("--by", "label:template", "--report", "json=-")
    document = run("dryrun", "--db", "x.duckdb", *words, cwd=folder).json()
    (found,) = (one for one in document["groups"] if one["by"] == ["label:template"])
    assert [(row["values"], row["calls"]) for row in found["rows"]] == [
        (["plain"], 4),
        (["qwen"], 4),
    ]


@pytest.mark.parametrize(
    ("by", "said"), [("modl", "label:NAME"), ("", "label:NAME"), ("label:x", "label:y")]
)
def test_an_unknown_key_is_refused_with_the_known_ones(folder: Path, by: str, said: str) -> None:
    done = run("dryrun", "my log.jsonl", "--by", by, "--label", "y=1", cwd=folder)
    assert (done.code, done.out) == (2, "")
    for known in ("model", "tool", "provider", said):
        assert known in done.err


def test_what_got_worse_since_an_earlier_report_fails_and_is_shown(folder: Path) -> None:
    run("dryrun", "my log.jsonl", "--report", "json=good.json", cwd=folder)
    formats = ("--report", "html=worse.html", "--report", "json=worse.json")
    words = ("--families", "D", "--against", "good.json", *formats)
    done = run("dryrun", "my log.jsonl", *words, cwd=folder)
    assert done.code == 1, done.text
    assert "regressions: what was fixed is not any more (2 > 0)" in done.text
    assert "Regressions: what was fixed in the earlier report" in done.out
    page = (folder / "worse.html").read_text()
    assert "Since the earlier report" in page
    assert "−2 since the earlier report" in page
    earlier = json.loads((folder / "worse.json").read_text())["earlier"]
    assert (earlier["regressed"], earlier["outcomes"]["fixed"]) == (2, 2)
    assert run("gate", "--from", "worse.json", cwd=folder).code == 1
    allowed = ("--policy", "regressions=2")
    assert run("gate", "--from", "worse.json", *allowed, cwd=folder).code == 0
    same = run("dryrun", "my log.jsonl", "--against", "good.json", cwd=folder)
    assert (same.code, "regressions" in same.out) == (0, True)


def test_a_report_of_before_these_figures_is_still_compared_with(folder: Path) -> None:
    run("dryrun", "my log.jsonl", "--report", "json=good.json", cwd=folder)
    document = json.loads((folder / "good.json").read_text())
    for name in ("basis", "groups", "earlier", "inputs", "store"):
        del document[name]
    (folder / "old.json").write_text(json.dumps(document))
    assert run("gate", "--from", "old.json", "--against", "good.json", cwd=folder).code == 0
    assert run("gate", "--from", "good.json", "--against", "old.json", cwd=folder).code == 0
    assert run("dryrun", "my log.jsonl", "--against", "old.json", cwd=folder).code == 0


def test_an_earlier_report_is_not_written_over(folder: Path) -> None:
    run("dryrun", "my log.jsonl", "--report", "json=good.json", cwd=folder)
    words = ("--against", "good.json", "--report", "json=good.json")
    done = run("dryrun", "my log.jsonl", *words, cwd=folder)
    assert (done.code, "would replace" in done.err) == (2, True)


@pytest.mark.parametrize(
    ("name", "stem"),
    [("session.jsonl.zstd", "session"), ("a.b.jsonl.gz", "a.b"), ("v1.2", "v1.2"), (".", "HERE")],
)
def test_a_report_is_named_for_its_log(folder: Path, name: str, stem: str) -> None:
    if "." in name and name.endswith(("zstd", "gz")):
        text = (folder / "my log.jsonl").read_text()
        (folder / name).write_bytes(_packed(name, text.encode()))
    elif name != ".":
        (folder / name).mkdir()
        (folder / name / "x.jsonl").write_text((folder / "my log.jsonl").read_text())
    done = run("dryrun", name, "--report", "html", cwd=folder)
    assert done.code == 0, done.text
    wanted = folder.name if stem == "HERE" else stem
    assert [path.name for path in (folder / "reports").iterdir()] == [f"{wanted}.html"]


def _packed(name: str, content: bytes) -> bytes:
    import gzip  # noqa: PLC0415

    import zstandard  # noqa: PLC0415

    return gzip.compress(content) if name.endswith("gz") else zstandard.compress(content)


def test_the_command_that_makes_the_report_again_is_whole(folder: Path) -> None:
    given = ("--by", "tool", "--opt-in", "--label", "a=b c", "--timeout", "3")
    done = run("dryrun", "my log.jsonl", *given, "--report", "json=-", cwd=folder)
    (note,) = done.json()["notes"]
    assert note.startswith("reproduce: toolfix-audit dryrun 'my log.jsonl' ")
    for words in ("--by tool", "--opt-in", "--label 'a=b c'", "--timeout 3"):
        assert words in note
