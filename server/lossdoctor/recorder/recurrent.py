"""Recurrent and attention layers: which axis they read as time, and whether state travels from call to call."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn
from torch.nn.modules.module import register_module_forward_hook, register_module_forward_pre_hook

from .forwards import Forwards
from .holders import assigned_at
from .keywords import in_order, whole
from .layouts import outer_input
from .session import Session, plain
from .stats import tensors

FIRST = 12  # steps that are looked at closely, and evaluation calls
RECURRENT = (nn.RNNBase, nn.RNNCellBase)
LAYERS = (*RECURRENT, nn.MultiheadAttention)
PROBE = 8


class Recurrent:
    """Writes a ``rnn`` row per layer and step: shape, ``batch_first``, calls, and where its state came from."""

    def __init__(self, session: Session, forwards: Forwards) -> None:
        self.s, self.forwards = session, forwards
        self._rows: dict[tuple[int, bool], dict[str, Any]] = {}
        self._last: dict[int, list[float]] = {}
        self._evaluations = 0
        self._input: torch.Tensor | None = None
        self._previous: torch.Tensor | None = None
        self._made: dict[int, int | None] = {}

    def install(self) -> None:
        enter = register_module_forward_pre_hook(self.s.guarded(self._enter))
        leave = register_module_forward_hook(self.s.guarded(self._leave))
        self.s.until(FIRST + 1, enter)
        self.s.until(FIRST + 1, leave, unless=lambda: bool(self._made))

    def _enter(self, module: nn.Module, args: Any) -> None:
        if (
            self.s.here()
            and self.s.steps <= FIRST
            and torch.is_grad_enabled()
            and self.forwards.outermost(module)
        ):
            self._input = outer_input(whole(args))

    def _leave(self, module: nn.Module, args: Any, output: Any) -> None:
        if not self.s.here() or not isinstance(module, LAYERS):
            return
        x, state = in_order(args[:2], ("input", "hx"))
        grad = torch.is_grad_enabled()
        if self.s.steps >= FIRST and (grad or self._evaluations >= FIRST):
            return
        row = self._rows.get((id(module), grad)) or self._new(module, x, grad)
        row["calls"] += 1
        if isinstance(module, RECURRENT):
            self._state(module, state, output, row)

    def _new(self, module: nn.Module, x: Any, grad: bool) -> dict[str, Any]:
        row = {"k": "rnn", "class": type(module).__name__, "batch_first": getattr(module, "batch_first", None),
               "cell": isinstance(module, nn.RNNCellBase), "shape": list(getattr(x, "shape", ())), "grad": grad,
               "size": self._size(x), "calls": 0, "given": 0, "carried": 0, "site": self.s.site("rnn"),
               "made": self._maker(module)}  # fmt: skip
        self._rows[id(module), grad] = row
        return row

    def _size(self, x: Any) -> Any:
        """Root mean square of what a layer gets, of packed sequences too; None for anything else."""
        values = x.data if isinstance(x, nn.utils.rnn.PackedSequence) else x
        if not issubclass(type(values), torch.Tensor) or not values.is_floating_point():
            return None
        with torch.no_grad():
            return self.s.defer(plain(values).float().square().mean().sqrt())

    def _maker(self, module: nn.Module) -> int | None:
        """The line that makes the layer."""
        if id(module) not in self._made:
            owners = self.forwards.stack[0].modules() if self.forwards.stack else ()
            names = [(m, name) for m in owners for name, child in m._modules.items() if child is module]
            place = assigned_at(*names[0]) if names else None
            # a layer of torch may hold it: that line is not the user's
            own = place is not None and self.s.sites.is_user_file(place[0])
            self._made[id(module)] = self.s.place("rnn_made", place) if place and own else None
        return self._made[id(module)]

    def _state(self, module: nn.Module, state: Any, output: Any, row: dict[str, Any]) -> None:
        """``given``: calls with a state that is not zero; ``carried``: with the state that the last call returned."""
        values = _probe(state)
        if any(values):
            row["given"] += 1
            row["carried"] += values == self._last.get(id(module))
        self._last[id(module)] = _probe(
            output[1] if isinstance(output, tuple) and len(output) == 2 else output
        )

    def close_step(self, step: dict[str, Any]) -> None:
        """Queue the rows of this step; the model's input is compared with the one of the step before."""
        x, self._input = self._input, None
        size = x.shape[0] if x is not None and x.dim() else None
        for (_, grad), row in self._rows.items():
            self._evaluations += not grad
            along = self._continuity(x, self._previous, time_first=row["batch_first"] is False)
            adjacent = _adjoins(x, self._previous, 0 if row["batch_first"] is False else 1)
            self.s.add({**row, "i": self.s.now + 1, "batch": size, "adjacent": adjacent, **along})
        if self._rows:
            self._previous = x
        self._rows = {}

    @staticmethod
    def _continuity(
        x: torch.Tensor | None, before: torch.Tensor | None, time_first: bool
    ) -> dict[str, float]:
        """Mean |change| from the last moment of the step before to the first of this one (``jump``), between
        neighbouring moments of this one (``inner``), and from a row to the next row (``apart``).
        """
        comparable = (
            x is not None and before is not None and x.shape == before.shape and x.dim() in (2, 3)
            and x.is_floating_point() and x.shape[0] > 1 and x.shape[1] > 1
        )  # fmt: skip
        if not comparable or x is None or before is None:
            return {}
        if time_first and x.dim() == 3:
            x, before = x.transpose(0, 1), before.transpose(0, 1)
        jump, inner = (x[:, 0] - before[:, -1]).abs().mean(), (x[:, 1:] - x[:, :-1]).abs().mean()
        apart = (x[1:, 0] - x[:-1, 0]).abs().mean()
        return {name: float(v) for name, v in (("jump", jump), ("inner", inner), ("apart", apart))}


def _adjoins(x: torch.Tensor | None, before: torch.Tensor | None, axis: int) -> bool | None:
    """Whether a window begins in memory where the last one ended along the time axis: both are cut out of one longer
    sequence, in order. None where they are no such cuts.
    """
    if (
        x is None
        or before is None
        or x.shape != before.shape
        or x.dim() <= axis
        or x.stride() != before.stride()
    ):
        return None
    if x.untyped_storage().data_ptr() != before.untyped_storage().data_ptr():
        return None
    return x.storage_offset() - before.storage_offset() == x.shape[axis] * x.stride(axis)


def _probe(state: Any) -> list[float]:
    found = [t for _, t in tensors(state)]
    return [float(v) for v in found[0].detach().reshape(-1)[:PROBE].tolist()] if found else []
