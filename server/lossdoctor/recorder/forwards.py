"""Module calls: which model runs in which mode, what goes in and out, and sampled activations."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.modules.batchnorm import _BatchNorm
from torch.nn.modules.module import register_module_forward_hook, register_module_forward_pre_hook

from .criteria import Criteria, is_loss
from .evaluation import Evaluation
from .holders import assigned_at, attribute_of
from .keywords import whole
from .names import Names
from .patching import wrap
from .probes import Probes
from .samples import Samples
from .session import Session
from .stats import describe_tree, sample, tensors

MAX_ACTIVATIONS = 128
CALL_LINES = 100  # parts of models whose calling line is noted
RECTIFIERS = frozenset({"ReLU", "ReLU6"})
SATURATING = frozenset({"Sigmoid", "Tanh"})
FUNCTION_CLASSES = {"relu": "ReLU", "relu_": "ReLU", "relu6": "ReLU6", "sigmoid": "Sigmoid", "tanh": "Tanh"}
FUNCTIONAL: tuple[tuple[Any, str], ...] = (
    (F, "relu"), (F, "relu6"), (F, "sigmoid"), (F, "tanh"), (torch, "relu"), (torch, "sigmoid"), (torch, "tanh"),
    (torch.Tensor, "relu"), (torch.Tensor, "relu_"), (torch.Tensor, "sigmoid"), (torch.Tensor, "tanh"),
)  # fmt: skip


class Forwards:
    """Keeps the stack of running modules; the outermost call is the model's forward pass."""

    def __init__(self, session: Session, names: Names, evaluation: Evaluation, samples: Samples) -> None:
        self.s, self.names, self.evaluation, self.samples = session, names, evaluation, samples
        self._trained: nn.Module | None = None
        self._trained_ids: set[int] = set()
        self._phase = Phase()
        self.stack: list[nn.Module] = []
        self.output: Any = None  # of the model's last training call
        self._entered, self._asked = 0.0, -1
        self._activations: list[tuple[nn.Module, str, dict[str, Any]]] = []
        self._seen: set[tuple[int, bool, bool]] = set()
        self._inputs: list[dict[str, Any]] = []
        self._training: bool | None = None
        self._strays: set[tuple[int, int]] = set()
        self._members: dict[int, frozenset[int]] = {}
        self._in_function = self._with_grad = self._apart = self._follows = False
        self.criteria = Criteria()
        self.probes: Probes | None = None
        # get the arguments, and whether gradients are on
        self.on_call: list[Callable[[Any, bool], None]] = []
        self.before_forward: list[Callable[[nn.Module], None]] = []
        self.after_forward: list[Callable[[Any], None]] = []

    def install(self) -> None:
        register_module_forward_pre_hook(self.s.guarded(self._enter))
        register_module_forward_hook(self.s.guarded(self._leave))
        for owner, name in FUNCTIONAL:
            wrap(owner, name, partial(self._wrap_function, name))

    def _wrap_function(self, name: str, original: Callable[..., Any]) -> Callable[..., Any]:
        """Activations that are called as functions belong to the module that calls them."""

        def activation(*args: Any, **kwargs: Any) -> Any:
            if self._in_function or not (self.stack and self.s.here() and self.s.sampling):
                return original(*args, **kwargs)
            self._in_function = True
            try:
                output = original(*args, **kwargs)
            finally:
                self._in_function = False
            own = not type(self.stack[-1]).__module__.startswith(
                "torch.nn."
            )  # torch's report their output anyway
            if own and torch.is_grad_enabled():
                self._activation(self.stack[-1], output, FUNCTION_CLASSES[name])
            return output

        return activation

    def new_phase(self) -> None:
        """Another optimizer begins: what is trained from now on counts."""
        self._phase = Phase(begun=False)

    # -- calls -----------------------------------------------------------------------------------
    def _enter(self, module: nn.Module, args: Any) -> None:
        if not self.s.here():
            return
        if not self.stack:
            self._entered = time.perf_counter()
            self._apart, given = self._only_a_part(module), whole(args)
            self._follows = self.criteria.follows(module, given)
            if not self._follows and not self._apart:
                self._outermost(module, given)
        elif self.s.now == 0:
            self._look_for_stray(module)
            if self._with_grad and module._parameters and not torch.is_grad_enabled():
                place = self.s.sites.without_gradient()
                if place is not None:
                    self.s.place("cut_in_forward", place)
        if id(module) not in self.names.called:
            self.names.called[id(module)] = self._call_line()
        self.stack.append(module)

    def _call_line(self) -> int | None:
        """The line inside the model that calls the part just entered, for the first of them."""
        if not self.stack or self.s.now or len(self.names.called) > CALL_LINES:
            return None
        return self.s.site("call")

    def _outermost(self, module: nn.Module, args: Any) -> None:
        grad = self._with_grad = torch.is_grad_enabled()
        for look in self.on_call:
            self.s.safely(look, args, grad)
        if grad:
            for action in self.before_forward:
                action(module)
            self._training, self._trained = module.training, module
            self._trained_ids.add(id(module))
            self._phase.add(module)
            self.evaluation.averages.start(module)
            self.s.mark("F")
            self.samples.forward(args)
            if self.probes is not None:
                self.probes.module, self.probes.args = module, args
        else:
            if self._asked != self.s.now:
                self._asked = self.s.now
                self.s.count("steps_with_calls_without_gradient")
            # A module that is trained itself is no average of another, however alike the two are.
            average_of = None if id(module) in self._trained_ids else self._trained
            own = id(module) in self._trained_ids or not self._trained_ids
            if self.probes is not None and module is self.probes.module and not module.training:
                self.probes.held = args
            self.evaluation.forward(module, args, average_of or module, own, self._phase.concerns(module))
        key = (id(module), module.training, grad)
        if key in self._seen and not (self.s.sampling and grad and not self._inputs):
            return
        if grad and key not in self._seen:
            self.s.site("forward")
        self._seen.add(key)
        with torch.no_grad():
            row = {"k": "forward", "i": self.s.now + 1, "module": type(module).__name__, "grad": grad,
                   "training": module.training, "loader": self.samples.loader, "frozen_mode": _mixed_modes(module),
                   "blank_norms": _blank_norms(module) if grad else 0, "autocast": _autocast(),
                   "computed": _computed(args), "in": describe_tree(args)}  # fmt: skip
        self.s.half = self.s.half or (grad and row["autocast"] == "float16")
        self._inputs.append(row)

    def _only_a_part(self, module: nn.Module) -> bool:
        """A layer that is called by itself (for a penalty) in a step in which its model has run before."""
        root = self._trained
        if root is None or module is root or "F" not in self.s.sequence or not torch.is_grad_enabled():
            return False
        return id(module) in self._parts(root)

    def _parts(self, root: nn.Module, again: bool = False) -> frozenset[int]:
        """Ids of a model and its parts; looked up ``again`` when a layer may have been made since."""
        if again or id(root) not in self._members:
            self._members[id(root)] = frozenset(id(m) for m in root.modules())
        return self._members[id(root)]

    def outermost(self, module: nn.Module) -> bool:
        """Whether this module, just entered, is the model itself (not a part of it, nor a loss)."""
        return len(self.stack) == 1 and self.stack[0] is module and not self._follows

    def _look_for_stray(self, module: nn.Module) -> None:
        """A module that runs inside another one without being registered in it."""
        root = self.stack[0]
        members = self._parts(root)
        has_parameters = any(True for _ in module.parameters(recurse=False))
        if has_parameters and id(module) not in members:  # a layer that is made in the first call comes late
            members = self._parts(root, again=True)
        if has_parameters and id(module) not in members and (id(root), id(module)) not in self._strays:
            self._strays.add((id(root), id(module)))
            around = (module, *reversed(self.stack))  # the list may hold a block that this layer is a part of
            holder = next((h for m in around if (h := attribute_of(root.modules(), m)) is not None), None)
            place = assigned_at(*holder) if holder else None
            site = self.s.place("stray", place) if place else self.s.site("stray")
            self.s.write({"k": "stray", "module": type(module).__name__, "inside": type(root).__name__,
                          "name": holder[1] if holder else None, "site": site})  # fmt: skip

    def _leave(self, module: nn.Module, args: Any, output: Any) -> None:
        if not self.s.here():
            return
        while self.stack and self.stack.pop() is not module:
            pass  # an exception inside a forward leaves entries behind
        if not module._modules and self.s.sampling and torch.is_grad_enabled():
            self._activation(module, output)
        if not self.stack and not self._apart:
            self._finished(module, args, output)

    def _finished(self, module: nn.Module, args: Any, output: Any) -> None:
        part = "fwd" if torch.is_grad_enabled() else "eval"
        self.s.spend(part, time.perf_counter() - self._entered)
        if self._follows and is_loss(module, output):
            judged = self.criteria.judged(module, whole(args), output)
            if judged is not None:
                self.evaluation.judged(type(module).__name__, judged, output)
            return
        if self._follows:  # other answers, made of those of the call before
            self._outermost(module, whole(args))
        if not torch.is_grad_enabled():
            self.criteria.answered(output)
            self.evaluation.output(output)
        else:
            self.output = output
        for action in self.after_forward:
            action(output)
        if self._inputs and "out" not in self._inputs[-1]:
            with torch.no_grad():
                self._inputs[-1]["out"] = describe_tree(output)

    # -- activations -----------------------------------------------------------------------------
    def _activation(self, module: nn.Module, output: Any, function: str | None = None) -> None:
        if len(self._activations) >= MAX_ACTIVATIONS or not issubclass(type(output), torch.Tensor):
            return
        if not output.is_floating_point() or not output.numel():
            return
        start = time.perf_counter()
        with torch.no_grad():
            kind = function or type(module).__name__
            stats = activation_stats(self.s, kind, output)
        if kind.startswith("BatchNorm") and module.training:
            stats["rows"] = output.shape[0]  # the model may split its batch
        if function:
            stats["site"] = self.s.site("activation")
        self._activations.append((module, kind, stats))
        self.s.spend("hook", time.perf_counter() - start)

    # -- the step --------------------------------------------------------------------------------
    def close_step(self, row: dict[str, Any]) -> None:
        """Queue the forward and activation rows of this step."""
        if self._training is not None:
            row["tr"] = self._training
        for entry in self._inputs:
            self.s.add(entry)
        for module, kind, stats in self._activations:
            self.s.add({"k": "act", "i": row["i"], "name": self.names.module(module), "class": kind, **stats})
        self._inputs, self._activations, self._training = [], [], None
        self.criteria.forget()


