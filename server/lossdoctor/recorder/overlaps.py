"""What overlap scores (IoU, Dice, F1, precision, recall) are made of: right, given and true answers of each class."""

from __future__ import annotations

from typing import Any

import torch

from .holders import written_at
from .session import Session
from .stats import IGNORED

EDGES = {
    "binary_cross_entropy": 0.5,
    "binary_cross_entropy_with_logits": 0.0,
}  # where the answer turns to yes
WORDS = (
    r"(?i)iou|jaccard|dice|f_?1|f.?score|prec|recall|sensitivity"  # without which nothing has to be counted
)
BY_CLASS = ("cross_entropy", "nll_loss")
MOST_CLASSES, MOST_NUMBERS, MOST_CALLS = 12, 2_000_000, 500
MOST_TRAINED = 200_000  # numbers that a training step may answer with: counting them must cost little of it


class Overlaps:
    """Counts of the evaluation that goes on, call by call, and of all training calls since the last one."""

    def __init__(self, session: Session) -> None:
        self.s = session
        self._wanted: bool | None = None  # whether the user's files speak of such a score
        self._held: list[torch.Tensor] = []
        self._before: torch.Tensor | None = None  # of training, when the evaluation began
        self._trained: torch.Tensor | None = None
        self._whole = True  # whether all calls of training since then were counted
        # of the last call of training: a variable that may be left over, and answers counted beside it
        self._target: torch.Tensor | None = None
        self._left: list[torch.Tensor] = []

    def add(
        self, name: str, scores: torch.Tensor, target: torch.Tensor, trains: bool, ignored: int = IGNORED
    ) -> None:
        """Count a call of a loss function that has classes, in a script that speaks of such a score; others leave no
        trace. Training on an accelerator is not counted: it would have to wait for the numbers.
        """
        if self._wanted is None:
            self._wanted = written_at(self.s.sites, WORDS) is not None
        if not self._wanted:
            return
        if trains:
            self._target = target.detach()
        if trains and (scores.numel() > MOST_TRAINED or scores.device.type != "cpu"):
            self._whole = False
            return
        counts = counted(name, scores, target, ignored)
        if counts is None:
            return
        if not trains:
            if not self._held:
                self._before = self._trained if self._whole else None
                self._trained, self._whole = None, True
            if len(self._held) < MOST_CALLS:
                self._held.append(counts)
                self._leave(name, scores, target, ignored)
        elif self._trained is None or self._trained.shape == counts.shape:
            self._trained = counts if self._trained is None else self._trained + counts

    def result(self) -> dict[str, Any]:
        """``overlap``: (calls, classes, 3) of this evaluation; ``overlap_trained``: (classes, 3) of what was trained on
        since the last one; ``overlap_left``: (classes, 3) of this evaluation's answers beside the targets of the last
        batch of training. Right, given, true answers. Empty where the calls differ in kind.
        """
        held, trained, left = self._held, self._before, self._left
        self._held, self._before, self._left = [], None, []
        if not held or len({c.shape for c in held}) > 1:
            return {}
        told: dict[str, Any] = {"overlap": torch.stack(held).tolist()}
        if trained is not None:
            told["overlap_trained"] = trained.tolist()
        if len(left) == len(held):
            told["overlap_left"] = torch.stack(left).sum(0).tolist()
        return told

    def _leave(self, name: str, scores: torch.Tensor, target: torch.Tensor, ignored: int) -> None:
        """Count the answers beside the targets of the last batch of training, of as many samples."""
        last = self._target
        if last is None or (last.shape, last.dtype) != (target.shape, target.dtype):
            return
        counts = counted(name, scores, last, ignored)
        if counts is not None:
            self._left.append(counts)


def counted(
    name: str, scores: torch.Tensor, target: torch.Tensor, ignored: int = IGNORED
) -> torch.Tensor | None:
    """(classes, 3): one class for yes and no. None for other losses, and for large ones."""
    scores, target = scores.detach(), target.detach()
    if scores.numel() > MOST_NUMBERS or scores.dim() == 0:
        return None
    if name in EDGES and scores.shape == target.shape:
        given, true = scores > EDGES[name], target > 0.5
        return torch.stack([(given & true).sum(), given.sum(), true.sum()])[None]
    by_class = name in BY_CLASS and scores.dim() > 1 and 1 < scores.shape[1] <= MOST_CLASSES
    if not by_class or target.is_floating_point() or target.shape != (scores.shape[0], *scores.shape[2:]):
        return None
    asked = target != ignored
    given, true, classes = scores.argmax(1)[asked], target[asked], scores.shape[1]
    each = (given[given == true], given, true)
    return torch.stack([torch.bincount(t, minlength=classes) for t in each], 1)
