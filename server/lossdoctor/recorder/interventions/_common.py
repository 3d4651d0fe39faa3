"""What several interventions share: a change for the length of one step, and calls seen from outside."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import nn
from torch.utils.weak import WeakTensorKeyDictionary

from ..graph import leaves_of
from ..patching import wrap
from ..session import Session
from ..stats import padded

Group = dict[str, Any]
WHOLE = frozenset({torch.int64, torch.int32})  # number types of symbols
Call = tuple[tuple[Any, ...], dict[str, Any]]


def during_step(session: Session, change: Callable[[Any, int, Group], dict[str, Any]]) -> None:
    """Before each optimizer step set what ``change(optimizer, group number, group)`` returns; put it back after.

    The script and its schedulers only ever see their own values; the trace shows the changed ones.
    """
    kept: list[tuple[Group, dict[str, Any]]] = []

    def set_values(optimizer: Any) -> None:
        for number, group in enumerate(optimizer.param_groups):
            values = change(optimizer, number, group)
            kept.append((group, {name: group[name] for name in values if name in group}))
            group.update(values)

    def put_back(optimizer: Any) -> None:
        while kept:
            group, values = kept.pop()
            group.update(values)

    session.before_step.append(set_values)
    session.after_step.append(put_back)


def scale_by_hand(session: Session, factor: float) -> None:
    """Multiply the gradients of every leaf by ``factor``, in scripts that have no optimizer: what they subtract by hand
    is that much larger. Exact for plain descent and for momentum; rules that divide by the size of past gradients do
    not notice.
    """
    hooked = WeakTensorKeyDictionary()  # scripts that make new leaves at each step let go of the old ones

    def hook(losses: list[torch.Tensor]) -> None:
        if session.steps or session.stepping or any(session.parts.optimizers.parameters().values()):
            return
        for loss in losses:
            fresh = [leaf for leaf in leaves_of(loss) if leaf not in hooked]
            for leaf in fresh:
                hooked[leaf] = True
                leaf.register_hook(lambda gradient: gradient * factor)

    session.parts.gradients.on_losses.append(hook)


def around_calls(session: Session, make: Callable[[Callable[..., Any]], Callable[..., Any]]) -> None:
    """Wrap calls of modules that come from the script, not from another module: ``make(original)`` replaces them.
    Losses and other modules without layers that are handed what a model has made are left as they are.

    It runs before every hook, so the trace shows what the model really got.
    """
    running: list[nn.Module] = []

    def outer(original: Callable[..., Any]) -> Callable[..., Any]:
        changed = make(original)

        def __call__(this: nn.Module, *args: Any, **kwargs: Any) -> Any:
            if torch.compiler.is_compiling() or running or not session.here():
                return original(this, *args, **kwargs)
            if session.parts.forwards.criteria.follows(this, (*args, kwargs)):
                return original(this, *args, **kwargs)
            running.append(this)
            try:
                return changed(this, *args, **kwargs)
            finally:
                running.clear()

        return __call__

    wrap(nn.Module, "__call__", outer)


def first_of_step(session: Session) -> Callable[[nn.Module], bool]:
    """A question to ask once per call of a module: is it the module's first one of a training step?"""
    seen: dict[int, int] = {}

    def first(module: nn.Module) -> bool:
        if not (session.here() and torch.is_grad_enabled()) or seen.get(id(module)) == session.now:
            return False
        seen[id(module)] = session.now
        return True

    return first


LAYERS = (nn.Linear, nn.Conv1d, nn.Conv2d, nn.Conv3d)


def between_layers(session: Session, change: Callable[[torch.Tensor], torch.Tensor]) -> None:
    """Apply ``change`` to the output of every linear or convolution layer but the last registered one of each model."""
    known: set[int] = set()

    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        def call(this: nn.Module, *args: Any, **kwargs: Any) -> Any:
            if id(this) not in known:
                layers = [m for m in this.modules() if issubclass(type(m), LAYERS)]
                known.update(map(id, this.modules()))
                for layer in layers[:-1]:
                    layer.register_forward_hook(lambda module, args, out: change(out))
            return original(this, *args, **kwargs)

        return call

    around_calls(session, make)


def lengths(rows: torch.Tensor) -> torch.Tensor:
    """(N, T) symbols or (N, T, F) measurements -> (N,): positions before what fills each row up, at least 1."""
    return (rows.shape[1] - padded(rows)).clamp(min=1)


def mapped(value: Any, change: Callable[[str, torch.Tensor], torch.Tensor], path: str = "") -> Any:
    """The same nested value with every tensor replaced by ``change(path, tensor)``; other things are kept."""
    if issubclass(type(value), torch.Tensor):
        return change(path, value)
    if type(value) in (list, tuple):
        return type(value)(mapped(item, change, f"{path}.{n}") for n, item in enumerate(value))
    if type(value) is dict:
        return {name: mapped(item, change, f"{path}.{name}") for name, item in value.items()}
    return value


class Scale:
    """Mean and standard deviation per feature, from the first ``limit`` tensors seen, then fixed.

    A feature is a column of (N, F), a channel of (N, C, ...) images or volumes, the last dimension of (N, T, F)
    sequences; anything else is one feature. Constant features are only shifted.
    """

    def __init__(self, limit: int) -> None:
        self._left = limit
        self._sums: tuple[torch.Tensor, torch.Tensor, float] | None = None

    def __call__(self, tensor: torch.Tensor) -> torch.Tensor:
        if self._left > 0:
            self._left -= 1
            self.add(tensor)
        mean, std = self.moments()
        return (tensor - mean.to(tensor.dtype)) / std.to(tensor.dtype)

    def moments(self) -> tuple[torch.Tensor, torch.Tensor]:
        """Mean and standard deviation of what was added, shaped to be broadcast; 1 for constant features."""
        assert self._sums is not None
        total, squares, count = self._sums
        mean = total / count
        std = (squares / count - mean * mean).clamp_min(0).sqrt()
        flat = std <= 1e-12 * mean.abs().clamp_min(1.0)
        return mean, torch.where(flat, torch.ones_like(std), std)

    def add(self, tensor: torch.Tensor) -> None:
        """Count one more tensor of the same features."""
        values = tensor.detach().double()
        values = torch.where(torch.isfinite(values), values, torch.zeros_like(values))
        others = [d for d in range(values.dim()) if d != _feature_dimension(values)]
        total, squares = values, values * values
        if others:
            total, squares = total.sum(others, keepdim=True), squares.sum(others, keepdim=True)
        count = values.numel() / max(1, total.numel())
        if self._sums is None:
            self._sums = (total, squares, count)
        else:
            self._sums = (self._sums[0] + total, self._sums[1] + squares, self._sums[2] + count)


def _feature_dimension(values: torch.Tensor) -> int | None:
    return {2: 1, 3: 2, 4: 1, 5: 1}.get(values.dim())