class Phase:
    """The models that train under the present optimizers, and whether another one has to do with them."""

    def __init__(self, begun: bool = True) -> None:
        self._begun = begun
        self._trained: dict[int, nn.Module] = {}
        self._known: dict[int, bool] = {}

    def add(self, module: nn.Module) -> None:
        if id(module) not in self._trained:
            self._trained[id(module)] = module
            self._begun = True
            self._known.clear()

    def concerns(self, module: nn.Module) -> bool:
        """Whether a model is one of them or shares weights with one; a frozen extractor of features does not."""
        if not self._trained:
            return self._begun
        if id(module) not in self._known:
            own = {id(p) for m in self._trained.values() for p in m.parameters()}
            shares = any(id(p) in own for p in module.parameters())
            self._known[id(module)] = id(module) in self._trained or shares
        return self._known[id(module)]


def activation_stats(session: Session, kind: str, output: torch.Tensor) -> dict[str, Any]:
    """Mean, std, largest magnitude, share of zeros; for rectifiers also the share of units that are zero for the
    whole batch (``dead``; a unit is one index of dimension 1, features or channels); for sigmoid and tanh the
    share of values in the flat ends (``flat``: derivative below 1 % of its maximum).
    """
    values = sample(output).float()
    std, mean = torch.std_mean(values, correction=0)
    stats = {"mean": session.defer(mean), "std": session.defer(std), "max": session.defer(values.abs().amax()),
             "zeros": session.defer((values == 0).float().mean())}  # fmt: skip
    if kind in RECTIFIERS and output.dim() >= 2 and output.shape[0] > 1:
        stats["dead"] = session.defer(dead_units(output))
    if kind in SATURATING:
        slope = values * (1 - values) * 4 if kind == "Sigmoid" else 1 - values * values
        stats["flat"] = session.defer((slope < 0.01).float().mean())
    return stats


