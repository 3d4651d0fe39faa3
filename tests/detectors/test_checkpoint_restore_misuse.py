from __future__ import annotations

from typing import Any

import pytest
from tests.detectors.build import expect, make_trace, run

from lossdoctor.detectors.base import Missing

FAULT = "checkpoint_restore_misuse"


def load(**more: Any) -> dict[str, Any]:
    row = {"k": "load", "i": 0, "module": "Net", "site": 1, "keys": 10, "own": 10, "missing": 0, "unexpected": 0,
           "examples": [], "failed": None}  # fmt: skip
    return row | more


def restored(**more: Any) -> dict[str, Any]:
    row = {
        "k": "restored",
        "i": 0,
        "given": 10,
        "own": 10,
        "fits": 10,
        "same": 10,
        "site": 1,
        "overwriting": None,
    }
    return row | more


def test_keys_that_match_nothing_are_found_at_the_load() -> None:
    row = load(missing=10, unexpected=10, examples=["fc.weight", "module.fc.weight"])
    finding = expect(FAULT, make_trace(rows=[row, restored(same=0)]))
    assert (finding.where.line, finding.evidence[0].value) == (20, 0)
    assert "module.fc.weight" in str(finding.evidence[2].value)


@pytest.mark.parametrize(
    "row", [load(), load(missing=2, unexpected=2), load(missing=40, own=48, unexpected=2)]
)
def test_a_full_load_or_a_new_head_on_a_loaded_body_is_healthy(row: dict[str, Any]) -> None:
    assert run(FAULT, make_trace(rows=[row, restored(same=8)])) is None


def test_a_second_load_that_fits_makes_up_for_the_first() -> None:
    assert run(FAULT, make_trace(rows=[load(missing=10, unexpected=10), load(), restored()])) is None


def test_weights_that_an_initialiser_overwrote_are_found_at_the_initialiser() -> None:
    finding = expect(FAULT, make_trace(rows=[load(), restored(same=0, overwriting=3)]))
    assert finding.where.line == 22
    assert "initialiser" in finding.why


def test_what_an_initialiser_leaves_over_is_no_restored_body() -> None:
    finding = expect(FAULT, make_trace(rows=[load(), restored(same=3, overwriting=3)]))
    assert "few parameters" in finding.why
    assert run(FAULT, make_trace(rows=[load(), restored(same=7, overwriting=3)])) is None, "a new head"


def test_a_checkpoint_that_was_only_read_is_found() -> None:
    assert "never reached" in expect(FAULT, make_trace(rows=[restored(same=0)])).why


def test_a_failed_load_that_was_swallowed_is_told() -> None:
    rows = [load(failed="size mismatch"), restored(same=0)]
    assert "swallowed" in expect(FAULT, make_trace(rows=rows)).why


def test_a_file_of_data_has_no_fitting_shapes() -> None:
    assert run(FAULT, make_trace(rows=[restored(same=0, fits=1)])) is None


def test_best_weights_put_back_after_training_are_not_looked_at() -> None:
    assert isinstance(run(FAULT, make_trace(rows=[load(i=90, missing=10, unexpected=10)])), Missing)


def test_without_a_checkpoint_it_is_not_checked() -> None:
    assert run(FAULT, make_trace()) == Missing("a checkpoint that is read")
