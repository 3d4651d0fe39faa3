"""Accuracy, needless questions, reply size and latency of the router on labelled complaints, words alone.

    python benchmarks/routing/evaluate.py [FILE.jsonl ...] [--errors]

Without files: the development part and the held-back part. A complaint counts as right when the action (route, ask,
out of scope) is right and, for a route, the first ref is one of the accepted ones.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lossdoctor.model import Route
from lossdoctor.routing import route

HERE = Path(__file__).parent
_ACTION = {"clarify": "needs_answer", "out_of_scope": "out_of_scope"}
_FIRST = 4
"""Refs among which every required sheet must be."""


@dataclass
class Tally:
    """Counts over one set of complaints."""

    cases: Counter[str] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)
    complete: int = 0
    with_must: int = 0
    forbidden: int = 0
    needless: int = 0
    tokens: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


def judge(case: dict[str, Any], result: Route) -> tuple[bool, bool]:
    """(action and primary right, every required sheet among the first four)."""
    refs = [r.id for r in (*result.primary, *result.secondary)]
    expected = _ACTION.get(case["kind"], "routed")
    right = result.status == expected and (expected != "routed" or (refs[:1] and refs[0] in case["primary"]))
    return bool(right), set(case["must_include"]) <= set(refs[:_FIRST])


def measure(cases: Iterable[dict[str, Any]], count_tokens: Callable[[str], int]) -> Tally:
    tally = Tally()
    for case in cases:
        start = time.perf_counter()
        result = route(case["text"])
        tally.seconds.append(time.perf_counter() - start)
        _add(tally, case, result)
        tally.tokens.append(count_tokens(result.model_dump_json(exclude_defaults=True)))
    return tally


def _add(tally: Tally, case: dict[str, Any], result: Route) -> None:
    right, complete = judge(case, result)
    tally.cases[case["kind"]] += 1
    tally.right[case["kind"]] += right
    if case["must_include"]:
        tally.with_must += 1
        tally.complete += complete
    tally.forbidden += any(r.id in case["must_not_primary"] for r in result.primary)
    tally.needless += case["kind"] != "clarify" and result.status == "needs_answer"
    if not right:
        tally.errors.append(
            f"{case['id']} {case['kind']} -> {result.status} {result.symptom_class}: {case['text']}"
        )


def token_counter() -> tuple[str, Callable[[str], int]]:
    """tiktoken where it and its vocabulary are at hand, else bytes / 4."""
    try:
        import tiktoken  # type: ignore[import-not-found, unused-ignore]

        encoding = tiktoken.get_encoding("cl100k_base")
    except Exception:  # not installed, or its vocabulary cannot be fetched
        return "bytes / 4", lambda text: len(text.encode()) // 4
    return "cl100k", lambda text: len(encoding.encode(text))


def table(name: str, tally: Tally, unit: str) -> str:
    total = sum(tally.cases.values())
    rows = [f"| {kind} | {n} | {tally.right[kind] / n:.1%} |" for kind, n in sorted(tally.cases.items())]
    return "\n".join(
        [
            f"### {name}",
            "| kind | complaints | action and first ref right |",
            "|---|---|---|",
            *rows,
            f"| all | {total} | {sum(tally.right.values()) / total:.1%} |",
            "",
            f"required sheets among the first {_FIRST}: {tally.complete / max(tally.with_must, 1):.1%} · "
            f"forbidden primary: {tally.forbidden / total:.1%} · needless questions: {tally.needless / total:.1%} · "
            f"reply: {statistics.median(tally.tokens):.0f} tokens in the median ({unit}) · "
            f"latency: {1e3 * statistics.median(tally.seconds):.2f} ms p50, {1e3 * max(tally.seconds):.1f} ms max",
        ]
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument(
        "files", nargs="*", type=Path, default=[HERE / "own_dev.jsonl", HERE / "held_back.jsonl"]
    )
    parser.add_argument(
        "--errors", action="store_true", help="list the wrong ones (not for the held-back part)"
    )
    options = parser.parse_args()
    unit, count = token_counter()
    for path in options.files:
        cases = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        tally = measure(cases, count)
        print(table(path.stem, tally, unit), *(tally.errors if options.errors else ()), sep="\n")


if __name__ == "__main__":
    main()
