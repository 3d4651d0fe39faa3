"""Which modules are losses: torch's own classes, and those of the script's that hold an answer against a target."""

from __future__ import annotations

import re
import weakref
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn
from torch.nn.parameter import is_lazy

from .stats import tensors, wide

MOST = 4  # losses of a step
# largest difference of a target from what it was worked out to be, relative to the largest target
ROUNDED = 0.01
NAMED = re.compile(r"loss|criterion|nll", re.IGNORECASE)


def is_torchs(module: nn.Module) -> bool:
    """Whether a module is one of torch's loss classes."""
    return issubclass(type(module), nn.modules.loss._Loss)


@dataclass(frozen=True)
class Judged:
    """A call of a loss of the script's: the answer and the target that it got; ``whole``: what it made of them is what
    training goes down, nothing is added.
    """

    answer: torch.Tensor
    target: torch.Tensor
    whole: bool


@dataclass(frozen=True)
class Roles:
    """Paths of answer and target among the arguments."""

    answer: str
    target: str
    whole: bool


class Criteria:
    """Tells calls of modules that learn nothing but single numbers (the weights of several terms) and are handed what
    another module has made. Without gradients that is the last answer itself, or whatever goes to a module that was
    called so in training.
    """

    def __init__(self) -> None:
        self._known: set[int | type] = set()
        self._answers: list[weakref.ref[torch.Tensor]] = []
        self._called: list[tuple[type, list[tuple[str, torch.Tensor]], Any]] = []  # of this step
        self._roles: dict[type, Roles] = {}

    def answered(self, output: Any) -> None:
        """Remember what a model has made without gradients."""
        self._answers = [weakref.ref(t) for _, t in tensors(output)]

    def follows(self, module: nn.Module, args: Any) -> bool:
        """Whether this call gets what another one has made, and adds no layer of its own to it."""
        if is_torchs(module):
            return True
        given = [t for _, t in tensors(args)]
        if any(t.grad_fn is not None for t in given):
            follows = not _has_layers(module)
            if follows:
                self._known.add(_key(module))
            return follows
        answers = [ref() for ref in self._answers]
        made = any(t is answer for t in given for answer in answers)
        return (made or _key(module) in self._known) and not _has_layers(module)

    def judged(self, module: nn.Module, args: Any, output: Any) -> Judged | None:
        """Note a loss of the script's in training; without gradients what it was given, where that is known."""
        if is_torchs(module):
            return None
        given, kind = tensors(args), type(module)
        if any(t.grad_fn is not None for _, t in given):
            if len(self._called) < MOST:
                self._called.append((kind, given, output))
            return None
        roles, found = self._roles.get(kind), dict(given)
        if roles is None or roles.answer not in found or roles.target not in found:
            return None
        return Judged(found[roles.answer], found[roles.target], roles.whole)

    def answers(self) -> list[torch.Tensor]:
        """What the losses of this step were given that others have made."""
        return [t for _, given, _ in self._called for _, t in given if t.grad_fn is not None]

    def settle(self, loss: torch.Tensor, target: torch.Tensor) -> None:
        """What this step's losses were given, now that a target has been read from the graph of ``loss``."""
        for kind, given, output in self._called:
            answers = [path for path, t in given if t.grad_fn is not None]
            targets = [path for path, t in given if t.grad_fn is None and _alike(t, target)]
            if len(answers) == len(targets) == 1:
                self._roles[kind] = Roles(answers[0], targets[0], output is loss)

    def forget(self) -> None:
        """The step is over: let go of its graph."""
        self._called = []


def is_loss(module: nn.Module, output: Any) -> bool:
    """Whether a module that ``follows`` has made a loss of what it got, rather than other answers (pooled, normalised,
    compared with each other): a single number, or whatever a class makes that is called a loss.
    """
    if is_torchs(module) or NAMED.search(type(module).__name__):
        return True
    found = tensors(output)
    return bool(found) and found[0][1].numel() == 1


def _alike(given: torch.Tensor, target: torch.Tensor) -> bool:
    """Whether this is the target, which was worked out from a difference and is rounded."""
    if given.numel() != target.numel() or given.device != target.device or not given.numel():
        return False
    one, other = wide(given.detach()).reshape(-1), wide(target.detach()).reshape(-1)
    return bool((one - other).abs().amax() <= ROUNDED * other.abs().amax())


def _has_layers(module: nn.Module) -> bool:
    return any(_is_layer(p) and p.requires_grad for p in module.parameters())


def _key(module: nn.Module) -> int | type:
    """The class, as evaluation may make another object of it; the object where it holds a network (that is frozen)."""
    return id(module) if any(map(_is_layer, module.parameters())) else type(module)


def _is_layer(parameter: torch.Tensor) -> bool:
    """Whether a parameter is more than a few numbers; one that has no shape yet will be."""
    return is_lazy(parameter) or parameter.dim() > 1
