"""Backward passes, gradient clearing and clipping, and manual updates without an optimizer."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from itertools import islice
from types import CodeType
from typing import Any

import torch
from torch import nn
from torch.optim.optimizer import Optimizer

from .graph import graph_row
from .holders import assigned_at, attribute_of
from .names import Names
from .patching import wrap
from .session import Session
from .stats import local, tensors

WATCHED = 3  # parameters per optimizer whose gradient tells whether it was cleared
GRAPHS = (0, 1, 4, 9, 19, 49, 99)  # backward passes whose graph is walked
MODEL_OUTPUTS = 4  # tensors of a model that answers with several
FIRST = 5  # steps in which derivatives are looked at


class Gradients:
    """Notes losses, the order of calls, and whether gradients were cleared since the last step."""

    def __init__(self, session: Session, names: Names) -> None:
        self.s, self.names = session, names
        self.unscaled: dict[int, torch.Tensor] = {}
        self.before_backward: list[Callable[[], None]] = []
        self.after_backward: list[Callable[[], None]] = []
        self.on_losses: list[
            Callable[[list[torch.Tensor]], None]
        ] = []  # gets the losses of each backward pass
        self.recent: list[torch.Tensor] = []  # losses of the passes before the first step
        self._losses: list[Any] = []
        self._sites: list[int | None] = []
        self._backwards = self._zeroed = 0
        self._watch: dict[int, list[torch.Tensor]] = {}
        self._cleared: dict[int, bool] = {}
        self._passes: dict[int, int] = {}  # backward passes before each optimizer's last step
        self._clip: dict[str, Any] | None = None
        self._graphs: list[dict[str, Any]] = []
        self.total_backwards = 0
        self.model_output: Callable[[], Any] = lambda: None  # of the last training call
        self.held: Callable[[], dict[int, list[torch.Tensor]]] = dict  # each optimizer's tensors
        self._derived_passes = 0  # of the passes, those by ``torch.autograd.grad``
        self._made: dict[int, Any] = {}  # norm of each optimizer's gradients after the last backward pass
        self._backward_in: CodeType | None = None  # the user's function that called backward last
        # id of a tensor -> its gradient from ``torch.autograd.grad``
        self.derived: dict[int, torch.Tensor] = {}
        self.leaves: list[torch.Tensor] = []  # what the script differentiates by, without ``backward``

    def install(self) -> None:
        self.after_backward.append(self._note_made)
        wrap(torch.autograd, "backward", self._wrap_backward)
        wrap(torch.autograd, "grad", self._wrap_grad)
        wrap(Optimizer, "zero_grad", self._wrap_zero)
        wrap(nn.Module, "zero_grad", self._wrap_zero)
        original = wrap(nn.utils.clip_grad, "clip_grad_norm_", self._wrap_clip_norm)
        _replace(nn.utils, "clip_grad_norm_", original, nn.utils.clip_grad.clip_grad_norm_)
        original = wrap(nn.utils.clip_grad, "clip_grad_value_", self._wrap_clip_value)
        _replace(nn.utils, "clip_grad_value_", original, nn.utils.clip_grad.clip_grad_value_)

    # -- backward --------------------------------------------------------------------------------
    def _wrap_backward(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def backward(tensors: Any, *args: Any, **kwargs: Any) -> Any:
            if not self.s.here():
                return original(tensors, *args, **kwargs)
            self._leave_derived()
            return self._timed(tensors, partial(original, tensors, *args, **kwargs), None)

        return backward

    def _timed(self, roots: Any, run: Callable[[], Any], leaves: list[torch.Tensor] | None) -> Any:
        """Run a pass; ``leaves`` are what ``torch.autograd.grad`` differentiates by, None for ``backward``."""
        start = time.perf_counter()
        self.s.safely(self._enter, roots)
        middle = time.perf_counter()
        self.s.spend("hook", middle - start)
        result = run()
        self.s.spend("bwd", time.perf_counter() - middle)
        if leaves is not None:
            self.s.safely(self._note_derived, leaves, result)
        for action in self.after_backward:
            self.s.safely(action)
        return result

    def _enter(self, tensors: Any) -> None:
        for look in self.before_backward:
            look()
        self._look_for_clearing()
        self.s.mark("B")
        self._backward_in = next((f.f_code for f in self.s.sites.frames()), None)
        self._backwards += 1
        roots = [tensors] if issubclass(type(tensors), torch.Tensor) else list(tensors)
        site = self.s.site("backward")
        losses = [self.unscaled.pop(id(root), root) for root in roots[:4]]
        for action in self.on_losses:
            self.s.safely(action, losses)
        for loss in losses:
            if loss.numel() == 1:
                self._losses.append(self.s.defer(loss))
                if self.s.steps == 0:
                    self.recent.append(loss.detach())
                self._sites.append(site)
        if self.total_backwards in GRAPHS and roots:
            row = graph_row(roots[0], self.total_backwards)
            self._graphs.append({**row, **self._of_the_model(row["leaves"])})
        self.total_backwards += 1

    def _of_the_model(self, leaves: list[torch.Tensor]) -> dict[str, list[str]]:
        """The different operations of the model's own graph, where all that the loss depends on is in it: those of a
        loss that the script writes out are left out.
        """
        made = [t for _, t in tensors(self.model_output()) if t.grad_fn is not None][:MODEL_OUTPUTS]
        rows = [graph_row(t, 0) for t in made]
        reached = {id(leaf) for row in rows for leaf in row["leaves"]}
        if not rows or reached != {id(leaf) for leaf in leaves}:
            return {}
        return {"own": sorted({kind for row in rows for kind in row["kinds"]})[:64]}

    def _note_made(self) -> None:
        """What backward made, on sampled steps: the script may change it before the optimizer sees it."""
        held = self.held() if self.s.sampling and not self.derived else {}
        self._made = {n: self._norm_of(tensors) for n, tensors in held.items()}

    def _wrap_grad(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def grad(*args: Any, **kwargs: Any) -> Any:
            if self.s.here():
                self.s.count("autograd_grad")
                leaves = self._trained_by(args, kwargs)
                if leaves:
                    outputs = args[0] if args else kwargs["outputs"]
                    return self._timed(outputs, partial(original, *args, **kwargs), leaves)
                self.s.safely(self._note_derivative, args, kwargs)
            return original(*args, **kwargs)

        return grad

    def _trained_by(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[torch.Tensor]:
        """The leaves that a call of ``torch.autograd.grad`` finds gradients for, when that is how the script trains: no
        ``backward`` has run, the graph is not kept for more, and they are parameters or, while there is no optimizer,
        a collection of tensors (one bare tensor may be an input).
        """
        inputs, keeps = derived_by(args, kwargs)
        several = issubclass(type(inputs), (list, tuple))
        if self.total_backwards > self._derived_passes or keeps or not several:
            return []
        if not all(issubclass(type(t), torch.Tensor) and t.is_leaf for t in inputs):
            return []
        held = {id(p) for group in self.held().values() for p in group}
        known = not held or any(issubclass(type(t), nn.Parameter) or id(t) in held for t in inputs)
        return list(inputs) if known else []

    def _note_derived(self, leaves: list[torch.Tensor], gradients: Any) -> None:
        self._derived_passes += 1
        pairs = zip(leaves, gradients, strict=True)
        self.derived = {id(leaf): g.detach() for leaf, g in pairs if g is not None}
        self.leaves = leaves
        self._cleared = dict.fromkeys(self._cleared, True)  # nothing is ever added to what is there

    def _leave_derived(self) -> None:
        """A script that goes backward after all: what it differentiated before was a part of its step."""
        if self._derived_passes and self.total_backwards == self._derived_passes:
            self._losses, self._sites, self._backwards, self.derived, self.leaves = [], [], 0, {}, []

    def gradient(self, parameter: torch.Tensor) -> torch.Tensor | None:
        """What the last pass gave for a parameter."""
        return self.derived.get(id(parameter)) if self.derived else parameter.grad

    def _note_derivative(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """A derivative by something that is no parameter, taken without a graph of its own while training: what is
        computed from it gives the model no gradient.
        """
        if self.s.steps < FIRST and torch.is_grad_enabled() and is_cut_derivative(args, kwargs):
            self.s.add({"k": "derivative", "i": self.s.now + 1, "site": self.s.site("derivative")})

    # -- clearing --------------------------------------------------------------------------------
    def _wrap_zero(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def zero_grad(this: Any, *args: Any, **kwargs: Any) -> Any:
            result = original(this, *args, **kwargs)
            if self.s.here():
                self.s.safely(self._note_clearing)
            return result

        return zero_grad

    def _note_clearing(self) -> None:
        late = "B" in self.s.sequence  # a pass has gone before, and its step is still to come
        self.s.mark("Z")
        self._zeroed += 1
        self._note_place(late)
        self._look_for_clearing()

    def _note_place(self, late: bool) -> None:
        """The line that clears; late ones where the function that went backward calls, however deep the helper."""
        frames = self.s.sites.frames() if late else ()
        here = next((f for f in frames if f.f_code is self._backward_in), None)
        if here is None:
            self.s.site("late_zero_grad" if late else "zero_grad")
        else:
            self.s.place("late_zero_grad", (here.f_code.co_filename, here.f_lineno))

    def _look_for_clearing(self) -> None:
        """Mark the optimizers whose watched gradients are gone or zero.

        Values are compared, not version counters: ``p.grad.data.zero_()`` does not bump them.
        """
        for number, parameters in self._watch.items():
            if not self._cleared[number]:
                self._cleared[number] = all(self._is_clear(p) for p in parameters)

    def _is_clear(self, parameter: torch.Tensor) -> bool:
        gradient = parameter.grad
        return gradient is None or not bool(local(gradient).any())

    # -- clipping --------------------------------------------------------------------------------
    def _wrap_clip_norm(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def clip_grad_norm_(parameters: Any, max_norm: float, *args: Any, **kwargs: Any) -> Any:
            given = as_list(parameters)
            total = original(given, max_norm, *args, **kwargs)
            if self.s.here():
                self.s.mark("C")
                value = getattr(total, "_local_tensor", total)
                before = self.s.defer(value) if issubclass(type(value), torch.Tensor) else float(value)
                self._clip = {"max": float(max_norm), "before": before, "site": self.s.site("clip"),
                              "of": self._clipped(given)}  # fmt: skip
            return total

        return clip_grad_norm_

    def _wrap_clip_value(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def clip_grad_value_(parameters: Any, clip_value: float, *args: Any, **kwargs: Any) -> Any:
            given = as_list(parameters)
            acts = self.s.here()
            before = self._norm_of(given) if acts and self.s.sampling else None
            result = original(given, clip_value, *args, **kwargs)
            if acts:
                self.s.mark("C")
                self._clip = {"value": float(clip_value), "before": before, "site": self.s.site("clip"),
                              "of": self._clipped(given)}  # fmt: skip
            return result

        return clip_grad_value_

    def _clipped(self, parameters: list[torch.Tensor]) -> set[int]:
        """Identities of all that was clipped since the last step: parts may be clipped one by one."""
        earlier: set[int] = self._clip["of"] if self._clip is not None else set()
        return earlier | {id(p) for p in parameters}

    def _norm_of(self, parameters: list[torch.Tensor]) -> Any:
        """Norm of the gradients as one deferred number; 0 when there are none."""
        found = [local(p.grad) for p in parameters if p.grad is not None]
        if not found:
            return 0.0
        with torch.no_grad():
            return self.s.defer(torch.stack([g.float().norm() for g in found]).norm())

    # -- the step --------------------------------------------------------------------------------
    def close_step(self, row: dict[str, Any], optimizer: int, parameters: list[torch.Tensor]) -> None:
        """Move what happened since the last step into the step's row and start afresh."""
        known = optimizer in self._watch
        row |= {"loss": self._losses, "ls": self._sites, "nb": self._backwards, "zg": self._zeroed}
        fresh = self.total_backwards > self._passes.get(
            optimizer, 0
        )  # another optimizer's step may have come between
        row["stale"] = known and not self._cleared[optimizer] and fresh
        self._passes[optimizer] = self.total_backwards
        if self._clip is not None:
            clipped = self._clip.pop("of")
            missed = sum(p.grad is not None and id(p) not in clipped for p in parameters)
            row["clip"] = self._clip | {"missed": missed}
        if optimizer in self._made:
            row["gb"] = self._made.pop(optimizer)
        self._losses, self._sites, self._clip = [], [], None
        self._backwards = self._zeroed = 0
        self.recent.clear()
        small = sorted(parameters, key=lambda p: p.numel())[: 4 * WATCHED]
        filled = (p for p in small if p.grad is not None and not self._is_clear(p))
        watched = list(islice(filled, WATCHED))
        self._watch.pop(optimizer, None)
        if watched:
            self._watch[optimizer], self._cleared[optimizer] = watched, False
        self.write_graphs()

    def write_graphs(self) -> None:
        """Queue the graphs that were walked, with parameter ids turned into indexes."""
        for graph in self._graphs:
            leaves = graph.pop("leaves")
            reached = [self.names.index(leaf) for leaf in leaves]
            strangers = [leaf for leaf, r in zip(leaves, reached, strict=True) if r is None]
            self.s.add({**graph, "reach": [r for r in reached if r is not None],
                        "strangers": [s for s in map(self._stranger, strangers[:16]) if s]})  # fmt: skip
        self._graphs = []

    def _stranger(self, leaf: torch.Tensor) -> dict[str, Any] | None:
        """A leaf that is neither a parameter nor in an optimizer, if it is kept in an attribute of a module."""
        found = attribute_of((m for root in self.names.roots for m in root.modules()), leaf)
        if found is None:
            return None
        place = assigned_at(*found)
        return {"name": found[1], "inside": type(found[0]).__name__, "shape": list(leaf.shape),
                "site": self.s.place("stranger", place) if place else None}  # fmt: skip

    def take_losses(self) -> list[Any]:
        """Losses of backward passes that no optimizer step has claimed (manual updates, or none)."""
        losses, self._losses, self._sites = self._losses, [], []
        self.recent.clear()
        self._backwards = 0
        return losses


def derived_by(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, bool]:
    """What a call of ``torch.autograd.grad`` differentiates by, and whether it keeps the graph of the derivative."""
    inputs = args[1] if len(args) > 1 else kwargs.get("inputs")
    return inputs, bool(args[4] if len(args) > 4 else kwargs.get("create_graph"))


def is_cut_derivative(args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Whether a call of ``torch.autograd.grad`` differentiates by other things than parameters, without keeping the
    graph of the derivative. A generator (``model.parameters()``) is the script's to use up, and is left alone.
    """
    inputs, keeps = derived_by(args, kwargs)
    if not issubclass(type(inputs), (torch.Tensor, list, tuple)):
        return False
    return not keeps and not any(issubclass(type(t), torch.nn.Parameter) for t in as_list(inputs))


def as_list(parameters: Any) -> list[torch.Tensor]:
    """What was handed to a clipping function, without using up a generator twice."""
    return [parameters] if issubclass(type(parameters), torch.Tensor) else list(parameters)


def _replace(owner: Any, name: str, old: Any, new: Any) -> None:
    if getattr(owner, name, None) is old:
        setattr(owner, name, new)
