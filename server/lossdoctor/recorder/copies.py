"""Units that are copies of each other: rows of a weight that are equal at the first step, and still at the end, or
columns of a matrix (the numbers of a table's entries).

Equal units with equal weights onwards get equal gradients and never part (Goodfellow, Bengio and Courville, "Deep
learning", 2016, 8.4); those that are told apart by what follows do.
"""

from __future__ import annotations

from collections.abc import Callable

import torch

from .names import Names
from .session import Session
from .stats import local, wide

AXES = ("rows", "columns")
FEWEST, LARGEST = 8, 4_000_000  # rows and numbers of a weight that is looked at
HALF = 0.5  # of the rows
EQUAL = 1e-4  # difference of two rows' sums, relative to the spread of all


class Copies:
    """Writes a ``copies`` row at the end for every weight that began with at least half its rows (or columns) in
    excess: those that are not zero, different ones at first and at the end.
    """

    def __init__(
        self, session: Session, names: Names, held: Callable[[], dict[int, list[torch.Tensor]]]
    ) -> None:
        self.s, self.names, self.held = session, names, held
        self._found: list[tuple[torch.Tensor, str, int, int]] = []
        self._looked = False

    def install(self) -> None:
        self.s.on_stop.append(self._close)

    def before_backward(self) -> None:
        """At the first backward pass, look at every weight that an optimizer holds."""
        if self._looked or self.s.steps > 0:
            return
        self._looked = True
        with torch.no_grad():
            for weight in {id(p): p for group in self.held().values() for p in group}.values():
                for axis in AXES if weight.dim() > 1 and weight.numel() <= LARGEST else ():
                    rows, distinct = different(weight, axis)
                    if rows >= FEWEST and distinct <= HALF * rows:
                        self._found.append((weight, axis, rows, distinct))

    def _close(self) -> None:
        with torch.no_grad():
            for weight, axis, rows, distinct in self._found:
                self.s.write({"k": "copies", "parameter": self.names.index(weight), "axis": axis, "rows": rows,
                              "first": distinct, "last": different(weight, axis)[1]})  # fmt: skip


def different(weight: torch.Tensor, axis: str = AXES[0]) -> tuple[int, int]:
    """(rows, or columns of a matrix, that are not zero, how many different ones there are among them)."""
    if axis != AXES[0] and (weight.dim() != 2 or weight.shape[0] < 2):
        return 0, 0
    weight = weight if axis == AXES[0] else weight.t()
    rows = wide(local(weight)).reshape(weight.shape[0], -1)
    rows = rows[(rows != 0).any(1)]
    sums = rows @ torch.cos(torch.arange(rows.shape[1], dtype=rows.dtype, device=rows.device) * 12.9898)
    if len(sums) < 2:
        return len(sums), len(sums)
    apart = sums.sort().values.diff() > EQUAL * float(sums.std().clamp_min(1e-12))
    return len(sums), int(apart.sum()) + 1
