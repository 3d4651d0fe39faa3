from __future__ import annotations

from typing import Any

import pytest
from tests.detectors.build import expect, make_trace, run

from lossdoctor.detectors.base import Missing

FAULT = "device_underused"


def called(**more: Any) -> dict[str, Any]:
    row = {"k": "rnn", "i": 1, "class": "GRU", "cell": False, "batch_first": True, "shape": [1, 1, 32], "grad": True,
           "calls": 192, "given": 192, "carried": 0, "site": 1, "batch": 8}  # fmt: skip
    return row | more


def test_a_layer_called_for_one_moment_of_one_sample_at_a_time_is_found() -> None:
    finding = expect(FAULT, make_trace(rows=[called()]))
    assert (finding.where.line, finding.evidence[0].value) == (20, 192)


@pytest.mark.parametrize("more", [{"batch": 1}, {"shape": [8, 1, 32]}, {"shape": [1, 24, 32]}, {"calls": 8}])
def test_single_samples_whole_batches_whole_sequences_and_few_calls_are_silent(more: dict[str, Any]) -> None:
    assert isinstance(run(FAULT, make_trace(rows=[called(**more)])), Missing)


def test_without_a_recurrent_layer_it_is_said_to_be_unchecked() -> None:
    assert isinstance(run(FAULT, make_trace()), Missing)
