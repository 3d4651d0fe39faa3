"""Inputs of a model that hold every answer that is asked of it: a forecast that was filled in with what came."""

from __future__ import annotations

from typing import Any

import torch

from .session import Session
from .stats import local, tensors, wide

STEPS = 8  # sampled ones that are looked at
LEAST = 12  # samples of a batch
# numbers per target: a single one follows from its past, images are answered with themselves
ANSWERS = (4, 48)
MOST = 512  # numbers per input
SAME = 0.999  # correlation of an answer with a number of the input
# of a single answer: half precision costs 1e-6; in a smooth series the number before is like the next one too, but so
# is the one before that: 1 - correlation grows with the square of the distance, fourfold, not a hundredfold
EXACT, ALONE = 1 - 1e-5, 100.0
KEPT, WIDE = 128, 8192  # numbers per input: up to the first all of them are in the samples


class Echoes:
    """Writes ``echo`` rows: of several numbers per target the share that some number of one input gives away."""

    def __init__(self, session: Session) -> None:
        self.s = session
        self._given: tuple[int, list[torch.Tensor]] = (-1, [])
        self._left = STEPS

    def call(self, args: Any, grad: bool) -> None:
        """An outermost call of a model; the first one of a step counts."""
        if not grad or not self.s.sampling or not self._left or self._given[0] == self.s.now:
            return
        floats = [t.detach() for _, t in tensors(args) if t.is_floating_point() and t.dim() > 1]
        self._given = self.s.now, floats

    def pair(self, target: torch.Tensor | None) -> None:
        """The target of a step."""
        step, inputs = self._given
        self._given = step, []  # a batch is not kept longer than its step
        if target is None or step != self.s.now or not target.is_floating_point() or not target.dim():
            return
        answers = local(target).reshape(target.shape[0], -1)
        if answers.shape[1] == 1:
            self._single(answers, inputs)
            return
        fits = [
            (n, t)
            for n, t in enumerate(inputs)
            if t.shape[0] == target.shape[0] and answers.shape[1] < t[0].numel() <= MOST
        ]
        if not fits or answers.shape[0] < LEAST or not ANSWERS[0] <= answers.shape[1] <= ANSWERS[1]:
            return
        self._left -= 1
        share, columns, number = max(
            ((*_given_away(t.reshape(t.shape[0], -1), answers), n) for n, t in fits), key=lambda f: f[0]
        )
        self.s.add({"k": "echo", "i": self.s.now + 1, "share": share, "columns": columns, "input": number,
                    "answers": answers.shape[1], "inputs": len(inputs)})  # fmt: skip

    def _single(self, answers: torch.Tensor, inputs: list[torch.Tensor]) -> None:
        """A single answer per sample among the numbers of a wide input (a window of measurements)."""
        fits = [
            (n, t) for n, t in enumerate(inputs) if len(t) == len(answers) and KEPT < t[0].numel() <= WIDE
        ]
        if not fits or len(answers) < LEAST:
            return
        self._left -= 1
        likest = ((_likeness(t.reshape(len(t), -1), answers)[:, 0].topk(2), n) for n, t in fits)
        (values, columns), number = max(likest, key=lambda found: float(found[0].values[0]))
        best, second = values.tolist()
        exact = best >= EXACT and 1 - second >= ALONE * (1 - best)
        self.s.add({"k": "echo", "i": self.s.now + 1, "share": float(exact), "columns": [int(columns[0])],
                    "input": number, "answers": 1, "inputs": len(inputs)})  # fmt: skip


def _given_away(x: torch.Tensor, y: torch.Tensor) -> tuple[float, list[int]]:
    """Share of the columns of y (N, T) that correlate with a column of x (N, C), and those columns."""
    best = _likeness(x, y).max(0)
    return float((best.values >= SAME).float().mean()), best.indices.tolist()


def _likeness(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """Correlation, without its sign, of each column of x (N, C) with each of y (N, T): (C, T)."""
    return (_standard(x).T @ _standard(y)).abs() / x.shape[0]


def _standard(values: torch.Tensor) -> torch.Tensor:
    centred = wide(local(values))
    centred = torch.nan_to_num(centred - centred.mean(0))
    return centred / centred.square().mean(0).sqrt().clamp_min(1e-12)
