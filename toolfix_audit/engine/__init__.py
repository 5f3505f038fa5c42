"""The repair engine: pure, deterministic, never a guess.

`repair(arguments, schema)` and `repair_call(tool, arguments, tools)` say what is wrong with a
tool call and repair what has one provable reading; `compile_schema` gives the judge.
"""

from toolfix_audit.engine.families import ALL, FAMILIES, SAFE
from toolfix_audit.engine.families.k_tool_name_drift import repair_name
from toolfix_audit.engine.repair import compile_schema, repair, repair_call

__all__ = ["ALL", "FAMILIES", "SAFE", "compile_schema", "repair", "repair_call", "repair_name"]
