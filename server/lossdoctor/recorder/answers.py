"""The right answers of an evaluation that is written by hand: found among the variables of the code that evaluates.

Many scripts judge held-out predictions without a loss function (``(model(x) - y).abs().mean()``), so nothing hands
the targets to the recorder. They are looked up: a tensor beside the input in the frames that called the model, with
as many samples, of the kind and shape per sample that the training loss gets. Several such tensors decide nothing,
unless one's name goes with the input's (``x_val`` and ``y_val``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from types import FrameType
from typing import Any

import torch

from .sites import Sites
from .stats import wide
from .variables import data_tensor, inside

FRAMES = 3
FEWEST, OTHER_UNIT = 16, 3.0  # numbers whose spread means something; factor between two units of the same
SHIFTED = 1.0  # standard deviations between the means of both sides, where these are in one unit
# what a script calls its own answers, which have the shape of targets too
ANSWERED = re.compile(
    r"^(p|q|out\w*|pred\w*|\w*_(pred|hat|out)|\w*hat|guess\w*|scores?|logits?|probs?"
    r"|\w*err(or)?s?|resid\w*|\w*(diff|delta|gap|loss)(es|s)?)$",
    re.IGNORECASE,
)
TARGET = re.compile(r"(^|_)(y|t|label|target|truth|mask|gold|answer)", re.IGNORECASE)
Named = tuple[str, torch.Tensor]


@dataclass
class Objective:
    """What the last training call of a loss function got, and the call itself to repeat on held-out answers.

    ``direct``: the model's output went into the loss as it was, so the same call on another output means the same.
    """

    scores: tuple[int, ...]
    target: tuple[int, ...]
    dtype: torch.dtype
    call: Callable[[torch.Tensor, torch.Tensor], torch.Tensor]
    direct: bool
    given: torch.Tensor  # the targets of that call

    def of_one_unit(self, target: torch.Tensor) -> bool:
        """Whether measurements are about as large as those of training: a script may hold them in another unit, and put
        answers into it before it compares.
        """
        if not target.is_floating_point() or min(target.numel(), self.given.numel()) < FEWEST:
            return True
        trained, held = wide(self.given.detach()), wide(target.detach())
        spread, other = float(trained.std()), float(held.std())
        off = abs(float(held.mean()) - float(trained.mean()))
        return not spread or (off <= SHIFTED * spread and spread / OTHER_UNIT <= other <= OTHER_UNIT * spread)

    def allows(self, target: torch.Tensor) -> bool:
        """Whether class numbers are below the number of scores: sample numbers of a split are not."""
        if target.is_floating_point() or len(self.target) != len(self.scores) - 1:
            return True
        return not target.numel() or int(target.max()) < self.scores[1]

    def told_by(self, output: torch.Tensor) -> bool:
        """Whether an output can hold a score for each class that training tells apart: features of an encoder have
        another width.
        """
        if self.dtype.is_floating_point or len(self.target) != len(self.scores) - 1:
            return True
        return self.scores[1] in output.shape[1:]

    def value(self, output: torch.Tensor, target: torch.Tensor) -> torch.Tensor | None:
        """The training loss of another batch; None where shapes or use do not allow it."""
        scores = output
        if scores.shape[1:] != self.scores[1:] and scores.numel() == target.numel():
            scores = scores.reshape(scores.shape[0], *self.scores[1:])
        fits = self.direct and scores.shape[1:] == self.scores[1:] and target.shape[1:] == self.target[1:]
        if not fits or scores.shape[:1] != target.shape[:1]:
            return None
        with torch.no_grad():
            value = self.call(scores, target)
        return value if value.numel() == 1 else value.float().mean()


def answers(sites: Sites, objective: Objective, given: list[torch.Tensor], count: int) -> torch.Tensor | None:
    """The targets of the ``count`` samples ``given`` to a model just now, from the variables of the calling code."""
    if not given or not given[0].dim():
        return None
    strided = (t for t in given if t.layout == torch.strided)
    taken = {id(t) for t in given} | {t.data_ptr() for t in strided}
    calling = (f for f in sites.frames() if f.f_code.co_name != "forward")
    for frame in islice(calling, FRAMES):
        found: dict[int, Named] = {}
        for name, value in _items(frame):
            target = None if ANSWERED.search(name.rsplit(".", 1)[-1]) else _as_trained(value, objective)
            if (
                target is not None
                and _fits(target, objective, count)
                and not taken & {id(value), target.data_ptr()}
            ):
                found.setdefault(target.data_ptr(), (name, target))
        if found:
            return _chosen(list(found.values()), _name_of(frame, given))
    return None


def _as_trained(value: Any, objective: Objective) -> torch.Tensor | None:
    """A tensor as it is; an array of numpy in the type that the training loss gets, where it is of the same kind."""
    own = issubclass(type(value), torch.Tensor)
    found: torch.Tensor | None = value if own else data_tensor(value)
    if own or found is None:
        return found
    if found.is_floating_point() != objective.dtype.is_floating_point:
        return None
    return found.to(objective.dtype)


def _fits(tensor: torch.Tensor, objective: Objective, count: int) -> bool:
    same = tensor.dtype == objective.dtype and tuple(tensor.shape[1:]) == objective.target[1:]
    fits = bool(tensor.dim()) and tensor.shape[0] == count and same and not tensor.requires_grad
    return fits and objective.allows(tensor)


def _chosen(found: list[Named], beside: str) -> torch.Tensor | None:
    if len(found) > 1:
        likely = [f for f in found if TARGET.search(f[0].rsplit(".", 1)[-1])]
        found = likely or found
    if len(found) > 1 and beside:
        ranked = sorted(found, key=lambda f: -_alike(f[0], beside))
        if _alike(ranked[0][0], beside) > _alike(ranked[1][0], beside):
            found = ranked[:1]
    return found[0][1] if len(found) == 1 else None


def _alike(name: str, other: str) -> int:
    """Length of the common end and start of two names."""
    return _shared(name, other) + _shared(name[::-1], other[::-1])


def _shared(name: str, other: str) -> int:
    pairs = zip(name, other, strict=False)
    return next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(name), len(other)))


def _name_of(frame: FrameType, given: list[torch.Tensor]) -> str:
    return next((name for name, value in _items(frame) if value is given[0]), "")


def _items(frame: FrameType) -> Iterator[tuple[str, Any]]:
    """The frame's variables, and what is one level inside tuples, lists, dictionaries and plain objects."""
    for name, value in list(frame.f_locals.items()):
        for inner, item in inside(value) or [("", value)]:
            yield (f"{name}.{inner}" if inner else name), item
