"""Updates without an optimizer: parameters changed by hand, or never changed at all."""

from __future__ import annotations

import math
import sys
from types import FrameType
from typing import Any

import torch

from .gradients import Gradients
from .holders import written_at
from .names import Names
from .optimizers import Optimizers, norms, updates
from .session import Session, sampled
from .stats import local

MANUAL = -1  # the optimizer's number when there is none
MOST = 32  # parameters that are watched
BY_HAND = r"[-+]=.*\bgrad|\b(sub_|add_|addcdiv_|copy_)\(.*\bgrad"  # a line that applies a gradient without optimizer
BY_RATE = r"(-=|\.(sub_|add_|addcdiv_)\().*\b(lr|learning_rate|step_size|rate|eta)\b"  # one that names a rate
PROBE = 32  # elements per parameter, spread over all of it, whose values tell whether it moved
LARGE = 5_000_000  # elements above which whole tensors are not kept to compare
GRACE = 64  # backward passes without any step before they count as steps (accumulation windows are shorter)


class Manual:
    """While no optimizer has stepped, writes a ``step`` row with optimizer -1 for every backward pass.

    A pass is closed by the next call of the model before which the parameters have moved, else by the next pass (or by
    the end): only then is known whether they did. Rows of passes that moved nothing leave everything in place, since an
    optimizer step may still claim it.
    """

    def __init__(self, session: Session, names: Names, gradients: Gradients, optimizers: Optimizers) -> None:
        self.s, self.names, self.gradients, self.optimizers = session, names, gradients, optimizers
        self._watched: list[torch.Tensor] = []
        self._last: list[list[float]] = []
        self._norms: dict[str, float] = {}
        self._kept: list[tuple[torch.Tensor, torch.Tensor | None]] = []
        self._open = False
        self._marks = 0
        self.passes = 0

    def install(self) -> None:
        self.gradients.before_backward.append(self.before_backward)
        self.gradients.after_backward.append(self.after_backward)
        self.s.on_stop.append(self.finish)

    def called(self, args: Any, grad: bool) -> None:
        """Close the previous pass before the model is shown other samples."""
        if grad and self._open and self.s.steps == 0 and self._values() != self._last:
            self.before_backward()

    def before_backward(self) -> None:
        """Close the previous pass; stop the script when enough passes were made without an optimizer."""
        if self.close() or self.passes > GRACE:
            self.s.flush()
            self.s.check_limits(self.passes)

    def finish(self) -> None:
        self.close()

    def close(self) -> bool:
        """Queue the row of the pass that is open; returns whether the parameters moved since it began."""
        if not self._open or self.s.steps > 0 or self.s.stepping:
            return False
        self._open = False
        if self.passes == 0:
            self._point_at_update()
        values = self._values()
        moved = values != self._last
        self._last = values
        self.passes += 1
        self.s.last_step = self.s.seconds()
        row: dict[str, Any] = {
            "k": "step",
            "i": self.passes,
            "o": -1,
            "t": round(self.s.seconds(), 5),
            "lr": [],
        }
        marks = self.s.sequence
        row["seq"], self._marks = "".join(marks[min(self._marks, len(marks)) :]), len(marks)
        losses = [self.s.defer(loss) for loss in self.gradients.recent]
        if moved:
            self._updates(row)
        if moved or self.passes > GRACE:
            self._claim(row)
        self.gradients.recent.clear()
        norm = math.sqrt(sum(n * n for n in self._norms.values()))
        self.s.add(row | {"moved": moved, "gn": norm, "g": self._norms, "loss": losses})
        self.s.flush()
        return moved

    def _claim(self, row: dict[str, Any]) -> None:
        """This is how the script trains: what the collectors hold belongs to this row."""
        self.gradients.close_step(row, MANUAL, self._watched)
        for add in self.optimizers.extra:
            add(row)
        self.s.taken()
        self.s.by_hand = self.passes
        self._marks = 0
        self.s.sampling = sampled(self.passes, self.s.every)

    def _point_at_update(self) -> None:
        place = written_at(self.s.sites, BY_HAND, BY_RATE)
        if place is not None:
            self.s.place("update", place)

    def _updates(self, row: dict[str, Any]) -> None:
        """Update sizes as for an optimizer, and ``along``: the cosine between the update and the gradient (-1 for
        plain descent, 1 when the weights are moved uphill).
        """
        if len(self._kept) != len(self._watched):
            return
        with torch.no_grad():
            row["u"], steps = updates(self.names, self._watched, [old for old, _ in self._kept])
            pairs = [(s, g) for s, (_, g) in zip(steps, self._kept, strict=True) if g is not None]
            dot = sum(float((s * g).sum()) for s, g in pairs)
            lengths = math.hypot(*norms([s for s, _ in pairs])), math.hypot(*norms([g for _, g in pairs]))
        if lengths[0] > 0 and lengths[1] > 0:
            row["along"] = round(dot / (lengths[0] * lengths[1]), 4)

    def _keep(self) -> None:
        """Copies of weights and gradients, on sampled passes only."""
        self._kept = []
        if not self.s.sampling or sum(p.numel() for p in self._watched) > LARGE:
            return
        for p in self._watched:
            gradient = self.gradients.gradient(p)
            self._kept.append((local(p).clone(), None if gradient is None else local(gradient).clone()))

    def after_backward(self) -> None:
        """Gradients are read here: by the next pass they may have been cleared."""
        if self.s.steps > 0 or self.s.stepping:
            return
        self._open = True
        if not self._watched:
            self._watched = self._find()
            self._last = self._values()
        found = [(p, g) for p in self._watched if (g := self.gradients.gradient(p)) is not None]
        sizes = norms([g for _, g in found])
        self._norms = {str(self.names.index(p)): n for (p, _), n in zip(found, sizes, strict=True)}
        self._keep()

    def _values(self) -> list[list[float]]:
        flat = [local(p).reshape(-1) for p in self._watched]
        return [values[:: max(1, values.numel() // PROBE)].tolist() for values in flat]

    def _find(self) -> list[torch.Tensor]:
        self.names.resolve(self.optimizers.parameters())
        if not self.names.trainable:
            self.names.resolve(self.optimizers.parameters(), (self.gradients.leaves or _leaves())[:MOST])
        return self.names.trainable[:MOST]


def _leaves() -> list[torch.Tensor]:
    """Bare leaf tensors that require a gradient, from the user's frames."""
    found: dict[int, torch.Tensor] = {}
    frame: FrameType | None = sys._getframe(2)
    while frame is not None:
        for value in list(frame.f_locals.values()):
            items = value if isinstance(value, (list, tuple)) else [value]
            found.update((id(item), item) for item in items if _is_trained_leaf(item))
        frame = frame.f_back
    return list(found.values())


def _is_trained_leaf(value: object) -> bool:
    # type(), not isinstance(): a proxy's __class__ may run code of the user's
    return issubclass(type(value), torch.Tensor) and value.is_leaf and value.requires_grad  # type: ignore[attr-defined]
