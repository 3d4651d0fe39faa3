"""Where the model's own code attends, or takes means over time: the line a missing mask belongs to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.modules.module import register_module_forward_pre_hook

from .forwards import Forwards
from .patching import wrap
from .session import Session
from .stats import single_axis

MODULES = (nn.MultiheadAttention, nn.Transformer, nn.TransformerEncoder, nn.TransformerDecoder,
           nn.TransformerEncoderLayer, nn.TransformerDecoderLayer)  # fmt: skip
SOFTMAXES: tuple[tuple[Any, str], ...] = (
    (F, "softmax"), (torch, "softmax"), (torch.Tensor, "softmax"), (F, "scaled_dot_product_attention"),
)  # fmt: skip


class Attention:
    """Notes a line in the role ``attention`` in the first step: of a call of torch's attention from the user's code, or
    of a softmax over square scores; and in the role ``pooled`` that of a mean over one axis of (N, T, F).
    """

    def __init__(self, session: Session, forwards: Forwards) -> None:
        self.s, self.forwards = session, forwards

    def install(self) -> None:
        self.s.until(1, register_module_forward_pre_hook(self.s.guarded(self._enter)))
        for owner, name in SOFTMAXES:
            wrap(owner, name, self._wrap)
        for owner in (torch, torch.Tensor):
            wrap(owner, "mean", self._wrap_mean)

    def _enter(self, module: nn.Module, args: Any) -> None:
        if self.s.steps == 0 and issubclass(type(module), MODULES):
            self.s.site("attention")

    def _wrap(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def attend(*args: Any, **kwargs: Any) -> Any:
            if self.s.steps == 0 and self.forwards.stack and self.s.here():
                self.s.safely(self._look, args)
            return original(*args, **kwargs)

        return attend

    def _wrap_mean(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def mean(*args: Any, **kwargs: Any) -> Any:
            if self.s.steps == 0 and self.forwards.stack and self.s.here():
                self.s.safely(self._look_at_mean, args, args[1] if len(args) > 1 else kwargs.get("dim"))
            return original(*args, **kwargs)

        return mean

    def _look_at_mean(self, args: Any, axis: Any) -> None:
        axis = single_axis(axis)
        if args and args[0].dim() == 3 and axis is not None and axis % 3 == 1:
            self.s.site("pooled")

    def _look(self, args: Any) -> None:
        shape = list(args[0].shape) if args and issubclass(type(args[0]), torch.Tensor) else []
        square = len(shape) >= 3 and shape[-1] == shape[-2] > 1
        if square or len(args) >= 3:
            self.s.site("attention")
