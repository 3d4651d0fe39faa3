"""Multiply every learning rate by ``factor`` during each optimizer step; schedules keep their shape.

The rate is put back after the step, so schedulers see their own values. Reaches torch optimizers whose groups
have ``lr``; not rates that a script applies by hand.
"""

from __future__ import annotations

from typing import Any

from ..session import Session


def apply(session: Session, factor: float) -> None:
    kept: list[tuple[dict[str, Any], Any]] = []

    def scale(optimizer: Any) -> None:
        for group in optimizer.param_groups:
            if "lr" in group:
                kept.append((group, group["lr"]))
                group["lr"] = group["lr"] * factor

    def restore(optimizer: Any) -> None:
        while kept:
            group, rate = kept.pop()
            group["lr"] = rate

    session.before_step.append(scale)
    session.after_step.append(restore)
