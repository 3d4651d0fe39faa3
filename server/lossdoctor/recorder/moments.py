"""What an optimizer keeps in half precision beside single-precision weights, and how much of it is zero."""

from __future__ import annotations

import inspect
import re
from typing import Any

import torch
from torch.optim import Optimizer

from .session import Session
from .stats import HALF, local

FIRST = 5  # steps that are looked at
MOST = 16  # parameters of each


class Moments:
    """Writes ``moment`` rows after the first steps: per entry of the state its dtype and ``empty``, the share of zeros
    among the elements whose gradient is not zero.
    """

    def __init__(self, session: Session) -> None:
        self.s = session

    def install(self) -> None:
        self.s.after_step.append(self._look)

    def _look(self, optimizer: Optimizer) -> None:
        if self.s.steps > FIRST:
            return
        shares: dict[tuple[str, torch.dtype], list[float]] = {}
        held = [p for g in optimizer.param_groups for p in g["params"] if p.grad is not None]
        for p in held[:MOST]:
            for key, value in list(optimizer.state.get(p, {}).items()):
                half = (
                    issubclass(type(value), torch.Tensor) and value.dtype in HALF and value.shape == p.shape
                )
                if half and p.dtype == torch.float32:
                    alive = local(p.grad) != 0
                    empty = (local(value) == 0) & alive
                    shares.setdefault((str(key), value.dtype), []).append(
                        float(empty.sum() / alive.sum().clamp(min=1))
                    )
        for (key, dtype), values in shares.items():
            self.s.add({"k": "moment", "i": self.s.now, "key": key[:40], "dtype": str(dtype).removeprefix("torch."),
                        "empty": round(sum(values) / len(values), 4), "site": self._site(optimizer, key)})  # fmt: skip

    def _site(self, optimizer: Optimizer, key: str) -> int | None:
        """The line of the optimizer's own code that makes this entry half."""
        step: Any = inspect.unwrap(type(optimizer).step)
        code = getattr(step, "__code__", None)
        if code is None or not self.s.sites.is_user(code):
            return None
        lines, first = inspect.getsourcelines(code)
        for pattern in (rf"['\"]{re.escape(key)}['\"].*(float16|half)", r"float16|half"):
            found = next((n for n, line in enumerate(lines) if re.search(pattern, line)), None)
            if found is not None:
                return self.s.place("half_state", (code.co_filename, first + found))
        return None
