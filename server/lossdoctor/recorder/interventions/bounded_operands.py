"""Operations that leave the real numbers get operands that keep them inside: logarithms and roots of at least 1e-6,
divisors at least 1e-6 from zero, exponents of at most 80, arcs of at most 1 - 1e-6, finite scores for a softmax (one
over nothing but masked positions is even then).

Reaches the functions and methods of torch by these names and the division operator; not fused kernels.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import torch
import torch.nn.functional as F

from ..patching import wrap
from ..session import Session

LEAST = 1e-6
MOST = 80.0  # exp(88) is the largest number of float32


def apply(session: Session) -> None:
    for name, change in CHANGES.items():
        for owner in (o for o in (torch, torch.Tensor, F) if hasattr(o, name)):
            wrap(owner, name, partial(_bounded, session, change))


def _bounded(
    session: Session, change: Callable[..., tuple[Any, ...]], original: Callable[..., Any]
) -> Callable[..., Any]:
    def operation(*args: Any, **kwargs: Any) -> Any:
        usable = session.here() and all(
            not issubclass(type(a), torch.Tensor) or a.is_floating_point() for a in args
        )
        return original(*(change(*args) if usable else args), **kwargs)

    return operation


def _positive(x: torch.Tensor, *more: Any) -> tuple[Any, ...]:
    return x.clamp_min(LEAST), *more


def _exponent(x: torch.Tensor, *more: Any) -> tuple[Any, ...]:
    return x.clamp_max(MOST), *more


def _arc(x: torch.Tensor, *more: Any) -> tuple[Any, ...]:
    return x.clamp(LEAST - 1, 1 - LEAST), *more


def _score(x: torch.Tensor, *more: Any) -> tuple[Any, ...]:
    return x.clamp_min(torch.finfo(x.dtype).min), *more


def _divisor(x: Any, y: Any, *more: Any) -> tuple[Any, ...]:
    return x, _from_zero(y) if issubclass(type(y), torch.Tensor) else y, *more


def _divides(x: torch.Tensor, *more: Any) -> tuple[Any, ...]:
    return _from_zero(x), *more


def _from_zero(x: torch.Tensor) -> torch.Tensor:
    return torch.where(x.detach().abs() < LEAST, torch.full_like(x, LEAST), x)


CHANGES: dict[str, Callable[..., tuple[Any, ...]]] = {
    **dict.fromkeys(("log", "log2", "log10", "sqrt", "rsqrt"), _positive),
    "exp": _exponent,
    **dict.fromkeys(("acos", "asin", "arccos", "arcsin"), _arc),
    **dict.fromkeys(("softmax", "log_softmax", "logsumexp"), _score),
    **dict.fromkeys(("div", "divide", "true_divide", "__truediv__"), _divisor),
    **dict.fromkeys(("reciprocal", "__rtruediv__"), _divides),
}
