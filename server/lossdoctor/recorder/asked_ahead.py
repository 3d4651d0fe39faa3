"""Symbols that are to be foretold: how many places on the input shows those that a loss asks for."""

from __future__ import annotations

from typing import Any

import torch

from .session import Session
from .stats import IGNORED, tensors

MOST = 12  # rows
PLACES = 3  # ahead, up to which is looked
SHORTEST = 8  # symbols of a sequence
AXES = 3  # of scores: samples, places, symbols


def look_ahead(
    session: Session, x: torch.Tensor, targets: list[tuple[torch.Tensor, torch.Tensor]], output: Any
) -> None:
    """Write an ``ahead`` row: of the symbols that are asked for (with the scores for them), the share that stands in
    the input at the same place, one, two and three places on, of several targets the largest one. Rows of targets may
    be a few places shorter; where the first answers of the model's ``output`` are left out, they begin later.
    """
    if (
        x.is_floating_point()
        or x.dim() != 2
        or x.shape[1] < SHORTEST
        or session.counters.get("ahead", 0) >= MOST
    ):
        return
    answers = next((t for _, t in tensors(output) if t.dim() == AXES and t.shape[:2] == x.shape), None)
    shares = [s for scores, t in targets if (s := _shares(x, t, _left_out(scores, answers))) is not None]
    if shares:
        session.count("ahead")
        session.add(
            {"k": "ahead", "i": session.now + 1, "shares": [max(s) for s in zip(*shares, strict=True)]}
        )


def _left_out(scores: torch.Tensor, answers: torch.Tensor | None) -> int:
    """How many of the first answers (N, T, C) of each row the scores do not hold: where the scores for the first symbol
    stand in the first row; 0 where they do not.
    """
    if answers is None or scores.dim() < 2:
        return 0
    by_class = scores.dim() == AXES and scores.shape[1] == answers.shape[2] != scores.shape[2]
    first = (scores[0, :, 0] if by_class else scores.reshape(-1, scores.shape[-1])[0]).detach()
    if first.shape != answers.shape[2:]:
        return 0
    held = answers[0, : PLACES + 1].detach()
    return next((k for k, row in enumerate(held) if torch.equal(row.to(first), first)), 0)


def _shares(x: torch.Tensor, target: torch.Tensor, start: int) -> list[float] | None:
    rows, places = x.shape
    whole = not target.is_floating_point() and target.device == x.device and target.dtype != torch.bool
    columns, rest = divmod(target.numel(), rows)
    if not whole or rest or not places - PLACES <= columns <= places:
        return None
    asked = target.reshape(rows, columns)
    found = []
    for ahead in range(start, start + PLACES + 1):
        shown = x[:, ahead : ahead + columns]
        those = asked[:, : shown.shape[1]]
        counted = those != IGNORED
        same = (those == shown) & counted
        found.append(round(int(same.sum()) / max(1, int(counted.sum())), 3))
    return found
