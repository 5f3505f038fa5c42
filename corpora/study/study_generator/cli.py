"""Command line of the generator: the only place that prints."""

import argparse
import json
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

from study_generator import storage
from study_generator.figures import summary
from study_generator.plan import make_plan
from study_generator.rows import new_session_id
from study_generator.sessions import write_session

_FIRST_TAG = 1000
# One session in so many is kept as plain text, in gzip only.
_PLAIN_EVERY = 8


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the corpus of a seed and print its figures on one line."""
    parser = argparse.ArgumentParser(description="Write the study corpus anew.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path(__file__).resolve().parent.parent)
    options = parser.parse_args(arguments)
    print(json.dumps(generate(options.seed, options.out), separators=(",", ":")))
    return 0


def generate(seed: int, out: Path) -> dict[str, Any]:
    """Write sessions, truth and figures into a folder; give back the figures."""
    rng = Random(seed)
    folder = out / "sessions"
    storage.clear(folder)
    plans = make_plan(rng)
    ids = sorted(new_session_id(rng) for _ in plans)
    tags = count(_FIRST_TAG)
    truth: list[dict[str, Any]] = []
    texts: list[str] = []
    for index, (plan, session_id) in enumerate(zip(plans, ids, strict=True)):
        session = write_session(rng, plan, session_id, tags)
        plain = index % _PLAIN_EVERY == 0
        texts.append(storage.store_session(folder, session, plain=plain))
        truth += session.truth
    texts.append(storage.store_truth(out / "truth.jsonl.zst", truth))
    figures = {"seed": seed, **summary(truth), "sha256": storage.digest(texts)}
    figures["codecs"] = storage.codecs()
    (out / "figures.json").write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    return figures
