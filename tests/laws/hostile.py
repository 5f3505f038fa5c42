"""Hostile calls by name. Run as a program it repairs them and prints what came of each, a line.

    python hostile.py [SECONDS [FACTOR [NAME ...]]]

Each call runs in a process of its own, with little memory and at most so many SECONDS. FACTOR
scales the sizes, which shows how the time grows. Without names all run.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
import time
from collections.abc import Callable
from typing import TypeAlias

from toolfix_audit.engine import repair
from toolfix_audit.model.json import Json, parse_json

Call: TypeAlias = tuple[Json, Json]

MEMORY = 6 << 30

CLOSED: Json = {
    "type": "object",
    "properties": {
        "p": {"type": "string"},
        "q": {"type": "integer"},
        "l": {"type": "array", "items": {"type": "integer"}},
        "s": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["p"],
    "additionalProperties": False,
}
OPEN: Json = {"type": "object", "properties": {"p": {"type": "string"}}}
TREE: Json = {
    "$ref": "#/$defs/n",
    "$defs": {
        "n": {
            "type": "object",
            "properties": {"a": {"$ref": "#/$defs/n"}, "v": {"type": "integer"}},
            "additionalProperties": False,
        }
    },
}
LISTS: Json = {
    "properties": {"x": {"$ref": "#/$defs/n"}},
    "$defs": {
        "n": {
            "type": "array",
            "items": {
                "type": "object",
                "patternProperties": {"^c": {"$ref": "#/$defs/n"}},
                "properties": {"v": {"type": "integer"}},
                "additionalProperties": False,
            },
        }
    },
}
PATHS: Json = {
    "properties": {
        "a": {
            "type": "array",
            "items": {"type": "object", "properties": {"b": {"type": "integer"}}},
        }
    },
    "required": ["a"],
    "additionalProperties": False,
}


def _nested(size: int, opener: str, closer: str) -> str:
    return opener * size + "1" + closer * size


def _wrapped(size: int, name: str = "arguments") -> str:
    return f'{{"{name}":' * size + '{"p":"x"}' + "}" * size


def _fan(levels: int, keyword: str = "allOf") -> Json:
    """Each level applies the next one twice: 2 to the power of `levels` visits of the last."""
    defs: dict[str, Json] = {
        f"a{i}": {keyword: [{"$ref": f"#/$defs/a{i + 1}"}, {"$ref": f"#/$defs/a{i + 1}"}]}
        for i in range(levels)
    }
    defs[f"a{levels}"] = {"type": "integer"}
    return {"properties": {"x": {"$ref": "#/$defs/a0"}}, "$defs": defs}


def _fan_dependent(levels: int) -> Json:
    """As above, where the keywords only say which keys are known."""
    defs: dict[str, Json] = {
        f"a{i}": {"dependentSchemas": {key: {"$ref": f"#/$defs/a{i + 1}"} for key in "ab"}}
        for i in range(levels)
    }
    defs[f"a{levels}"] = {"properties": {"a": {}}}
    inner: Json = {"$ref": "#/$defs/a0", "unevaluatedProperties": False}
    return {"properties": {"x": inner}, "$defs": defs}


def _recursive(keyword: str) -> Json:
    """Each level of the value is looked at twice as often as the one above."""
    again: Json = {keyword: [{"$ref": "#/$defs/n"}, {"$ref": "#/$defs/n"}]}
    node: Json = {"type": "object", "properties": {"x": again}}
    return {"$ref": "#/$defs/n", "$defs": {"n": node}}


def _nest(levels: int) -> Json:
    value: Json = 1
    for _ in range(levels):
        value = {"x": value}
    return value


def _chain(size: int, keyword: str | None = None) -> Json:
    defs: dict[str, Json] = {}
    for i in range(size):
        link: Json = {"$ref": f"#/$defs/a{i + 1}"}
        defs[f"a{i}"] = {keyword: [link]} if keyword else link
    defs[f"a{size}"] = {"type": "integer"}
    return {"properties": {"x": {"$ref": "#/$defs/a0"}}, "$defs": defs}


def _encoded(text: str, times: int) -> str:
    for _ in range(times):
        text = json.dumps(text)
    return text


def _word(index: int) -> str:
    return "".join(chr(97 + index // 26**place % 26) for place in range(3)) + "zq"


def _renames(size: int) -> Call:
    words = [_word(index) for index in range(size)]
    schema: Json = {
        "type": "object",
        "properties": {word: {"type": "string"} for word in words},
        "required": list(words),
        "additionalProperties": False,
    }
    return {f"my_{word}": "v" for word in words}, schema


def _branches(size: int) -> Json:
    return {
        "properties": {
            "x": {
                "anyOf": [
                    {"properties": {"a": {"const": i}}, "required": ["a", f"b{i}"]}
                    for i in range(size)
                ]
            }
        }
    }


def _bush(width: int, levels: int) -> Json:
    if not levels:
        return {"v": "no"}
    return {f"c{index}": _bush(width, levels - 1) for index in range(width)}


def _wrong_items(size: int) -> Json:
    items: list[Json] = ["x"] * size
    return {"p": "x", "l": items}


def _ones(size: int) -> Json:
    ones: list[Json] = [1]
    return {"p": 1, "l": ones * size}


def _members(size: int) -> Json:
    return {"enum": [f"member{i}" for i in range(size)]}


def _of(key: str, schema: Json) -> Json:
    return {"properties": {key: schema}}


CALLS: dict[str, Callable[[int], Call]] = {
    # depth
    "objects-text": lambda n: (_nested(100_000 * n, '{"a":', "}"), CLOSED),
    "arrays-text": lambda n: (_nested(100_000 * n, "[", "]"), CLOSED),
    "mixed-text": lambda n: (_nested(50_000 * n, '{"a":[', "]}"), CLOSED),
    "objects-value": lambda n: (parse_json(_nested(100_000 * n, '{"a":', "}")), CLOSED),
    "objects-recursive": lambda n: (_nested(100_000 * n, '{"a":', "}"), TREE),
    "objects-recursive-value": lambda n: (parse_json(_nested(100_000 * n, '{"a":', "}")), TREE),
    "objects-recursive-valid": lambda n: ('{"a":' * 100_000 * n + "{}" + "}" * 100_000 * n, TREE),
    "objects-wrapped": lambda n: (
        '{"arguments":' + _nested(100_000 * n, '{"a":', "}") + "}",
        TREE,
    ),
    "wrappers-text": lambda n: (_wrapped(100_000 * n), CLOSED),
    "wrappers-value": lambda n: (parse_json(_wrapped(100_000 * n)), CLOSED),
    "wrappers-alias": lambda n: (_wrapped(100_000 * n, "args"), CLOSED),
    "wrappers-open": lambda n: (_wrapped(100_000 * n), OPEN),
    "text-in-place": lambda n: ({"p": "x", "l": _nested(100_000 * n, "[", "]")}, CLOSED),
    "text-in-place-recursive": lambda n: ({"a": _nested(100_000 * n, '{"a":', "}")}, TREE),
    "undeclared-deep": lambda n: (
        {"p": "x", "z": parse_json(_nested(100_000 * n, '{"a":', "}"))},
        CLOSED,
    ),
    "cut-arrays": lambda n: ("[" * 100_000 * n, CLOSED),
    "cut-deep": lambda n: ('{"a":' * 100_000 * n, CLOSED),
    "junk-deep": lambda n: (_nested(100_000 * n, '{"a":', "}") + " junk", CLOSED),
    "python-deep": lambda n: ("{'p':" + _nested(100_000 * n, "[", "]") + "}", CLOSED),
    # length
    "string": lambda n: ({"p": "a" * 50_000_000 * n, "q": "1"}, CLOSED),
    "string-for-array": lambda n: ({"p": "x", "l": "a" * 50_000_000 * n}, CLOSED),
    "string-for-strings": lambda n: ({"p": "x", "s": "a" * 50_000_000 * n}, CLOSED),
    "array-text": lambda n: ({"p": "x", "l": "[" + "1," * 2_500_000 * n + "1]"}, CLOSED),
    "array-text-long": lambda n: ({"p": "x", "l": "[" + "1," * 25_000_000 * n + "1]"}, CLOSED),
    "array-long": lambda n: (_ones(5_000_000 * n), CLOSED),
    "junk-text": lambda n: ('{"p":"' + "a" * 50_000_000 * n + '"} junk', CLOSED),
    "junk-quotes": lambda n: ('{"p":"x"}' + "a'" * 25_000_000 * n, CLOSED),
    "plain-text": lambda n: ("a" * 50_000_000 * n, CLOSED),
    "cut-text": lambda n: ('{"p":"' + "a" * 50_000_000 * n, CLOSED),
    "fence": lambda n: ('```json\n{"p":"' + "a" * 50_000_000 * n + '"}\n```', CLOSED),
    "fence-blanks": lambda n: ("```json\n" + " " * 1_000_000 * n, CLOSED),
    "fence-lines": lambda n: ("```json\n" + "\n" * 1_000_000 * n, CLOSED),
    "fences": lambda n: ("```json\n" + "```" * 1_000_000 * n + "x", CLOSED),
    "blanks": lambda n: (" " * 50_000_000 * n, CLOSED),
    "blanks-x": lambda n: (" " * 50_000_000 * n + "x", CLOSED),
    "escaped-blanks": lambda n: ("{" + "\\n" * 10_000_000 * n, CLOSED),
    "backslashes": lambda n: ('{"p":"' + "\\" * (2_000_000 * n + 1), CLOSED),
    "digits-text": lambda n: ("9" * 100_000_000 * n, CLOSED),
    "digits-value": lambda n: ('{"p":"x","q":' + "9" * 100_000_000 * n + "}", CLOSED),
    "digits-string": lambda n: ({"p": "x", "q": "9" * 100_000_000 * n}, CLOSED),
    "digits-number": lambda n: ({"n": "9" * 50_000_000 * n}, _of("n", {"type": "number"})),
    "repeated": lambda n: ("{}" * 10_000 * n, CLOSED),
    "repeated-more": lambda n: ("{}" * 1_000_000 * n, CLOSED),
    "repeated-then-other": lambda n: ('{"p":"x"}' * 200_000 * n + "{}", CLOSED),
    "encodings": lambda n: (_encoded('{"p":"x"}', 19 + n), CLOSED),
    "encodings-in-place": lambda n: ({"p": "x", "l": _encoded("[1]", 19 + n)}, CLOSED),
    # width
    "keys": lambda n: ({f"k{i}": i for i in range(10_000 * n)}, CLOSED),
    "keys-open": lambda n: ({"p": 1, **{f"k{i}": i for i in range(10_000 * n)}}, OPEN),
    "keys-null": lambda n: ({"p": "x", **{f"k{i}": None for i in range(10_000 * n)}}, CLOSED),
    "keys-null-few": lambda n: ({"p": "x", **{f"k{i}": None for i in range(400 * n)}}, CLOSED),
    "keys-related": lambda n: (
        {f"z{i}x_name": 1 for i in range(10_000 * n)},
        {"properties": {"name": {}}, "required": ["name"], "additionalProperties": False},
    ),
    "keys-paths": lambda n: ({f"a[{i}].b": i for i in range(min(10_000, 9_999 * n))}, PATHS),
    "keys-paths-texts": lambda n: ({f"a[{i}].b": str(i) for i in range(5_000 * n)}, PATHS),
    "path-deep": lambda n: ({"a" + ".b" * 100_000 * n: 1}, PATHS),
    "renames": lambda n: _renames(5_000 * n),
    "renames-few": lambda n: _renames(500 * n),
    "items-texts": lambda n: ({"p": "x", "l": [str(i) for i in range(1_000 * n)]}, CLOSED),
    "items-wrong": lambda n: (_wrong_items(5_000 * n), CLOSED),
    "items-wrong-many": lambda n: (_wrong_items(100_000 * n), CLOSED),
    "bush": lambda n: ({"x": _bush(6 * n, 3)}, LISTS),
    # schemas
    "pattern": lambda n: ({"p": "a" * 60 * n + "!"}, _of("p", {"pattern": "^(a+)+$"})),
    "pattern-or": lambda n: ({"p": "a" * 60 * n + "!"}, _of("p", {"pattern": "^(a|a)*$"})),
    "pattern-key": lambda n: (
        {"a" * 60 * n + "!": 1},
        {"patternProperties": {"^(a+)+$": {}}, "additionalProperties": False},
    ),
    "pattern-unevaluated": lambda n: (
        {"a" * 60 * n + "!": 1},
        {"patternProperties": {"^(a+)+$": {}}, "unevaluatedProperties": False},
    ),
    "pattern-slow": lambda n: (
        {"p": "1", **{"a" * 17 + f"!{i}": 1 for i in range(500 * n)}},
        {
            "properties": {"p": {"type": "integer"}},
            "patternProperties": {"^(a|a)+$": {}},
            "additionalProperties": False,
        },
    ),
    "ref-self": lambda _: ({"x": "1"}, {"$ref": "#"}),
    "ref-pair": lambda _: (
        {"x": "1"},
        {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}},
    ),
    "ref-twice-self": lambda _: ({"x": "1"}, {"allOf": [{"$ref": "#"}, {"$ref": "#"}]}),
    "ref-branches-self": lambda _: ({"x": "1"}, {"anyOf": [{"$ref": "#"}, {"$ref": "#"}]}),
    "ref-chain": lambda n: ({"x": "1"}, _chain(1_000 * n)),
    "ref-chain-long": lambda n: ({"x": "1"}, _chain(20_000 * n)),
    "ref-chain-in-place": lambda n: ({"x": "1"}, _chain(20_000 * n, "allOf")),
    "refs-to-the-root": lambda n: (
        {"p0": {"p1": "1"}},
        {"type": "object", "properties": {f"p{i}": {"$ref": "#"} for i in range(1_000 * n)}},
    ),
    "fan-unused": lambda n: ({"y": 1}, _fan(19 + n)),
    "fan-dependent": lambda n: ({"x": {"a": 1, "b": 2}}, _fan_dependent(29 + n)),
    "fan-recursive": lambda n: (_nest(60 * n), _recursive("allOf")),
    "fan-recursive-any": lambda n: (_nest(60 * n), _recursive("anyOf")),
    "fan": lambda n: ({"x": "1"}, _fan(19 + n)),
    "fan-any": lambda n: ({"x": "1"}, _fan(19 + n, "anyOf")),
    "fan-one": lambda n: ({"x": 1}, _fan(19 + n, "oneOf")),
    "branches": lambda n: ({"x": {"a": "1"}}, _branches(500 * n)),
    "branches-keys": lambda n: ({"x": {f"k{i}": "1" for i in range(1_000)}}, _branches(500 * n)),
    "enum": lambda n: (
        {"x": "Member99999"},
        _of("x", _members(100_000 * n)),
    ),
    "enum-items": lambda n: (
        {"x": ["Member99999"] * 100},
        _of("x", {"items": _members(100_000 * n)}),
    ),
    "unique-scalars": lambda n: (
        {"x": [*range(100_000 * n), 0.0], "y": "1"},
        {"properties": {"x": {"type": "array", "uniqueItems": True}, "y": {"type": "integer"}}},
    ),
    "unevaluated": lambda n: (
        {f"k{i}": "1" for i in range(2_000 * n)},
        {
            "allOf": [{"patternProperties": {f"^k{i}$": {"type": "integer"}}} for i in range(50)],
            "unevaluatedProperties": False,
        },
    ),
    "unique-items": lambda n: (
        {"x": [{"a": i} for i in range(2_000 * n)], "y": "1"},
        {"properties": {"x": {"type": "array", "uniqueItems": True}, "y": {"type": "integer"}}},
    ),
}


def main() -> None:
    """Repair the named calls, one process each; print outcome, reason, seconds, peak memory."""
    seconds, factor, *names = [*sys.argv[1:], *("60", "1")[len(sys.argv) - 1 :]]
    for name in names or CALLS:
        child = os.fork()
        if not child:
            signal.alarm(int(seconds))
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            _say(_told(name, int(factor)))
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if status:
            _say({"name": name, "died": status})


def _say(line: dict[str, object]) -> None:
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


def _told(name: str, factor: int) -> dict[str, object]:
    arguments, schema = CALLS[name](factor)
    start = time.process_time()
    done = repair(arguments, schema)
    return {
        "name": name,
        "outcome": done.outcome.value,
        "reason": done.reason and done.reason.value,
        "steps": len(done.steps),
        "is_same": done.arguments is arguments,
        "seconds": round(time.process_time() - start, 2),
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


if __name__ == "__main__":
    main()
