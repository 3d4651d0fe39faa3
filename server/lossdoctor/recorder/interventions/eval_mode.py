"""Evaluation passes run in evaluation mode: no dropout, stored batch statistics. The script's own mode is put back
after each call.

An evaluation pass is a call of a module while gradients are off, so an evaluation without ``no_grad`` is not
reached. Calls of dropout functions drop nothing there either.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F

from ..patching import wrap
from ..session import Session
from .train_mode import in_mode

DROPOUTS = ("dropout", "dropout1d", "dropout2d", "dropout3d", "alpha_dropout", "feature_alpha_dropout")


def apply(session: Session) -> None:
    in_mode(session, grad=False, training=False)

    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        def dropout(*args: Any, **kwargs: Any) -> Any:  # of input, p, training and inplace
            if torch.is_grad_enabled() or not session.here():
                return original(*args, **kwargs)
            if len(args) > 2:
                return original(*args[:2], False, *args[3:], **kwargs)
            return original(*args, **{**kwargs, "training": False})

        return dropout

    for name in DROPOUTS:
        wrap(F, name, make)
