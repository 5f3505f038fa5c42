"""Reports to render: a plausible one, a hostile one, an empty one."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from toolfix_audit.model.json import Json
from toolfix_audit.model.report import (
    ConfirmationRow,
    Corpus,
    EngineInfo,
    Example,
    FamilyRow,
    Finding,
    JudgeInfo,
    Misfixes,
    MisfixExample,
    ModelRow,
    PolicyResult,
    Report,
    SourceRow,
    StepRow,
    ToolRow,
    UnjudgedTool,
    UnreadableRow,
    Verdict,
)
from toolfix_audit.model.report_findings import (
    Found,
    FoundRow,
    Images,
    LoweringRow,
    Reask,
)
from toolfix_audit.model.report_groups import (
    BasisRow,
    Earlier,
    Grouping,
    GroupRow,
    Regression,
)
from toolfix_audit.model.words import HostVerdict, MisfixKind, Outcome

HOSTILE: Final = (
    "</script><script>alert(1)</script><img src=//evil.example/x onerror=alert(2)> "
    "[/red][bold link=http://evil.example]x[/] {{7*7}} {% raw %} :smile: "
    "\x1b[31mred\x1b]8;;http://evil.example\x07 \x9b2J \x00 \u202egpj.exe\u2066 \ud800 \u200b"
    "\U000e0041 "
    "../../etc/passwd C:\\Users\\x 文件路径 \"quoted\" 'single' &amp; \r\n\tend"
)
"""Everything at once that a page or a terminal might take for something else."""

HUGE: Final = "0123456789abcdef" * 65536
"""One megabyte."""


def counts(*numbers: int) -> dict[str, int]:
    """Counts of the six outcomes in their order."""
    return {word.value: number for word, number in zip(Outcome, numbers, strict=True)}


EMPTY: Final = Report(
    tool_version="0.1.0",
    engine=EngineInfo("toolfix", "0.1.0", ()),
    judge=JudgeInfo("jsonschema", "4.26.0"),
    labels={},
    verdict=Verdict("fail", 3, ("nothing was checked: no records",)),
    corpus=Corpus(),
    schemas={"request": 0, "catalogue": 0, "inferred": 0},
    outcomes=counts(0, 0, 0, 0, 0, 0),
    host={word.value: counts(0, 0, 0, 0, 0, 0) for word in HostVerdict},
    families=(),
    wrapper_depth={},
    untouched={},
    unjudged={},
    left_alone={},
    suspicions={},
    findings=(),
    misfixes=Misfixes(0, 0, {}, {}, ()),
    power={},
    confirmations=(),
    tools=(),
    models=(),
    sources=(),
    unreadable=(),
    unjudged_tools=(),
    examples=(),
)

_FAMILIES: Final = (
    FamilyRow("A", "nested-wrapper", 1204, 1170, 6, 28, 3, 7224, 0),
    FamilyRow("B", "wrapper-alias", 41, 41, 0, 0, 0, 246, 0),
    FamilyRow("C", "wrapper-siblings", 0, 0, 0, 0, 0, 0, 0),
    FamilyRow("D", "key-alias", 311, 290, 21, 0, 9, 1866, 0),
    FamilyRow("E", "stringified-container", 88, 86, 2, 0, 4, 528, 0),
    FamilyRow("F", "stringified-scalar", 57, 57, 0, 0, 0, 342, 0),
    FamilyRow("K", "tool-name-drift", 12, 12, 0, 0, 0, 24, 0),
    FamilyRow("L", "argument-text", 30, 30, 0, 0, 0, 30, 0),
    FamilyRow("P", "flattened-keys", 0, 0, 0, 0, 0, 0, 0),
)

_TODOS: Final[Json] = [
    {"content": "Read the failing test", "status": "completed"},
    {"content": "Mend the reader", "status": "in_progress"},
]


def _example(call: str, tool: str, outcome: Outcome, families: str, **rest: object) -> Example:
    base = Example(
        call=call,
        session="2026-11-30-a1",
        tool=tool,
        outcome=outcome,
        reason=None,
        families=tuple(families),
        steps=(),
        before={},
        after=None,
        violations_before=(),
        violations_after=(),
        schema_origin="request",
        host="rejected_arguments",
        path="logs/2026-11-30/session.jsonl",
        model="deepseek-chat",
        count=1,
    )
    return replace(base, **rest)  # type: ignore[arg-type]  # a shorthand of the tests


_EXAMPLES: Final = (
    _example(
        "3f9a1c",
        "read",
        Outcome.FIXED,
        "A",
        steps=(
            StepRow(
                "A",
                "unwrap:arguments",
                "",
                {"arguments": {"path": "src/main.py", "limit": 200}},
                {"path": "src/main.py", "limit": 200},
            ),
        ),
        before={"arguments": {"path": "src/main.py", "limit": 200}},
        after={"path": "src/main.py", "limit": 200},
        violations_before=("'path' is a required property", "'arguments' was not expected"),
        count=412,
    ),
    _example(
        "77b0e2",
        "todo_write",
        Outcome.FIXED,
        "AE",
        steps=(
            StepRow("A", "unwrap:arguments", "", {"arguments": {"todos": "[…]"}}, {"todos": "[…]"}),
            StepRow("E", "parse:array", "/todos", "[…]", _TODOS),
        ),
        before={
            "arguments": {
                "todos": '[{"content": "Read the failing test", "status": "completed"}, '
                '{"content": "Mend the reader", "status": "in_progress"}]'
            }
        },
        after={"todos": _TODOS},
        violations_before=("'todos' is a required property",),
        count=86,
    ),
    _example(
        "c0ffee",
        "list_skills",
        Outcome.SWALLOWED,
        "A",
        steps=(
            StepRow("A", "unwrap:arguments", "", {"arguments": {"query": "pdf"}}, {"query": "pdf"}),
        ),
        before={"arguments": {"query": "pdf"}},
        after={"query": "pdf"},
        host="accepted",
        count=28,
    ),
    _example(
        "d00d01",
        "skill",
        Outcome.STILL_FAILING,
        "D",
        steps=(StepRow("D", "rename:skill_name→name", "/skill_name", "pdf", "pdf"),),
        before={"skill_name": "pdf", "level": "high"},
        after={"name": "pdf", "level": "high"},
        violations_before=("'name' is a required property", "'high' is not of type 'integer'"),
        violations_after=("'high' is not of type 'integer'",),
        count=21,
    ),
    _example(
        "beef02",
        "bash",
        Outcome.UNTOUCHED,
        "",
        reason="truncated",
        before='{"command": "cat > notes.md <<EOF\\nfirst line\\nsecond',
        violations_before=("the text stops inside a value",),
        schema_origin="catalogue",
    ),
)

_OUTCOMES: Final = counts(46180, 28, 1666, 29, 270, 37)

_BASIS: Final = (
    BasisRow("request", "pair", 40_120, counts(38_300, 28, 1560, 25, 207, 0)),
    BasisRow("catalogue", "shallow", 8_053, counts(7_880, 0, 106, 4, 63, 0)),
    BasisRow(None, "none", 37, counts(0, 0, 0, 0, 0, 37)),
)

_GROUPS: Final = (
    Grouping(
        ("source",),
        (
            GroupRow(
                ("logs/2026-11-29/session.jsonl.zstd",),
                30_060,
                counts(28_500, 28, 1_400, 20, 110, 2),
            ),
            GroupRow(
                ("logs/2026-11-30/session.jsonl",), 18_150, counts(17_680, 0, 266, 9, 160, 35)
            ),
        ),
    ),
    Grouping(
        ("label", "value"),
        (
            GroupRow(("template", "plain"), 30_060, counts(28_500, 28, 1_400, 20, 110, 2)),
            GroupRow(("template", "qwen"), 18_000, counts(17_530, 0, 266, 9, 160, 35)),
            GroupRow(("template", ""), 150, counts(150, 0, 0, 0, 0, 0)),
        ),
    ),
    Grouping(
        ("model", "label:template"),
        (GroupRow(("deepseek-chat", "plain"), 30_060, counts(28_500, 28, 1_400, 20, 110, 2), 1),),
        3,
        18_150,
    ),
)
"""Calls by source, by label, and by what was asked for; of the last, groups were left off."""

_POLICY: Final = (
    "finish stop, no call or code, ≤ 1,200 chars, <tool_call> first or </tool_call> last, "
    "≤ 3 in a row"
)


def _found(family: str, kind: str, variant: str, count: int, **rest: object) -> FoundRow:
    base = FoundRow(
        family=family,
        kind=kind,
        variant=variant,
        tool="read",
        model="deepseek-chat",
        count=count,
        repairable=0,
        session="2026-11-30-a1",
        path="logs/2026-11-30/session.jsonl",
        call=None,
        shown="",
        says="",
    )
    return replace(base, **rest)  # type: ignore[arg-type]  # a shorthand of the tests


_FOUND: Final = Found(
    streams=7,
    untold=3,
    rows=(
        _found(
            "G",
            "leaked_call",
            "hermes_json",
            12,
            repairable=11,
            shown='<tool_call>{"name": "read", "arguments": {"path": "src/main.py"}}</tool_call>',
            says='call read {"path":"src/main.py"}',
        ),
        _found(
            "G",
            "residue_only",
            "glm_arg_kv",
            2,
            tool=None,
            repairable=2,
            shown="</tool_call>",
            says="leave the markup out of the text",
        ),
        _found(
            "H",
            "image_as_text",
            "image/png",
            4,
            tool="screenshot",
            repairable=4,
            call="5c4ee7",
            shown='[{"type":"image","data":"iVBORw0KGgoAAAANSUhEUgAAA… +13,300 chars',
            says="an image block in responses, anthropic: 13,448 characters less",
        ),
        _found(
            "I",
            "hidden_cause",
            "rate-limit 429",
            4,
            tool=None,
            repairable=4,
            shown="OpenAI Responses response failed",
            says="429: queue full (error, at /response/error)",
        ),
        _found(
            "I",
            "lost_cause",
            "other STREAM_CLOSED",
            3,
            tool=None,
            shown="stream ended",
            says="the log has lost the cause (STREAM_CLOSED)",
        ),
        _found(
            "J",
            "missing_result",
            "",
            2,
            tool="edit",
            call="ab12cd",
            shown="call toolu_01",
            says="a call without a result, and the session went on; reported only",
        ),
    ),
    more=1,
    reask=Reask(_POLICY, 9, 8, 1, 4, 1, 5, 2, 1, {"shape": 3, "limit": 1}),
    images=Images(
        4,
        5,
        53_792,
        (
            LoweringRow("responses", 4, 0, 4, 38_540, 1_220, "image 1.2 a patch"),
            LoweringRow("mcp", 4, 0, 0, 0, 0, ""),
        ),
    ),
)

TYPICAL: Final = Report(
    tool_version="0.1.0",
    engine=EngineInfo("toolfix", "0.1.0", tuple("ABCDEFKLP")),
    judge=JudgeInfo("jsonschema", "4.26.0"),
    labels={"corpus": "synthetic: broken on purpose, with known answers", "run": "nightly"},
    verdict=Verdict(
        "pass",
        0,
        ("still_failing: 29 calls are over the limit of 0 (warning)",),
        (
            PolicyResult("misfix", "error", 0, "<=", 0, True),
            PolicyResult("unreadable", "error", 2, "<=", 482, True),
            PolicyResult("still_failing", "warn", 29, "<=", 0, False),
            PolicyResult("leaked_calls", "warn", 14, "<=", 0, False),
        ),
    ),
    corpus=Corpus(12, 96, 98_115, 48_210, 47_950, 20_437, 2, 118),
    schemas={"request": 40_120, "catalogue": 8_053, "inferred": 0},
    outcomes=_OUTCOMES,
    host={
        "rejected_arguments": counts(11, 0, 1490, 29, 255, 5),
        "rejected_name": counts(0, 0, 12, 0, 4, 0),
        "accepted": counts(45_309, 28, 160, 0, 9, 32),
        "failed": counts(830, 0, 4, 0, 2, 0),
        "denied": counts(20, 0, 0, 0, 0, 0),
        "missing": counts(10, 0, 0, 0, 0, 0),
    },
    families=_FAMILIES,
    wrapper_depth={"1": 1150, "2": 71, "3": 20, "10": 3, "38": 1},
    untouched={"omitted-required": 190, "truncated": 41, "unrelated-key": 22, "ambiguous": 17},
    unjudged={"no-schema": 35, "remote-ref": 2},
    left_alone={"json-text-in-string": 640, "free-form": 212, "look-alike-value": 18},
    suspicions={"ignored-key": 77, "wrapper-kept": 4},
    findings=(
        Finding("host-accepted", "host ran the original", 160, "the host ran what we would change"),
        Finding("truncated", "cut arguments", 41, "finish reason length, or text that stops"),
    ),
    misfixes=Misfixes(
        10_260,
        0,
        {},
        {
            MisfixKind.ALTERNATE_SCHEMA: 8120,
            MisfixKind.NEEDLESS: 1210,
            MisfixKind.VALUE_LOST: 465,
            MisfixKind.NOT_IDEMPOTENT: 465,
        },
        (),
    ),
    confirmations=(
        ConfirmationRow("A", 12, 0, 3, 757, 1000),
        ConfirmationRow("D", 3, 1, 2, 300, 955),
    ),
    power={
        "A": {"value-lost": {"wrong": 40, "convicted": 40}},
        "D": {"key-unrelated": {"wrong": 31, "convicted": 30}},
    },
    tools=(
        ToolRow("read", 21_880, counts(21_200, 0, 640, 4, 36, 0)),
        ToolRow("todo_write", 9_120, counts(8_400, 0, 600, 2, 118, 0)),
        ToolRow("list_skills", 1_020, counts(990, 28, 2, 0, 0, 0)),
        ToolRow("mcp__tracker__find_issue", 37, counts(0, 0, 0, 0, 0, 37)),
    ),
    models=(
        ModelRow(
            "deepseek",
            "deepseek-chat",
            30_110,
            counts(28_500, 28, 1400, 20, 160, 2),
            {"A": 1100, "D": 200},
        ),
        ModelRow(
            "local",
            "qwen3-coder:30b",
            18_100,
            counts(17_680, 0, 266, 9, 110, 35),
            {"A": 104, "E": 88},
        ),
    ),
    sources=(
        SourceRow("logs/2026-11-29/session.jsonl.zstd", "dsh", 30_110, 30_000, 15_000, 0),
        SourceRow("logs/2026-11-30/session.jsonl", "dsh", 18_218, 17_950, 5_437, 2),
    ),
    unreadable=(
        UnreadableRow("logs/2026-11-30/session.jsonl", 811, 40_122, "not JSON: cut at the end"),
    ),
    unjudged_tools=(UnjudgedTool("mcp__tracker__find_issue", 37, "no-schema"),),
    examples=_EXAMPLES,
    basis=_BASIS,
    groups=_GROUPS,
    found=_FOUND,
    inputs=("logs",),
    notes=("command: toolfix-audit dryrun logs --schemas tools.json --report html",),
)

_CONVICTION: Final = MisfixExample(
    call="d00d01",
    session="2026-11-30-a1",
    tool="skill",
    kind=MisfixKind.KEY_UNRELATED,
    families=("D",),
    detail="the value of 'configuration' moved to 'description'",
    before={"configuration": "fast"},
    after={"description": "fast"},
)

FAILING: Final = replace(
    TYPICAL,
    labels={"run": "nightly"},
    verdict=Verdict(
        "fail",
        1,
        ("misfix: 1 mis-fix, and none is allowed",),
        (PolicyResult("misfix", "error", 1, "<=", 0, False),),
    ),
    families=(replace(_FAMILIES[3], misfixes=1), *_FAMILIES[:3]),
    earlier=Earlier(
        tool_version="0.0.9",
        calls=48_000,
        unreadable=2,
        outcomes=counts(46_000, 28, 1_660, 12, 263, 37),
        misfixes=0,
        probes=10_100,
        fixed={"A": 1_198, "D": 302},
        regressed=12,
        regressions=(Regression("skill", "5ca1ab1e" * 8, "1f2e3d4c5b6a7988", ("D",), 12),),
    ),
    store="audits/nightly.duckdb",
    misfixes=replace(
        TYPICAL.misfixes, count=1, by_kind={MisfixKind.KEY_UNRELATED: 1}, examples=(_CONVICTION,)
    ),
)


def hostile(text: str = HOSTILE) -> Report:
    """The failing report with `text` in every field that may hold text of a log."""
    value: Json = {text: text, "items": [text, {"deep": text}], "n": 1}
    after: Json = {"items": [text], "n": 1}
    step = StepRow(text, text, text, text, value)
    return replace(
        FAILING,
        tool_version=text,
        engine=EngineInfo(text, text, (text,)),
        judge=JudgeInfo(text, text),
        labels={text: text, "corpus": text},
        verdict=replace(
            FAILING.verdict,
            reasons=(text,),
            policies=(PolicyResult(text, "warn", 1, ">=", 2, False),),
        ),
        families=(FamilyRow(text, text, 1, 1, 0, 0, 0, 1, 1),),
        wrapper_depth={text: 1},
        findings=(Finding(text, text, 1, text),),
        misfixes=replace(
            FAILING.misfixes,
            examples=(MisfixExample(text, text, text, "needless", (text,), text, value, after),),
        ),
        power={text: {text: {"wrong": 1, "convicted": 0}}},
        confirmations=(ConfirmationRow(text, 1, 0, 0, 207, 1000),),
        tools=(ToolRow(text, 1, counts(0, 0, 1, 0, 0, 0)),),
        models=(ModelRow(text, text, 1, counts(0, 0, 1, 0, 0, 0), {text: 1}),),
        sources=(SourceRow(text, text, 1, 1, 1, 1),),
        unreadable=(UnreadableRow(text, 1, 1, text),),
        unjudged_tools=(UnjudgedTool(text, 1, "no-schema"),),
        examples=(
            Example(
                text,
                text,
                text,
                "fixed",
                None,
                (text,),
                (step,),
                value,
                after,
                (text,),
                (text,),
                None,
                "accepted",
                text,
                text,
                1,
            ),
            Example(
                text,
                text,
                text,
                "untouched",
                "unparseable",
                (),
                (),
                text,
                None,
                (text,),
                (),
                "request",
                "missing",
                text,
                None,
                1,
            ),
        ),
        basis=(BasisRow("request", "pair", 1, counts(0, 0, 1, 0, 0, 0)),),
        groups=tuple(
            Grouping(by, (GroupRow((text,) * len(by), 1, counts(0, 0, 1, 0, 0, 0)),))
            for by in (("source",), ("label", "value"), (text, f"label:{text}"))
        ),
        found=Found(
            1,
            1,
            tuple(
                FoundRow(family, text, text, text, text, 1, 1, text, text, text, text, text)
                for family in "GHIJ"
            ),
            1,
            Reask(text, 1, 1, 1, 1, 1, 1, 1, 1, {text: 1}),
            Images(1, 1, 1, (LoweringRow(text, 1, 0, 1, 1, 1, text),)),
        ),
        earlier=Earlier(
            text,
            1,
            0,
            counts(0, 0, 1, 0, 0, 0),
            0,
            1,
            {text: 1},
            1,
            (Regression(text, text, text, (text,), 1),),
        ),
        inputs=(text,),
        store=text,
        notes=(text,),
    )
