"""A range test: the learning rate grows by the same factor at every step, from ``start`` to ``end``.

Stops early when the smoothed loss exceeds its best value by ``stop_at`` times what had been gained so far. Ends with
a ``ramp`` row: rates, smoothed losses, where the loss fell fastest (``steepest``), where it was lowest (``best``) and
where it diverged. Smith (2017), *Cyclical learning rates for training neural networks*, section 3.3; the suggestion
a tenth of ``best`` is Gugger's, the steepest point that of the same test in fastai.

Groups keep their rates relative to each other. Reaches torch optimizers whose groups have ``lr``; a loss that is
not finite ends the test.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch

from ..patching import wrap
from ..session import Session
from ._common import Group, during_step

SMOOTHING = 0.9  # weight of the past in the running mean of the loss, with bias correction


def apply(
    session: Session, start: float = 1e-7, end: float = 10.0, steps: int | None = None, stop_at: float = 3.0
) -> None:
    count = steps or session.config.get("max_steps") or 100
    ramp = Ramp(start, (end / start) ** (1 / max(1, count - 1)), stop_at)

    def rising(optimizer: Any, number: int, group: Group) -> dict[str, Any]:
        base = optimizer.param_groups[0].get("lr") or 1.0
        return {"lr": ramp.rate * float(group["lr"]) / float(base)} if "lr" in group else {}

    def watch(original: Callable[..., Any]) -> Callable[..., Any]:
        def backward(tensors: Any, *args: Any, **kwargs: Any) -> Any:
            root = tensors if issubclass(type(tensors), torch.Tensor) else tensors[0]
            loss = session.parts.gradients.unscaled.get(id(root), root)
            result = original(tensors, *args, **kwargs)
            if session.here() and loss.numel() == 1:
                ramp.losses.append(float(loss.detach()))
            return result

        return backward

    def advance(optimizer: Any) -> None:
        if ramp.advance():
            session.stop("max_steps")

    during_step(session, rising)
    wrap(torch.autograd, "backward", watch)
    session.after_step.append(advance)
    session.on_stop.append(lambda: session.write(ramp.row()))


class Ramp:
    """The rate of the current step, and the smoothed loss of the steps so far."""

    def __init__(self, start: float, factor: float, stop_at: float) -> None:
        self.rate, self._factor, self._stop_at = start, factor, stop_at
        self.losses: list[float] = []
        self._mean = 0.0
        self._rates: list[float] = []
        self._smooth: list[float] = []
        self.diverged: float | None = None

    def advance(self) -> bool:
        """Take this step's losses; returns whether the test is over."""
        losses, self.losses = self.losses, []
        if losses:
            self._add(sum(losses) / len(losses))
        self.rate *= self._factor
        return self.diverged is not None

    def _add(self, loss: float) -> None:
        if not math.isfinite(loss):
            self.diverged = self.rate
            return
        self._mean = SMOOTHING * self._mean + (1 - SMOOTHING) * loss
        self._rates.append(self.rate)
        self._smooth.append(self._mean / (1 - SMOOTHING ** (len(self._smooth) + 1)))
        first, best = self._smooth[0], min(self._smooth)
        gained = max(first - best, 0.05 * abs(first))
        if len(self._smooth) > 5 and self._smooth[-1] > best + self._stop_at * gained:
            self.diverged = self.rate

    def row(self) -> dict[str, Any]:
        """What the test found; rates are None when there were too few steps."""
        best = steepest = None
        if len(self._smooth) >= 5:
            best = self._rates[min(range(len(self._smooth)), key=self._smooth.__getitem__)]
            falls = [b - a for a, b in zip(self._smooth, self._smooth[1:])]  # noqa: B905 - pairs of neighbours
            steepest = self._rates[min(range(len(falls)), key=falls.__getitem__)]
        return {"k": "ramp", "lr": self._rates, "loss": self._smooth, "best": best, "steepest": steepest,
                "suggestion": best and min(best / 10, steepest or best), "diverged": self.diverged}  # fmt: skip
