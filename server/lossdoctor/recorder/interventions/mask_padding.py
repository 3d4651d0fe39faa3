"""Positions that only fill a sequence up get no weight: as keys of attention, in a softmax or a mean over time; a
recurrent layer does not read them, and its answer there stays that of the last position before.

What fills up is what the rows of the outermost input end with: the commonest last value of integers (N, T), zeros in
all features of measurements (N, T, F). Reaches ``nn.MultiheadAttention``, ``scaled_dot_product_attention``, ``softmax``
along an axis of T elements of N samples, ``mean`` over such an axis, and ``nn.RNN``, ``LSTM`` and ``GRU`` that are
given what is not packed, while the module that the script calls runs. The first position of a row always stays.

A mask that leaves nothing out counts as none: what the module is given in the shape of the sequences, true (or one) or
false everywhere, and what a comparison of symbols inside it finds nowhere, become the mask of what fills up.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from ..patching import wrap
from ..session import Session
from ..stats import single_axis, tensors
from ._common import WHOLE, around_calls, lengths, mapped

COMPARISONS: tuple[tuple[Any, str], ...] = (
    (torch, "eq"), (torch, "ne"),
    (torch.Tensor, "eq"), (torch.Tensor, "ne"), (torch.Tensor, "__eq__"), (torch.Tensor, "__ne__"),
)  # fmt: skip


def apply(session: Session) -> None:
    masks = _Masks()

    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        def call(this: nn.Module, *args: Any, **kwargs: Any) -> Any:
            with torch.no_grad():
                masks.now = _padding([t for _, t in tensors((args, kwargs))])
                if masks.now is not None:
                    args, kwargs = mapped((args, kwargs), masks.given)
            try:
                return original(this, *args, **kwargs)
            finally:
                masks.now = None

        return call

    around_calls(session, make)
    torch.backends.mha.set_fastpath_enabled(False)  # it goes past the functions below
    wrap(nn.MultiheadAttention, "forward", masks.attention)
    wrap(F, "scaled_dot_product_attention", masks.product)
    for layer in (nn.RNN, nn.LSTM, nn.GRU):
        wrap(layer, "forward", masks.recurrent)
    for owner in (F, torch, torch.Tensor):
        wrap(owner, "softmax", masks.softmax)
    for owner in (torch, torch.Tensor):
        wrap(owner, "mean", masks.mean)
    for owner, name in COMPARISONS:
        wrap(owner, name, masks.compared)


def _padding(given: list[torch.Tensor]) -> torch.Tensor | None:
    """(N, T): where the first sequences among the arguments are filled up; None where they are not."""
    for x in given:
        whole, measured = x.dtype in WHOLE and x.dim() == 2, x.is_floating_point() and x.dim() == 3
        if x.numel() and (whole or measured) and not _same(x):
            mask = torch.arange(x.shape[1], device=x.device) >= lengths(x)[:, None]
            return mask if bool(mask.any()) else None
    return None


def _same(x: torch.Tensor) -> bool:
    """Whether all elements are equal."""
    return bool(x.numel()) and float(x.min()) == float(x.max())


def _leaves_out(mask: Any) -> bool:
    """Whether a mask of attention leaves out any position: a true or an infinite element."""
    return mask is not None and bool(mask.any())


class _Masks:
    """The padding of the call that runs, and the functions that are told of it."""

    def __init__(self) -> None:
        self.now: torch.Tensor | None = None

    def _along(self, x: torch.Tensor, axis: int) -> torch.Tensor | None:
        """The mask shaped for ``x``, whose samples are on the first axis and whose time is on this one."""
        mask, axis = self.now, axis % max(1, x.dim())
        if mask is None or axis == 0 or x.shape[0] != mask.shape[0] or x.shape[axis] != mask.shape[1]:
            return None
        return mask.reshape([n if k in (0, axis) else 1 for k, n in enumerate(x.shape)])

    def given(self, path: str, x: torch.Tensor) -> torch.Tensor:
        """The mask in place of a tensor that has its shape and leaves nothing out; any other one as it is."""
        mask = self.now
        if mask is None or x.shape != mask.shape or not _same(x):
            return x
        level = float(x.flatten()[0])
        if level == 1:
            return (~mask).to(x.dtype)
        return mask if level == 0 and x.dtype == torch.bool else x

    def compared(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def compare(*args: Any, **kwargs: Any) -> Any:
            found = original(*args, **kwargs)
            is_tensor = (
                args and issubclass(type(args[0]), torch.Tensor) and issubclass(type(found), torch.Tensor)
            )
            return self.given("", found) if is_tensor and args[0].dtype in WHOLE else found

        return compare

    def attention(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def forward(this: Any, query: Any, key: Any, value: Any, *args: Any, **kwargs: Any) -> Any:
            mask, batch = self.now, 0 if this.batch_first else 1
            told = args or _leaves_out(kwargs.get("key_padding_mask"))
            fits = (
                mask is not None and key.dim() == 3 and (key.shape[batch], key.shape[1 - batch]) == mask.shape
            )
            if told or not fits:
                return original(this, query, key, value, *args, **kwargs)
            self.now = None  # what runs inside is told already
            try:
                return original(this, query, key, value, **{**kwargs, "key_padding_mask": mask})
            finally:
                self.now = mask

        return forward

    def product(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def attend(query: Any, key: Any, value: Any, *args: Any, **kwargs: Any) -> Any:
            padded = self._along(key, -2)
            if padded is None or args or kwargs.get("attn_mask") is not None:
                return original(query, key, value, *args, **kwargs)
            keep = ~padded.transpose(-1, -2)
            if kwargs.pop("is_causal", False):
                keep = (
                    keep
                    & torch.ones(query.shape[-2], key.shape[-2], dtype=torch.bool, device=key.device).tril()
                )
            return original(query, key, value, **{**kwargs, "attn_mask": keep})

        return attend

    def recurrent(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def forward(this: Any, input: Any, hx: Any = None) -> Any:
            plain = issubclass(type(input), torch.Tensor) and input.dim() == 3
            time = 1 if this.batch_first else 0
            padded = self._along(input if this.batch_first else input.transpose(0, 1), 1) if plain else None
            if padded is None:
                return original(this, input, hx)
            own = (~padded).sum(1).flatten().cpu()
            packed = pack_padded_sequence(input, own, this.batch_first, enforce_sorted=False)
            out, state = original(this, packed, hx)
            full, _ = pad_packed_sequence(out, this.batch_first, total_length=input.shape[time])
            places = torch.arange(input.shape[time])[None].minimum(own[:, None] - 1).to(full.device)
            places = places if this.batch_first else places.T
            return full.gather(time, places[:, :, None].expand_as(full)), state

        return forward

    def softmax(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def softmax(input: Any, *args: Any, **kwargs: Any) -> Any:
            axis = args[0] if args else kwargs.get("dim")
            padded = self._along(input, axis) if isinstance(axis, int) else None
            return original(
                input if padded is None else input.masked_fill(padded, -torch.inf), *args, **kwargs
            )

        return softmax

    def mean(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def mean(input: Any, *args: Any, **kwargs: Any) -> Any:
            axis = single_axis(args[0] if args else kwargs.get("dim"))
            padded = self._along(input, axis) if axis is not None else None
            if padded is None:
                return original(input, *args, **kwargs)
            share = original(
                ~padded * torch.ones((), dtype=input.dtype, device=input.device), *args, **kwargs
            )
            return original(input.masked_fill(padded, 0), *args, **kwargs) / share

        return mean
