"""State that a model carries from one batch to the next keeps its values but not its history.

Reaches outputs of a module that the script passes to the same module again after a backward pass, and tensors that
modules keep as attributes; not state that a script computes with in between.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from ..session import Session
from ..stats import tensors
from ._common import around_calls, mapped


def apply(session: Session) -> None:
    made: dict[int, dict[int, tuple[torch.Tensor, int]]] = {}

    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        def call(this: nn.Module, *args: Any, **kwargs: Any) -> Any:
            passes = session.parts.gradients.total_backwards
            own = made.get(id(this), {})

            def cut(path: str, tensor: torch.Tensor) -> torch.Tensor:
                known, when = own.get(id(tensor), (None, passes))
                return tensor.detach() if known is tensor and when < passes else tensor

            args, kwargs = mapped(args, cut), mapped(kwargs, cut)
            _cut_attributes(this)
            output = original(this, *args, **kwargs)
            made[id(this)] = {id(t): (t, passes) for _, t in tensors(output) if t.grad_fn is not None}
            return output

        return call

    around_calls(session, make)


def _cut_attributes(root: nn.Module) -> None:
    """Detach what modules kept from earlier calls: plain attributes, not parameters or buffers."""
    for module in root.modules():
        for name, value in list(vars(module).items()):
            if name[0] != "_" and any(t.grad_fn is not None for _, t in tensors(value)):
                vars(module)[name] = mapped(value, lambda path, tensor: tensor.detach())
