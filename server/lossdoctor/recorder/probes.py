"""Questions put to the model after the run: does it read the future, or the place that it is to foretell, do padded
positions change its answer, and do the other samples of the batch?

Extra forward passes are made only when the script has ended (or was ended), without gradients and in evaluation
mode, on at most eight samples of the last training batch. One ``probe`` row per question that could be asked.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from .keywords import Named
from .own_place import itself
from .session import Session
from .stats import blank, local, padded, tensors, trailing

Model = Callable[..., Any]
ROWS = 8
MAX_NUMEL = 200_000  # elements of the shortened batch: the probe must cost less than a step
MOST = 3  # arguments that are looked at
PADDED = 0.05
READ = 1e-3  # of the spread of the answers: what a model reads of an input changes them by more
SHIFTED = 0.9  # share of the targets that are the next input


class Probes:
    """Keeps the last training call and its targets; asks when the run is over."""

    def __init__(self, session: Session) -> None:
        self.s = session
        self.module: nn.Module | None = None
        self.args: tuple[Any, ...] = ()
        self.held: tuple[Any, ...] = ()  # of the last call of the same module in evaluation
        self.target: torch.Tensor | None = None

    def install(self) -> None:
        self.s.on_stop.append(self.ask)

    def ask(self) -> None:
        """Write the answers. Whatever the model raises means that the question does not fit it."""
        module = self.module
        if module is None:
            return
        model, self.args = _spread(module, self.args)
        _, self.held = _spread(module, self.held)
        found = self._inputs()
        self.s.active = False  # these passes are not the script's
        was = {m: m.training for m in module.modules()}
        try:
            with torch.no_grad():
                module.eval()
                for place, x in found:
                    self._told(self._future(model, place, x))
                for place, x in found[:1]:
                    if place == 0:
                        padding = self._padding(model, self.args, x)
                        self._told(padding)
                        self._told(self._samples(model, x))
                        self._told(None if padding else self._held_padding(model))
                self._told(self._itself(model))
        except Exception:
            pass
        finally:
            for part, mode in was.items():
                part.training = mode
            self.s.active = True

    def _told(self, row: dict[str, Any] | None) -> None:
        if row is not None:
            self.s.write({"k": "probe", "i": self.s.now, **row})

    def _inputs(self) -> list[tuple[int, torch.Tensor]]:
        """The arguments that look like batches of sequences, with their positions (a decoder has two)."""
        found = []
        for place, value in enumerate(self.args[:MOST]):
            if issubclass(type(value), torch.Tensor):
                x = local(value)[:ROWS]
                sequence = x.dim() == (3 if x.is_floating_point() else 2)
                if (sequence or self._continues(x)) and x.shape[1] >= 4 and x.numel() <= MAX_NUMEL:
                    found.append((place, x))
        return found

    def _continues(self, x: torch.Tensor) -> bool:
        """Whether rows of plain numbers are series: the target of each is the next one."""
        target = self.target
        if not x.is_floating_point() or x.dim() != 2 or target is None:
            return False
        x = _late(x, target)
        if target.shape[1:] != x.shape[1:]:
            return False
        return (_agreement(target[: x.shape[0], :-1], x[:, 1:]) or 0.0) > SHIFTED

    def _is_target(self, value: torch.Tensor) -> bool:
        """Whether a further argument is the targets, for a model that computes its own loss: where it asks for nothing
        (with a negative number) the loss may have put another class.
        """
        target = self.target
        if target is None or target.dtype != value.dtype or target.numel() != value.numel():
            return False
        told, given = target.reshape(-1), value.reshape(-1)
        asked = given >= 0 if not given.is_floating_point() and given.dtype != torch.bool else given == given
        return bool(asked.any()) and torch.equal(told[asked], given[asked])

    def _is_targets(self, value: Any) -> bool:
        return issubclass(type(value), torch.Tensor) and self._is_target(value)

    def _called(self, model: Model, place: int, x: torch.Tensor) -> Any:
        """The model's answer with ``x`` at its place; other tensors of the same batch (targets, masks) go with it, but
        targets only if the answer is more than one number then: some models answer with their loss.
        """
        size = local(self.args[place]).shape[0]
        given = [t[: x.shape[0]] if _leads(t, size) else t for t in self.args]
        given[place] = x
        whole = model(*given)
        targets = [k for k, t in enumerate(self.args) if k != place and self._is_targets(t)]
        if not targets or any(t.dim() for _, t in tensors(whole)):
            return whole
        return model(*(None if k in targets else t for k, t in enumerate(given)))

    def _future(self, model: Model, place: int, x: torch.Tensor) -> dict[str, Any] | None:
        """How much the outputs before the last position change when only the last position does."""
        before = _per_position(self._called(model, place, x), x)
        if before is None:
            return None
        other = x.clone()
        if x.is_floating_point():
            other[:, -1] += x.float().std().to(x.dtype) + 1
        else:
            low, high = x.min(), x.max()
            other[:, -1] = torch.where(x[:, -1] == low, high, low)
        after = _per_position(self._called(model, place, other), x)
        unread = after is not None and _distance(before[:, -1], after[:, -1]) < READ
        if after is None or (place and unread and self._is_targets(self.args[place])):
            return None  # targets of a model that computes its own loss
        return {"what": "future", "change": _distance(before[:, :-1], after[:, :-1]), **self._alignment(x)}

    def _itself(self, model: Model) -> dict[str, Any] | None:
        """What an answer for a place shows of that place, where the targets are the input."""
        if not self.args or not issubclass(type(self.args[0]), torch.Tensor) or self.target is None:
            return None
        x = local(self.args[0])[:ROWS]
        few = x.dim() >= 2 and x.numel() <= MAX_NUMEL
        return itself(lambda other: self._called(model, 0, other), x, self.target) if few else None

    def _samples(self, model: Model, x: torch.Tensor) -> dict[str, Any] | None:
        """How much the answers for the other samples of a batch change when only the first, or the last, does."""
        changes = []
        for one, others in ((0, slice(1, None)), (-1, slice(None, -1))):
            other = x.clone()
            other[one] = x[x.shape[0] // 2]
            before, after = (_answer(self._called(model, 0, v)) for v in (x, other))
            if before is None or after is None or not len(before) == len(after) == len(x) > 1:
                return None
            changes.append(_distance(before[others], after[others]))
        return {"what": "samples", "change": max(changes)}

    def _alignment(self, x: torch.Tensor) -> dict[str, float | None]:
        """Share of targets that are the next input (``shifted``), and that are the input itself (``same``)."""
        target = self.target
        if target is None or x.is_floating_point() != target.is_floating_point():
            return {"shifted": None, "same": None}
        x = _late(x, target)
        if target.shape[1:] != x.shape[1:]:
            if target.numel() % x[0].numel():
                return {"shifted": None, "same": None}
            target = target.reshape(-1, *x.shape[1:])
        target = target[: x.shape[0]]
        if target.shape != x.shape:
            return {"shifted": None, "same": None}
        return {"shifted": _agreement(target[:, :-1], x[:, 1:]), "same": _agreement(target, x)}

    def _padding(self, model: Model, args: tuple[Any, ...], x: torch.Tensor) -> dict[str, Any] | None:
        """How much the answer for a padded sample differs from that for the same sample without its padding: the
        commonest last value of integers, zeros in all features of measurements.
        """
        if x.is_floating_point() and x.dim() != 3:
            return None
        value, share = (0, blank(x)) if x.is_floating_point() else trailing(x)
        lengths = x.shape[1] - padded(x)
        row = int(torch.where(lengths > 0, lengths, x.shape[1]).argmin())
        length = int(lengths[row])
        if share < PADDED or not 0 < length < x.shape[1]:
            return None
        filled, bare = (_cut(model, args, x.shape[1], row, n) for n in (x.shape[1], length))
        long, short = _per_position(filled, x[:1]), _per_position(bare, x[:1, :length])
        if long is not None and short is not None:
            change = _distance(short, long[:, :length])
        else:
            first, second = _answer(filled), _answer(bare)
            if first is None or second is None or first.shape != second.shape:
                return None
            change = _distance(second, first)
        return {"what": "padding", "change": change, "share": share, "value": value}

    def _held_padding(self, model: Model) -> dict[str, Any] | None:
        """The same of the last evaluation, where training has no padding: batches of one length, say."""
        if not self.held or not issubclass(type(self.held[0]), torch.Tensor):
            return None
        x = local(self.held[0])[:ROWS]
        if x.is_floating_point() or x.dim() != 2 or x.shape[1] < 4 or x.numel() > MAX_NUMEL:
            return None
        found = self._padding(model, self.held, x)
        return found and {**found, "what": "held_padding"}


def _spread(module: nn.Module, args: tuple[Any, ...]) -> tuple[Model, tuple[Any, ...]]:
    """A model as a function of what its arguments hold: a batch may be one dict, and arguments may be given by name."""
    if not any(type(a) in (dict, Named) for a in args):
        return module, args

    def call(*given: Any) -> Any:
        left = iter(given)
        made = [type(a)((k, next(left)) for k in a) if type(a) in (dict, Named) else next(left) for a in args]
        by_name = made.pop() if type(made[-1]) is Named else {}
        return module(*made, **by_name)

    return call, tuple(v for a in args for v in (a.values() if type(a) in (dict, Named) else (a,)))


def _cut(model: Model, args: tuple[Any, ...], time: int, row: int, length: int) -> Any:
    """The answer for one sample of a batch, cut to this length; masks, and what relates positions to each other, are
    cut alike, lengths stay what they are.
    """
    size = local(args[0]).shape[0]
    first, *others = [t[row : row + 1] if _leads(t, size) else t for t in args]
    return model(first[:, :length], *(_shorter(t, time, length) if _leads(t, 1) else t for t in others))


def _shorter(beside: torch.Tensor, time: int, length: int) -> torch.Tensor:
    """(1, ...) cut to this length along each further axis that counts positions."""
    for axis in range(1, beside.dim()):
        if beside.shape[axis] == time:
            beside = beside.narrow(axis, 0, length)
    return beside


def _late(x: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    """The last moments of each sequence, as many as have a target: a script may leave out those with little behind
    them.
    """
    fewer = target.dim() == x.dim() and 1 < target.shape[1] < x.shape[1] and target.shape[2:] == x.shape[2:]
    return x[:, -target.shape[1] :] if fewer else x


def _leads(value: Any, size: int) -> bool:
    """Whether a further argument is a tensor of the same batch."""
    return issubclass(type(value), torch.Tensor) and value.dim() > 0 and value.shape[0] == size


def _agreement(target: torch.Tensor, x: torch.Tensor) -> float | None:
    """Share of equal elements, padding and ignored targets left out; None when too little is left."""
    counts = target >= 0 if not target.is_floating_point() else torch.ones_like(target, dtype=torch.bool)
    if not x.is_floating_point():
        value, share = trailing(x)
        counts = counts & (target != value) if share > PADDED else counts
    left = torch.isclose(target[counts].double(), x[counts].double())
    return round(float(left.double().mean()), 4) if left.numel() >= 16 else None


def _answer(output: Any) -> torch.Tensor | None:
    """The first tensor of an output that is not one number (a loss)."""
    found = next((t for _, t in tensors(output) if t.dim()), None)
    return None if found is None else local(found)


def _per_position(output: Any, x: torch.Tensor) -> torch.Tensor | None:
    """The answer as (N, T, ...), when there is one per position."""
    out = _answer(output)
    if out is None:
        return None
    count = x.shape[0] * x.shape[1]
    if out.dim() >= 3 and out.shape[:2] == x.shape[:2]:
        return out
    # scores of symbols in the order of ``cross_entropy``: (N, classes, T)
    if out.dim() == 3 and x.dim() == 2 and (out.shape[0], out.shape[2]) == tuple(x.shape):
        return out.transpose(1, 2)
    if x.is_floating_point() and x.shape == out.shape:
        return out.unsqueeze(-1)
    return out.reshape(*x.shape[:2], -1) if out.dim() == 2 and out.shape[0] == count else None


def _distance(a: torch.Tensor, b: torch.Tensor) -> float:
    """Largest difference relative to the spread of the values."""
    scale = float(a.float().std()) if a.numel() > 1 else 1.0
    return round(float((a - b).abs().max()) / max(scale, 1e-12), 6)
