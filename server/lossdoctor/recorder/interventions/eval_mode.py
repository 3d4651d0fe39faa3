"""Evaluation passes run in evaluation mode: no dropout, stored batch statistics. The script's own mode is put back
after each call.

An evaluation pass is a call of a module while gradients are off, so an evaluation without ``no_grad`` is not
reached.
"""

from __future__ import annotations

from ..session import Session
from .train_mode import in_mode


def apply(session: Session) -> None:
    in_mode(session, grad=False, training=False)
