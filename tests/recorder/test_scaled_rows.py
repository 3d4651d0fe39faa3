"""Rows of a variable behind samples whose features were shifted and scaled. Runs in an interpreter that has torch."""

from __future__ import annotations

import pytest
from tests.recorder.harness import LAUNCH, Record

SOURCE = """
import sys, torch
sys.path.insert(0, {package!r})
from recorder.scaled_rows import scaled_rows
g = torch.Generator().manual_seed(3)
x = torch.randn(500, 6, generator=g) * torch.tensor([1.0, 50.0, 0.01, 3.0, 8.0, 1.0])
x[:, 4] = (x[:, 4] > 9) * x[:, 4]  # mostly at one value
x[:, 5] = 2.0
p = torch.randperm(500, generator=g)
scaled = {{
    "as it is": x, "divided": x / 255, "standardised": (x - x.mean(0)) / x.std(0).clamp_min(1e-9),
    "to one": (x - x.amin(0)) / (x.amax(0) - x.amin(0)).clamp_min(1e-9),
}}[{how!r}].float()
found = scaled_rows(scaled[p[:40]], x)
print(found is not None and found.nearest(scaled[p[40:140]]) == p[40:140].tolist())
print(scaled_rows(torch.randn(40, 6, generator=g), x) is None)
print(scaled_rows(scaled[p[:40]].flip(1), x) is None)
print(scaled_rows(scaled[p[:10]], x) is None)
print(scaled_rows(scaled[p[:40], :5], x) is None)
"""


@pytest.mark.parametrize("how", ["as it is", "divided", "standardised", "to one"])
def test_rows_are_found_at_any_scale_and_foreign_samples_are_not(record: Record, how: str) -> None:
    run = record(SOURCE.format(package=str(LAUNCH.parents[1]), how=how))
    assert run.stdout.split() == ["True"] * 5
