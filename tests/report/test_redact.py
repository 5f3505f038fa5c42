"""What may leave the machine, and what must stay readable."""

from __future__ import annotations

from dataclasses import replace

import pytest

from toolfix_audit.model.json import Json
from toolfix_audit.model.report import Report
from toolfix_audit.report import EMITTERS
from toolfix_audit.report.redact import redact, redaction_of

from .samples import FAILING, TYPICAL

SECRETS = [
    "sk-proj-abcdefghijklmnopqrstuvwx",
    "ghp_0123456789abcdefghijABCDEFGHIJ456789",
    "AKIAIOSFODNN7EXAMPLE",
    "xoxb-123456789012-abcdefghijkl",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P",
    "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----",
]


def _with(value: Json) -> Report:
    example = replace(TYPICAL.examples[0], before=value, after=value)
    return replace(TYPICAL, examples=(example,))


def _shown(value: Json) -> Json:
    return redact(_with(value)).examples[0].before


@pytest.mark.parametrize("secret", SECRETS)
def test_a_secret_goes_wherever_it_stands(secret: str) -> None:
    report = _with({"command": f"curl -H 'X: {secret}' x", secret: [secret]})
    report = replace(report, notes=(f"reproduce: x {secret}",), labels={"run": secret})
    for emitter in EMITTERS:
        assert secret not in emitter.render(redact(report))


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("password=hunter22", "hunter22"),
        ("Authorization: Bearer abcdefghijklmnop", "abcdefghijklmnop"),
        ('{"api_key": "0123456789"}', "0123456789"),
        ("postgres://me:sesame@host/db", "sesame"),
    ],
)
def test_an_assigned_secret_goes(text: str, secret: str) -> None:
    assert secret not in str(_shown({"command": text}))


@pytest.mark.parametrize("key", ["password", "API_KEY", "x-auth-token", "Authorization"])
def test_a_value_under_a_secret_name_goes(key: str) -> None:
    assert "hunter2" not in str(_shown({key: "hunter2"}))


@pytest.mark.parametrize(
    "text",
    [
        "token_count: 12",
        "the password is asked for",
        "src/secret/keys.py",
        "task-management-and-scheduling",
        "secretary",
        "a" * 200,
        "https://example.org:8080/path",
    ],
)
def test_what_is_no_secret_stays(text: str) -> None:
    assert _shown({"path": text}) == {"path": text}


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("/home/jane/x/y.py", "~/x/y.py"),
        ("/Users/jane/x", "~/x"),
        ("C:\\Users\\jane\\x", "~\\x"),
        ("/root/x", "~/x"),
        ("/srv/root/x", "/srv/root/x"),
        ("/homework/x", "/homework/x"),
    ],
)
def test_home_folders(path: str, shown: str) -> None:
    assert _shown({"path": path}) == {"path": shown}


def test_base64_and_long_values_are_cut_to_their_size() -> None:
    picture = "iVBORw0KGgo" + "Ab1+" * 200
    shown = _shown({"image": picture, "text": "word " * 100})
    assert isinstance(shown, dict)
    assert "Ab1+Ab1+" not in str(shown)
    assert str(shown["text"]).endswith("… +300 chars")


def test_equal_secrets_get_equal_masks_and_others_do_not() -> None:
    shown = _shown({"a": SECRETS[0], "b": SECRETS[0], "c": SECRETS[1]})
    assert isinstance(shown, dict)
    assert shown["a"] == shown["b"] != shown["c"]


def test_figures_tools_and_keys_stay() -> None:
    before, after = FAILING, redact(FAILING)
    assert after.outcomes == before.outcomes
    assert after.tools == before.tools
    assert after.misfixes.count == before.misfixes.count
    assert after.examples[0].before == before.examples[0].before


def test_twice_is_once_and_the_note_says_what_was_done() -> None:
    once = redact(_with({"a": SECRETS[0], "path": "/home/jane/x"}))
    assert redact(once) == once
    assert redaction_of(once) == "redacted: 2 home paths, 2 secrets"
    assert redaction_of(TYPICAL) == "not redacted"
    assert redaction_of(redact(TYPICAL)) == "redacted: nothing had to be"


def test_every_format_that_is_shared_says_so() -> None:
    report = redact(TYPICAL)
    for emitter in EMITTERS:
        if emitter.shared and emitter.name != "html":
            assert "redacted: nothing had to be" in emitter.render(report)
