"""Tables of indexes that are held out: whether another table of the script has their rows."""

from __future__ import annotations

import pytest
from tests.recorder.harness import Record

SCRIPT = """
import numpy as np
import torch
from torch import nn
rng = np.random.default_rng(0)
pairs = np.stack(np.divmod(rng.permutation(40 * 30), 30), 1)
def fit(loans, held):
    user, item = nn.Embedding(40, 4), nn.Embedding(30, 4)
    opt = torch.optim.SGD([*user.parameters(), *item.parameters()], lr=0.1)
    for step in range(5):
        u, i = torch.from_numpy(loans[rng.integers(0, len(loans), 32)]).T
        loss = -nn.functional.logsigmoid((user(u) * item(i)).sum(1)).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
fit({loans}, {held})
"""


@pytest.mark.parametrize(
    ("loans", "held", "share"),
    [
        ("pairs[:900]", "pairs[900:1000]", 0.0),
        ("pairs[:900]", "pairs[820:920]", 0.8),
        ("pairs", "pairs[900:1000]", None),  # what both were cut from
    ],
)
def test_rows_of_a_held_out_table_are_looked_for_in_the_others(
    record: Record, loans: str, held: str, share: float | None
) -> None:
    rows = record(SCRIPT.format(loans=loans, held=held)).of("shared")
    if share is None:
        assert rows == ()
    else:
        (row,) = rows
        assert (row["name"], row["other"], row["rows"], row["share"], row["again"]) == (
            "held",
            "loans",
            100,
            share,
            0.0,
        )
