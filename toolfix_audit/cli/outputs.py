"""Which reports to write where."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from toolfix_audit.cli.console import say, write_out
from toolfix_audit.model.errors import ConfigError

if TYPE_CHECKING:
    from toolfix_audit.model.report import Report


_STEP_SUMMARY = "GITHUB_STEP_SUMMARY"
_COMPRESSED = frozenset({".gz", ".zst", ".zstd"})


class Redaction(StrEnum):
    """Whether secrets, long values and home paths are masked: in the formats that are made to be
    shared, in every format, or in none."""

    AUTO = "auto"
    ON = "on"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class Output:
    """One report: its format, and its file (None: stdout)."""

    format: str
    path: Path | None


@dataclass(frozen=True, slots=True)
class Outputs:
    """All reports of a run."""

    items: tuple[Output, ...]

    @property
    def shows_text(self) -> bool:
        """Whether the text report, which ends in the verdict, goes to stdout."""
        return any(item.format == "text" and item.path is None for item in self.items)

    def spare(self, inputs: Iterable[str | Path | None]) -> None:
        """Refuse to write over what the run reads: a log, a schema file, the store.

        Raises:
            ConfigError: a report would replace one of them.
        """
        kept = [Path(path).resolve() for path in inputs if path is not None]
        for item in self.items:
            if item.path is None:
                continue
            target = item.path.resolve()
            inside = target.exists() and any(path in target.parents for path in kept)
            if target in kept or inside:
                raise ConfigError(
                    f"--report {item.format}={item.path} would replace a file that the run reads",
                    hint="give the report another file",
                )

    def write(self, report: Report, redaction: Redaction) -> Iterator[str]:
        """Write every report; give a line for each file. A CI's step summary is added to, since
        others write there too."""
        for item in self.items:
            text = render(report, item.format, redaction, to_terminal=item.path is None)
            if item.path is None:
                write_out(text)
                continue
            item.path.parent.mkdir(parents=True, exist_ok=True)
            mode = "a" if str(item.path) == os.environ.get(_STEP_SUMMARY) else "w"
            with item.path.open(
                mode, encoding="utf-8", errors="backslashreplace", newline="\n"
            ) as file:
                file.write(text)
            yield f"report: {item.path} ({item.path.stat().st_size:,} bytes)"


def report_stem(path: str | Path) -> str:
    """How reports on this input are named: without the suffix of the log, and that of its
    compression; a folder keeps its whole name."""
    if str(path) == "-":
        return "stdin"
    whole = Path(path).resolve()
    if whole.is_dir():
        return whole.name or "reports"
    return Path(whole.stem).stem if whole.suffix.lower() in _COMPRESSED else whole.stem


def plan_outputs(reports: list[str] | None, folder: Path, stem: str) -> Outputs:
    """The reports that were asked for; without any, the text on stdout.

    Raises:
        ConfigError: a format is unknown, or two reports want stdout.
    """
    from toolfix_audit.report import EMITTERS  # noqa: PLC0415

    emitters = {emitter.name: emitter for emitter in EMITTERS}
    items: list[Output] = []
    for wanted in reports or ():
        name, equals, target = wanted.partition("=")
        if name not in emitters:
            known = ", ".join(emitters)
            raise ConfigError(f"--report {wanted}: unknown format {name!r}", hint=f"known: {known}")
        if target == "-" or (not equals and emitters[name].to_stdout):
            items.append(Output(name, None))
        elif equals and not target:
            raise ConfigError(f"--report {wanted}: no file", hint=f"{name}=FILE, or {name}=-")
        elif equals:
            items.append(Output(name, Path(target)))
        else:
            items.append(Output(name, folder / f"{stem}{emitters[name].suffix}"))
    if sum(item.path is None for item in items) > 1:
        raise ConfigError("two reports want stdout", hint="give one of them a file: FORMAT=FILE")
    named = [item.path.resolve() for item in items if item.path is not None]
    if len(set(named)) < len(named):
        raise ConfigError("two reports want the same file", hint="give each a file of its own")
    if not any(item.path is None for item in items):
        items.append(Output("text", None))
    return Outputs(tuple(items))


def render(report: Report, name: str, redaction: Redaction, *, to_terminal: bool) -> str:
    """The report in a format; text takes the terminal's width and colours where it goes there."""
    from toolfix_audit.report import EMITTERS, text  # noqa: PLC0415
    from toolfix_audit.report.redact import redact  # noqa: PLC0415

    emitter = next(emitter for emitter in EMITTERS if emitter.name == name)
    if redaction is Redaction.ON or (redaction is Redaction.AUTO and emitter.shared):
        report = redact(report)
    if name == "text" and to_terminal:
        return text.render(report, width=_width(), color=_has_color())
    return emitter.render(report)


def show_verdict(report: Report, *, on_stdout: bool) -> None:
    """Say the verdict on stderr, unless the text report has said it."""
    if on_stdout:
        return
    from toolfix_audit.report.facts import verdict_line  # noqa: PLC0415

    say(verdict_line(report))
    for reason in report.verdict.reasons:
        say(f"  {reason}")


def _width() -> int:
    return shutil.get_terminal_size((100, 24)).columns if _is_terminal() else 100


def _has_color() -> bool:
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or _is_terminal()


def _is_terminal() -> bool:
    return sys.stdout is not None and sys.stdout.isatty()
