"""The router keeps its accuracy on the held-back complaints, stays quick, and replies in few tokens."""

from __future__ import annotations

import json
import statistics
import time
from pathlib import Path
from typing import Any

import pytest
from benchmarks.routing.evaluate import Tally, facts_of, measure

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks" / "routing"


def cases(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text("utf-8").splitlines()]


def share(tally: Tally, kind: str | None = None) -> float:
    kinds = [kind] if kind else list(tally.cases)
    return sum(tally.right[k] for k in kinds) / sum(tally.cases[k] for k in kinds)


@pytest.fixture(scope="module")
def held_back() -> Tally:
    return measure(cases("held_back"), lambda text: len(text.encode()) // 4)


def test_at_least_nine_of_ten_held_back_complaints_are_right(held_back: Tally) -> None:
    assert share(held_back) >= 0.9


def test_nearly_every_complaint_with_facts_filled_in_is_right() -> None:
    facts = facts_of(FOLDER / "held_back.jsonl")
    tally = measure(cases("held_back"), len, facts)
    assert facts is not None
    assert share(tally) >= 0.98
    assert tally.forbidden == 0


def test_facts_and_complaints_belong_together() -> None:
    facts = facts_of(FOLDER / "held_back.jsonl")
    assert facts is not None
    assert sorted(facts) == sorted(c["id"] for c in cases("held_back"))


@pytest.mark.parametrize("kind", ["clarify", "out_of_scope"])
def test_questions_and_refusals_come_when_they_are_due(held_back: Tally, kind: str) -> None:
    assert share(held_back, kind) >= 0.9


def test_hardly_any_question_is_needless_and_no_forbidden_sheet_is_primary(held_back: Tally) -> None:
    total = sum(held_back.cases.values())
    assert held_back.needless / total <= 0.04
    assert held_back.forbidden / total <= 0.01


def test_a_reply_costs_few_tokens(held_back: Tally) -> None:
    assert statistics.median(held_back.tokens) <= 600


def test_the_held_back_complaints_are_not_among_those_that_were_fitted() -> None:
    assert not {c["text"] for c in cases("held_back")} & {c["text"] for c in cases("own_dev")}


def test_there_are_enough_complaints_of_every_kind() -> None:
    for kind in ("route", "cross_pack", "joint", "clarify", "out_of_scope"):
        assert sum(c["kind"] == kind for c in cases("own_dev")) >= 40


@pytest.mark.benchmark
def test_a_route_takes_less_than_five_milliseconds_in_the_median() -> None:
    texts = [c["text"] for c in cases("held_back")]
    measure(cases("held_back"), len)
    from lossdoctor.routing import route

    seconds = []
    for text in texts:
        start = time.perf_counter()
        route(text)
        seconds.append(time.perf_counter() - start)
    assert statistics.median(seconds) < 0.005
