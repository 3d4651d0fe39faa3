"""Where the user's code takes a tensor out of the autograd graph during the first steps, and which parameters the
model's answer is left without by that.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from .forwards import Forwards
from .graph import leaves_behind
from .names import Names
from .patching import wrap
from .session import Session
from .sites import Site
from .stats import tensors

FIRST = 3  # steps; a cut that matters happens in every one
CALLS = ("detach", "tolist")
# step up to which the parameters behind a cut are looked up; in the first one they have no names yet
LAST = 4
MOST = 8  # cuts of one forward pass


class Cuts:
    """Notes the lines (role ``cut``, or ``cut_in_forward``) that detach a non-scalar tensor with a history, and writes
    a ``severed`` row where a parameter is behind a cut of the model's forward pass and behind nothing that it returns.
    """

    def __init__(self, session: Session, forwards: Forwards, names: Names) -> None:
        self.s, self.forwards, self.names = session, forwards, names
        self._behind: list[tuple[Any, Site]] = []  # autograd nodes that were cut off in this forward pass

    def install(self) -> None:
        for name in CALLS:
            wrap(torch.Tensor, name, self._wrap)
        self.forwards.after_forward.append(self._returned)

    def _wrap(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def cut(this: torch.Tensor, *args: Any, **kwargs: Any) -> Any:
            if self.s.steps < LAST and this.grad_fn is not None and this.numel() > 1 and self.s.here():
                self._note(this.grad_fn)
            return original(this, *args, **kwargs)

        return cut

    def _note(self, node: Any) -> None:
        place = self.s.sites.calling()
        if place is None:
            return
        if self.s.steps < FIRST:
            self.s.place("cut_in_forward" if self.forwards.stack else "cut", place)
        if self.s.steps and self.forwards.stack and torch.is_grad_enabled() and len(self._behind) < MOST:
            self._behind.append((node, place))

    def _returned(self, output: Any) -> None:
        """The first cut of the pass that leaves a parameter without a way to what the model returns."""
        if not self._behind:
            return
        behind, self._behind = self._behind, []
        nodes = [t.grad_fn for _, t in tensors(output) if t.grad_fn is not None]
        if not nodes:
            return
        kept = {id(leaf) for leaf in leaves_behind(nodes)}
        for node, place in behind:
            lost = [self.names.index(leaf) for leaf in leaves_behind([node]) if id(leaf) not in kept]
            known = [index for index in lost if index is not None]
            if known:
                site = self.s.place("severed", place)
                self.s.add({"k": "severed", "i": self.s.now, "how": "detach", "p": known, "site": site})
                return
