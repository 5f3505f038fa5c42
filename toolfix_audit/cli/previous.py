"""Reports in files: what an earlier run wrote with `--report json`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from toolfix_audit.model.errors import ConfigError

if TYPE_CHECKING:
    from toolfix_audit.model.report import Report


def read_report(path: Path) -> Report:
    """The report in a JSON file.

    Raises:
        ConfigError: the file can't be read.
        ReportFileError: it holds no report.
    """
    from toolfix_audit.report.load import load  # noqa: PLC0415

    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or error
        raise ConfigError(f"{path}: {why}", hint="give a report made with --report json") from error
    return load(text, source=str(path))
