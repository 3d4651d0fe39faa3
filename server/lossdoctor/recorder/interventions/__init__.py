"""Interventions: the same script with one thing changed, applied by hooks, one file each.

Each module has ``apply(session, **parameters)`` and a docstring that says what it can and cannot reach.
"""

from __future__ import annotations

import importlib
from typing import Any

from ..session import Session


def install(session: Session, chosen: list[dict[str, Any]]) -> None:
    """Apply each ``{"name": ..., **parameters}``. Raises ModuleNotFoundError for an unknown name."""
    for choice in chosen:
        parameters = {k: v for k, v in choice.items() if k != "name"}
        module = importlib.import_module(f"{__name__}.{choice['name']}")
        module.apply(session, **parameters)
