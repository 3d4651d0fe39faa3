"""Negate the gradient that reaches log-probabilities of distributions: actions that were made likelier become rarer.
What else the loss holds (the error of a critic, the entropy) keeps its own.

Reaches ``torch.distributions``; not log-probabilities that a script picks from a softmax itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from ..draws import WEIGHED
from ..patching import wrap
from ..session import Session


def apply(session: Session) -> None:
    inside: list[bool] = []  # an Independent asks the distribution that it wraps

    def wrapped(original: Callable[..., Any]) -> Callable[..., Any]:
        def log_prob(*args: Any, **kwargs: Any) -> Any:
            inside.append(True)
            try:
                result = original(*args, **kwargs)
            finally:
                inside.pop()
            if not inside and result.requires_grad and session.here():
                result.register_hook(torch.neg)
            return result

        return log_prob

    for kind in WEIGHED:
        wrap(kind, "log_prob", wrapped)