def dead_units(output: torch.Tensor) -> torch.Tensor:
    """Share of units at zero for every sample and position of the batch.

    A unit is an index of dimension 1 (features, channels) or, for (N, T, C) outputs, of dimension 2; a 3-D
    output does not tell which of the two it is, so the larger share counts (positions are never all zero in
    every channel unless all units are dead).
    """
    units = (1, 2) if output.dim() == 3 else (1,)
    shares = []
    for unit in units:
        largest = output.detach().amax([d for d in range(output.dim()) if d != unit])
        shares.append((largest <= 0).float().mean())
    return torch.stack(shares).amax()


def _mixed_modes(module: nn.Module) -> bool:
    """Whether some sub-modules are in the other mode (a backbone in eval mode, say)."""
    return any(m.training != module.training for m in module.modules())


def _blank_norms(module: nn.Module) -> int:
    """Batch norms that use their running statistics, which no batch and no checkpoint has ever filled."""
    return sum(map(_blank, module.modules()))


def _blank(layer: nn.Module) -> bool:
    mean = getattr(layer, "running_mean", None) if issubclass(type(layer), _BatchNorm) else None
    return mean is not None and not layer.training and not bool(mean.any())


def _autocast() -> str | None:
    for device in ("cpu", "cuda"):
        if torch.is_autocast_enabled(device):
            return str(torch.get_autocast_dtype(device))[6:]
    return None


def first_tensor(value: Any) -> torch.Tensor | None:
    """The first tensor of a model output (logits first when the output names them)."""
    found = tensors(value)
    named = [t for path, t in found if path.endswith("logits")]
    return named[0] if named else (found[0][1] if found else None)


def _computed(args: Any) -> bool:
    """Whether the first input is itself computed from what is trained (embeddings that the script looks up): then it is
    no data.
    """
    return next((t.grad_fn is not None for _, t in tensors(args)), False)
