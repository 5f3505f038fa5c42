"""Seeded words: paths, commands, sentences and identifiers of an invented code base.

No text made here parses to a JSON object or array, and none holds markup.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeVar

T = TypeVar("T")

AREAS = ("billing", "catalog", "auth", "search", "reports", "queue", "mailer", "uploads")
NOUNS = (
    "invoice", "ledger", "session", "token", "cursor", "batch", "planner", "router", "parser",
    "cache", "schedule", "worker", "registry", "digest", "quota", "locale", "größe", "目录",
)  # fmt: skip
VERBS = ("load", "store", "merge", "split", "render", "check", "resolve", "rotate", "trim")
EXTENSIONS = ("py", "py", "py", "ts", "ts", "md", "toml", "txt")
TASKS = (
    "Find where the retry limit is set",
    "Explain the failing nightly run",
    "Tidy the module before the release",
    "Add a test for the empty case",
    "Replace the old date handling",
    "List what still uses the legacy client",
    "Make the export stable across runs",
    "Vérifier les messages d'erreur",
    "Die Warteschlange entkoppeln",
    "整理配置文件的读取顺序",
)
PURPOSES = (
    "Run the tests of one module",
    "Show recent changes",
    "Count lines per folder",
    "Start the local stack",
    "Check the type hints",
    "Look at free disk space",
)
PROGRAMS = (
    "pytest -q tests/{area}/test_{noun}.py",
    "git log --oneline -5 -- src/{area}/{noun}.py",
    "wc -l src/{area}/{noun}.py",
    "python -m tools.{verb}_{noun} --area {area}",
    "make {verb}-{noun}",
    "ls -la build/{area}/{noun}",
)
REGEXES = ("def {verb}_{noun}", "class .*{noun}", "{noun}_id", r"TODO.*{noun}", r"\b{noun}\b")
QUESTIONS = (
    "how to {verb} a {noun} in place",
    "{noun} {verb} order guarantee",
    "best way to {verb} one {noun} per {area}",
)


@dataclass(frozen=True, slots=True)
class Words:
    """A source of text; with a tag, each text is unlike every text made without or with another."""

    rng: Random
    tag: str = ""

    def pick(self, choices: Sequence[T]) -> T:
        """One of the choices."""
        return self.rng.choice(choices)

    def may(self, percent: int) -> bool:
        """True in about so many of a hundred cases."""
        return self.rng.randrange(100) < percent

    def number(self, low: int, high: int) -> int:
        """An integer from low to high, both included."""
        return self.rng.randint(low, high)

    def area(self) -> str:
        """The name of a part of the code base."""
        return self.pick(AREAS) + self._suffix("_")

    def noun(self) -> str:
        """The name of a thing that the code handles."""
        return self.pick(NOUNS) + self._suffix("_")

    def folder(self) -> str:
        """A relative folder."""
        return f"src/{self.area()}"

    def path(self) -> str:
        """A relative file path."""
        return f"{self.folder()}/{self.noun()}.{self.pick(EXTENSIONS)}"

    def pattern(self) -> str:
        """A glob pattern."""
        return f"src/{self.area()}/**/{self.pick(NOUNS)}*.{self.pick(EXTENSIONS)}"

    def regex(self) -> str:
        """A regular expression."""
        return self._fill(self.pick(REGEXES))

    def command(self) -> str:
        """A shell command."""
        return self._fill(self.pick(PROGRAMS))

    def question(self) -> str:
        """A search query."""
        return self._fill(self.pick(QUESTIONS))

    def purpose(self) -> str:
        """A short description of a command."""
        return self.pick(PURPOSES) + self._suffix(" for case ")

    def task(self) -> str:
        """An imperative sentence."""
        return self.pick(TASKS) + self._suffix(", part ")

    def line(self) -> str:
        """A line of source code."""
        call = f"{self.pick(VERBS)}_{self.noun()}({self.number(1, 40)})"
        return self.pick(
            ("value = {}", "return {}", "self.last = {}", "log.info('%s', {})")
        ).format(call)

    def code(self) -> str:
        """A few lines of source code."""
        body = "\n".join(f"    {self.line()}" for _ in range(self.number(1, 3)))
        return f"def {self.pick(VERBS)}_{self.noun()}():\n{body}\n"

    def prose(self) -> str:
        """A short document."""
        return f"# {self.task()}\n\n{self.task()}. {self.purpose()}.\n"

    def url(self) -> str:
        """An address of a page."""
        return f"https://docs.example.org/{self.area()}/{self.pick(VERBS)}"

    def slug(self, kind: str) -> str:
        """An identifier such as `job-7`."""
        return f"{kind}-{self.tag or self.number(1, 40)}"

    def _suffix(self, joint: str) -> str:
        return joint + self.tag if self.tag else ""

    def _fill(self, template: str) -> str:
        return template.format(area=self.area(), noun=self.noun(), verb=self.pick(VERBS))
