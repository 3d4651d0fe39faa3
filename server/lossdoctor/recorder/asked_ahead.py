"""Symbols that are to be foretold: how many places on the input shows those that a loss asks for."""

from __future__ import annotations

import torch

from .session import Session
from .stats import IGNORED

MOST = 12  # rows
PLACES = 3  # ahead, up to which is looked
SHORTEST = 8  # symbols of a sequence


def look_ahead(session: Session, x: torch.Tensor, targets: list[torch.Tensor]) -> None:
    """Write an ``ahead`` row: of the symbols that are asked for, the share that stands in the input at the same place,
    one, two and three places on, of several targets the largest one. Rows of targets may be a few places shorter.
    """
    if (
        x.is_floating_point()
        or x.dim() != 2
        or x.shape[1] < SHORTEST
        or session.counters.get("ahead", 0) >= MOST
    ):
        return
    shares = [s for t in targets if (s := _shares(x, t)) is not None]
    if shares:
        session.count("ahead")
        session.add(
            {"k": "ahead", "i": session.steps + 1, "shares": [max(s) for s in zip(*shares, strict=True)]}
        )


def _shares(x: torch.Tensor, target: torch.Tensor) -> list[float] | None:
    rows, places = x.shape
    whole = not target.is_floating_point() and target.device == x.device and target.dtype != torch.bool
    columns, rest = divmod(target.numel(), rows)
    if not whole or rest or not places - PLACES <= columns <= places:
        return None
    asked = target.reshape(rows, columns)
    found = []
    for ahead in range(PLACES + 1):
        shown = x[:, ahead : ahead + columns]
        those = asked[:, : shown.shape[1]]
        counted = those != IGNORED
        same = (those == shown) & counted
        found.append(round(int(same.sum()) / max(1, int(counted.sum())), 3))
    return found
