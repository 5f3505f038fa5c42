"""Answers of other languages, in the spelling of what was sent.

A JavaScript engine can't tell `1.0` from `1`, and most parsers keep one of two equal keys. That is
no repair: where an answer says the same as what was sent, it is what was sent.
"""

from __future__ import annotations

from toolfix_audit.model.json import Json, RepeatedKeys, decimal_of, same_json


def spelled_like(answer: Json, sent: Json) -> Json:
    """The answer with every unchanged number and object as it was sent; the very object that was
    sent where nothing differs."""
    try:
        spelled = _spelled(answer, sent)
    except RecursionError:
        spelled = answer
    return sent if same_json(spelled, sent) else spelled


def _spelled(answer: Json, sent: Json) -> Json:
    if isinstance(answer, dict) and isinstance(sent, dict):
        found: dict[str, Json] = {
            key: _spelled(member, sent[key]) if key in sent else member
            for key, member in answer.items()
        }
        is_last_wins = isinstance(sent, RepeatedKeys) and same_json(found, dict(sent))
        return sent if is_last_wins else found
    if isinstance(answer, list) and isinstance(sent, list) and len(answer) == len(sent):
        return [_spelled(one, other) for one, other in zip(answer, sent, strict=True)]
    return sent if _is_same_number(answer, sent) else answer


def _is_same_number(answer: Json, sent: Json) -> bool:
    if isinstance(answer, bool) or isinstance(sent, bool):
        return False
    if not isinstance(answer, int | float) or not isinstance(sent, int | float):
        return False
    value = decimal_of(sent)
    return value is not None and value == decimal_of(answer)
