"""How far evaluated weights are from the trained ones, and how far those have come from where they started.

Small samples of every parameter are kept: the values at the first training pass, and those before a load of other
weights into the trained model (weights that are swapped in for an evaluation).
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

import torch
from torch import nn
from torch.optim import swa_utils

from .holders import written_at
from .patching import wrap
from .session import Session
from .stats import sample

SIZE = 256
MODELS = 4  # that are trained in one script and whose beginnings are kept
AVERAGING = (
    r"AveragedModel\(|\.lerp_\(|\.mul_\(.*(decay|momentum|beta|ema|alpha|tau)"
    r"|\b(\w*decay|\w*momentum|beta|ema\w*|alpha|tau)\s*\*"
)
# The same without a telling name: a weight and its complement in what is written in place, or back to its own entry.
COMPLEMENT = r"\b1(\.0*)? - "
BY_HAND = rf"\.(mul|copy|add)_\(.*{COMPLEMENT}|^\s*(?P<entry>[\w.]+\[[^=]+\](\.data)?) = (?=.*(?P=entry)).*{COMPLEMENT}"
Values = dict[str, torch.Tensor]


class Averages:
    """Compares the weights of an evaluation with the trained ones."""

    def __init__(self, session: Session) -> None:
        self.s = session
        self._first: dict[int, tuple[weakref.ref[nn.Module], Values]] = {}  # per model that was trained
        self._live: Values | None = None
        self._since = -1
        self._whose: int | None = None

    def install(self) -> None:
        """Passes that only renew the batch statistics of an average are no evaluations."""
        wrap(swa_utils, "update_bn", self._unseen)

    def _unseen(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def update_bn(*args: Any, **kwargs: Any) -> Any:
            was, self.s.active = self.s.active, False
            try:
                return original(*args, **kwargs)
            finally:
                self.s.active = was

        return update_bn

    def start(self, module: nn.Module) -> None:
        """Keep the values of a model at its first training pass."""
        if id(module) not in self._first and len(self._first) < MODELS:
            self._first[id(module)] = weakref.ref(module), values_of(module)

    def before_load(self, module: nn.Module) -> None:
        """Keep the trained values before others are loaded over them, the first time since the last step."""
        if self._first and self._since != self.s.steps and self.s.steps > 0:
            self._live, self._since = values_of(module), self.s.steps
            self._whose = id(module)

    def distances(self, module: nn.Module, trained: nn.Module | None) -> dict[str, float | bool | None]:
        """``twin``: |evaluated - trained| / |trained|; ``moved``: |trained - first| / |trained|; ``swapped``: values
        that were loaded into the trained object. None when they are the same, or too few names agree.
        """
        own = values_of(module)
        model, reference = self._trained(module, own, trained)
        if reference is None or model is None or id(model) not in self._first:
            return {"twin": None, "moved": None}
        twin = distance(own, reference)
        if twin:
            place = written_at(self.s.sites, AVERAGING, BY_HAND)
            if place is not None:
                self.s.place("average", place)
        swapped = trained is None or trained is module
        return {"twin": twin, "moved": distance(self._first[id(model)][1], reference), "swapped": swapped}

    def _trained(
        self, module: nn.Module, own: Values, trained: nn.Module | None
    ) -> tuple[nn.Module | None, Values | None]:
        """The trained model that these are other weights of, with its values: of several (adversaries may be built
        alike) the one with the most tensors of the same name and shape, the last trained before others.
        """
        kept = self._first.get(id(module))
        if trained is None or trained is module or (kept is not None and kept[0]() is module):
            return module, self._live if self._since == self.s.steps and self._whose == id(module) else None
        others = (reference() for reference, _ in self._first.values())
        models = [trained, *(m for m in others if m is not None and m is not trained and m is not module)]
        return max(((m, values_of(m)) for m in models), key=lambda pair: len(_pairs(own, pair[1])))


def values_of(module: nn.Module) -> Values:
    """A sample of each floating-point parameter, by name without the prefix of a wrapper."""
    ready = ((n, p) for n, p in module.named_parameters() if not nn.parameter.is_lazy(p))
    found = {n.removeprefix("module."): p for n, p in ready if p.is_floating_point()}
    return {name: sample(p, SIZE).float().clone() for name, p in found.items() if p.numel()}


def distance(ours: Values, reference: Values) -> float | None:
    """|ours - reference| / |reference| over the samples of equal name and size; None when under half of them agree."""
    pairs = _pairs(ours, reference)
    if not pairs or len(pairs) < len(reference) / 2:
        return None
    gap = sum(float((a - b).norm()) ** 2 for a, b in pairs)
    size = sum(float(b.norm()) ** 2 for _, b in pairs)
    return float((gap / size) ** 0.5) if size > 0 else None


def _pairs(ours: Values, reference: Values) -> list[tuple[torch.Tensor, torch.Tensor]]:
    return [(ours[n], v) for n, v in reference.items() if n in ours and ours[n].shape == v.shape]


def told_apart(module: nn.Module) -> float | None:
    """A number that tells two states of a model apart; None for models without floating-point parameters."""
    values = values_of(module).values()
    return sum(float(v.double().abs().sum()) for v in values) if values else None
