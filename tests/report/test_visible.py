"""Invisible characters spelled out, long values cut."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from toolfix_audit.report.visible import shown, visible
from toolfix_audit.report.wording import count_of, misfixes_of, share_of

ANY_TEXT = st.text(st.characters())


@given(ANY_TEXT)
def test_result_is_visible_and_stays_as_it_is(text: str) -> None:
    result = visible(text)
    assert visible(result) == result
    result.encode()
    assert "\n" not in result


def test_no_control_format_or_surrogate_character_survives() -> None:
    for code in range(0x110000):
        character = chr(code)
        if unicodedata.category(character) in {"Cc", "Cf", "Cs", "Zl", "Zp"}:
            assert visible(character).isascii(), hex(code)


def test_ordinary_text_of_any_script_stays() -> None:
    text = "naïve 文件 файл ملف 한글 é 👍 “quoted” a b"
    assert visible(text) == text


@given(ANY_TEXT, st.integers(1, 12))
def test_cut_text_says_how_much_is_missing(text: str, limit: int) -> None:
    result = shown(text, limit)
    kept, mark, rest = result.rpartition("… +")
    if result == visible(text):
        assert len(result) <= limit
    else:
        assert mark
        assert len(kept) <= limit
        left = int(rest.removesuffix(" chars").replace(",", ""))
        assert kept == visible(text[: len(text) - left])


def test_shares_never_round_to_nothing_or_all() -> None:
    assert share_of(0, 10) == "0 %"
    assert share_of(1, 100_000) == "<0.1 %"
    assert share_of(99_999, 100_000) == ">99.9 %"
    assert share_of(10, 10) == "100 %"
    assert share_of(0, 0) == "0 %"
    assert share_of(1, 3) == "33.3 %"
    assert share_of(2, 3) == "66.7 %"


def test_counts_speak_of_one_and_many() -> None:
    assert count_of(1, "call") == "1 call"
    assert count_of(1204, "call") == "1,204 calls"
    assert (misfixes_of(0), misfixes_of(1)) == ("0 mis-fixes", "1 mis-fix")
