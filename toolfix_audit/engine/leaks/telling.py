"""What a text must hold to be worth a look: one pattern for all syntaxes, cheap to search for."""

from __future__ import annotations

from typing import Final

_BLANK: Final = r"(?:\s|[\x0b\x1c-\x1f]|[^\x00-\x7f])*"

TELLING: Final = "|".join(
    (
        r"</?[|\x{ff5c}]",
        r"</?(?:tool_c|functi|invoke|minima|parame|arg_k|arg_v)",
        r"\[TOOL_CALLS|\[tool_code:|to=functions\.",
        r"```(?:tool_c|function_c)",
        rf"^{_BLANK}(?:[{{\[]|```|~~~|[A-Za-z_][^\s(){{}}]{{0,99}}[({{])(?s:.*)[}}\])>`~]{_BLANK}$",
        rf"</[A-Za-z_][^\s<>]{{0,99}}>{_BLANK}$",
    )
)
"""A pattern of RE2, where `^` and `$` are the ends of the text: a text without it holds no leak of
any syntax, nor a marker of one beside calls."""

TELLING_CALL: Final = "arg_key|arg_value|tool_call"
"""A call in whose name and arguments nothing of this stands holds no markup of a syntax."""
