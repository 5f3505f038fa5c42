"""Files whose text happens to be JSON: legal strings that a careless repair would decode."""

import json
from collections.abc import Callable
from typing import Any

from study_generator.schemas import Arguments
from study_generator.words import Words


def _manifest(words: Words) -> Any:
    scripts = {"test": words.command(), "build": words.command()}
    return {"name": words.noun(), "version": f"1.{words.number(0, 9)}.0", "scripts": scripts}


def _settings(words: Words) -> Any:
    return {"area": words.area(), "limits": {"rows": words.number(10, 900), "strict": True}}


def _rows(words: Words) -> Any:
    return [{"id": n, "noun": words.noun()} for n in range(1, words.number(2, 4) + 1)]


def _names(words: Words) -> Any:
    return [words.noun() for _ in range(words.number(2, 5))]


_DOCUMENTS: tuple[Callable[[Words], Any], ...] = (_manifest, _settings, _rows, _names)


def json_text_call(words: Words) -> tuple[str, Arguments]:
    """A call that puts a JSON document into a file, as the text that the tool asks for."""
    document = words.pick(_DOCUMENTS)(words)
    indent = words.pick((None, 2))
    text = json.dumps(document, ensure_ascii=False, indent=indent) + words.pick(("", "\n"))
    path = f"{words.folder()}/{words.noun()}.json"
    if words.may(20):
        line = words.line()
        return "edit", {"file_path": path, "old_string": line, "new_string": text}
    return "write", {"file_path": path, "content": text}
