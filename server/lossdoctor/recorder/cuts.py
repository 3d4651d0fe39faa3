"""Where the user's code takes a tensor out of the autograd graph during the first steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from .forwards import Forwards
from .patching import wrap
from .session import Session

FIRST = 3  # steps; a cut that matters happens in every one
CALLS = ("detach", "tolist")


class Cuts:
    """Notes the lines (role ``cut``, or ``cut_in_forward``) that detach a non-scalar tensor with a history."""

    def __init__(self, session: Session, forwards: Forwards) -> None:
        self.s, self.forwards = session, forwards

    def install(self) -> None:
        for name in CALLS:
            wrap(torch.Tensor, name, self._wrap)

    def _wrap(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def cut(this: torch.Tensor, *args: Any, **kwargs: Any) -> Any:
            if self.s.steps < FIRST and this.grad_fn is not None and this.numel() > 1 and self.s.here():
                self._note()
            return original(this, *args, **kwargs)

        return cut

    def _note(self) -> None:
        place = self.s.sites.nearest()
        if place is not None:
            self.s.place("cut_in_forward" if self.forwards.stack else "cut", place)
