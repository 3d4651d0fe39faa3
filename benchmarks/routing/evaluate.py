"""Accuracy, needless questions, reply size and latency of the router on labelled complaints.

    python benchmarks/routing/evaluate.py [FILE.jsonl ...] [--errors]

One row per set and path: words alone, and facts where <set>_facts.jsonl lies beside it (README.md tells how the sets
were made). A complaint counts as right when the action (route, ask, out of scope) is right and, for a route, the first
ref is one of the accepted ones.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lossdoctor.model import Route
from lossdoctor.routing import Facts, route

HERE = Path(__file__).parent
_ACTION = {"clarify": "needs_answer", "out_of_scope": "out_of_scope"}
SETS = ("own_dev", "held_back", "fresh_held_back", "varied_dev", "varied_held_back", "odd_held_back")
KINDS = ("route", "joint", "cross_pack", "clarify", "out_of_scope")
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


def measure(
    cases: Iterable[dict[str, Any]],
    count_tokens: Callable[[str], int],
    facts: Mapping[str, dict[str, Any]] | None = None,
) -> Tally:
    """Route every case by its words, or with ``facts`` (id -> facts) as an agent passes them."""
    tally = Tally()
    for case in cases:
        told = Facts(**facts[case["id"]]) if facts else None
        start = time.perf_counter()
        result = route(case["text"], told)
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


def row(name: str, path: str, tally: Tally) -> str:
    total = sum(tally.cases.values())
    kinds = [f"{tally.right[k] / tally.cases[k]:.1%}" if tally.cases[k] else "-" for k in KINDS]
    cells = [
        name, path, str(total), f"{sum(tally.right.values()) / total:.1%}", *kinds,
        f"{tally.complete / max(tally.with_must, 1):.1%}", f"{tally.needless / total:.1%}",
        f"{tally.forbidden / total:.1%}", f"{statistics.median(tally.tokens):.0f}",
        f"{1e3 * statistics.median(tally.seconds):.2f}",
    ]  # fmt: skip
    return f"| {' | '.join(cells)} |"


def heading(unit: str) -> str:
    names = [
        "set", "path", "complaints", "all right", *KINDS, f"required among first {_FIRST}", "needless question",
        "forbidden primary", f"reply, median tokens ({unit})", "p50 ms",
    ]  # fmt: skip
    return f"| {' | '.join(names)} |\n|{'---|' * len(names)}"


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def facts_of(path: Path) -> dict[str, dict[str, Any]] | None:
    """The filled-in facts that lie next to a set of complaints, by id."""
    beside = path.with_name(f"{path.stem}_facts.jsonl")
    return {line["id"]: line["facts"] for line in read(beside)} if beside.is_file() else None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("files", nargs="*", type=Path, default=[HERE / f"{name}.jsonl" for name in SETS])
    parser.add_argument(
        "--errors", action="store_true", help="list the wrong ones (not for the held-back parts)"
    )
    options = parser.parse_args()
    unit, count = token_counter()
    errors: list[str] = []
    print(heading(unit))
    for path in options.files:
        for way, facts in (("words", None), ("facts", facts_of(path))):
            if way == "words" or facts:
                tally = measure(read(path), count, facts)
                errors += tally.errors
                print(row(path.stem, way, tally))
    print(*(errors if options.errors else ()), sep="\n")


if __name__ == "__main__":
    main()
