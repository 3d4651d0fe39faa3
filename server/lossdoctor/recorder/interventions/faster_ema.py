"""Averaged weights follow the model with ``decay`` instead of the script's own, slower average.

Reaches ``torch.optim.swa_utils.AveragedModel``, and copies of the trained model that the script averages by hand: they
get the faster average before each of their calls without gradient. Not weights that are swapped into the model itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import nn
from torch.nn.modules.module import register_module_forward_pre_hook
from torch.optim import swa_utils

from ..patching import wrap
from ..session import Session


def apply(session: Session, decay: float = 0.9) -> None:
    def make(original: Callable[..., None]) -> Callable[..., None]:
        def __init__(this: Any, *args: Any, **kwargs: Any) -> None:
            original(this, *args, **kwargs)
            this.avg_fn, this.multi_avg_fn = None, swa_utils.get_ema_multi_avg_fn(decay)

        return __init__

    wrap(swa_utils.AveragedModel, "__init__", make)
    followers = Followers(decay)
    session.parts.forwards.before_forward.append(followers.trains)
    session.after_step.append(followers.step)
    register_module_forward_pre_hook(session.guarded(followers.answers))


class Followers:
    """An average of the model that trains, put into its copies whenever they answer."""

    def __init__(self, decay: float) -> None:
        self.decay = decay
        self.model: nn.Module | None = None
        self.average: dict[str, torch.Tensor] = {}
        self.copies: dict[int, bool] = {}

    def trains(self, module: nn.Module) -> None:
        if module is not self.model:
            self.model, self.average = module, {}
            self.copies.clear()

    @torch.no_grad()
    def step(self, _: Any) -> None:
        now = dict(self.model.named_parameters()) if self.model is not None else {}
        for name, value in now.items():
            if name in self.average:
                self.average[name].lerp_(value, 1 - self.decay)
            else:
                self.average[name] = value.detach().clone()

    @torch.no_grad()
    def answers(self, module: nn.Module, args: Any) -> None:
        if torch.is_grad_enabled() or not self.average or module is self.model:
            return
        if id(module) not in self.copies:
            self.copies[id(module)] = self._is_copy(module)
        for name, value in module.named_parameters() if self.copies[id(module)] else ():
            value.copy_(self.average[name])

    def _is_copy(self, module: nn.Module) -> bool:
        """Whether a model has the same parameters by name and shape, and shares none."""
        own = dict(module.named_parameters())
        trained = {id(p) for p in self.model.parameters()} if self.model is not None else set()
        alike = own.keys() == self.average.keys() and all(
            p.shape == self.average[n].shape for n, p in own.items()
        )
        return alike and not any(id(p) in trained for p in own.values())
