"""Answers of models rewritten on their way: repaired arguments in, every other byte untouched.

`StreamRewriter` takes a stream of server-sent events as it comes, `rewrite_body` an answer that is
whole. Both know Anthropic Messages, Chat Completions and Responses; anything else passes. What
repairs is a parameter: this package knows no engine.
"""

from toolfix_audit.wire.rewrite.block import Repair
from toolfix_audit.wire.rewrite.body import rewrite_body
from toolfix_audit.wire.rewrite.stream import StreamRewriter
from toolfix_audit.wire.rewrite.tally import Refusal, Tally

__all__ = ["Refusal", "Repair", "StreamRewriter", "Tally", "rewrite_body"]
