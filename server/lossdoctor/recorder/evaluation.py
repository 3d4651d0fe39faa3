"""Evaluation passes: loss and accuracy without gradient, and the mode in which the model was."""

from __future__ import annotations

from typing import Any

import torch

from .session import Session
from .stats import tensors

MAX_LOGITS = 2_000_000


class Evaluation:
    """Collects what happens between two optimizer steps while gradients are off; one ``eval`` row each time."""

    def __init__(self, session: Session) -> None:
        self.s = session
        self.labels: torch.Tensor | None = None
        self._modes: dict[str, int] = {}
        self._losses: list[Any] = []
        self._hits: list[Any] = []
        self._counts: list[int] = []

    def forward(self, training: bool) -> None:
        mode = "train" if training else "eval"
        self._modes[mode] = self._modes.get(mode, 0) + 1

    def loss(self, value: torch.Tensor) -> None:
        if value.numel() == 1 and len(self._losses) < 2000:
            self._losses.append(self.s.defer(value))

    def output(self, output: Any) -> None:
        """Accuracy of class scores (N, C) against the labels (N,) of the batch that was loaded last."""
        found = [t for _, t in tensors(output)]
        if found and self.labels is not None and len(self._hits) < 2000:
            hits = accuracy(found[0], self.labels)
            if hits is not None:
                self._hits.append(self.s.defer(hits))
                self._counts.append(self.labels.shape[0])

    def close(self) -> None:
        """Queue the row of the evaluation that just ended, if there was one."""
        if self._modes:
            self.s.add({"k": "eval", "i": self.s.steps, "modes": self._modes, "loss": self._losses,
                        "acc": self._hits, "n": self._counts, "t": round(self.s.seconds(), 4)})  # fmt: skip
        self._modes, self._losses, self._hits, self._counts = {}, [], [], []


def accuracy(scores: torch.Tensor, labels: torch.Tensor) -> torch.Tensor | None:
    """Share of samples whose largest score is the label; None unless scores are (N, C >= 2) and labels (N,)."""
    fits = scores.dim() == 2 and labels.dim() == 1 and scores.shape[0] == labels.shape[0] and scores.shape[1] > 1
    if not fits or scores.numel() > MAX_LOGITS or labels.is_floating_point() or not scores.is_floating_point():
        return None
    if scores.device != labels.device:
        return None
    return (scores.detach().argmax(1) == labels).double().mean()
