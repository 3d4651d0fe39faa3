"""Loss scaling: unscaled losses under GradScaler, skipped steps, the scale itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch.amp.grad_scaler import GradScaler

from .gradients import Gradients
from .patching import wrap
from .session import Session


class Precision:
    """Maps scaled losses back and writes ``skip`` rows for steps that the scaler withheld."""

    def __init__(self, session: Session, gradients: Gradients) -> None:
        self.s, self.gradients = session, gradients
        self._scale: float | None = None
        self.on_withheld: Callable[[], None] = lambda: None  # forgets what belonged to the step

    def install(self) -> None:
        wrap(GradScaler, "__init__", self._wrap_init)
        wrap(GradScaler, "scale", self._wrap_scale)
        wrap(GradScaler, "step", self._wrap_step)
        wrap(GradScaler, "unscale_", self._wrap_unscale)

    def _wrap_init(self, original: Callable[..., None]) -> Callable[..., None]:
        def __init__(this: GradScaler, *args: Any, **kwargs: Any) -> None:
            original(this, *args, **kwargs)
            if self.s.here():
                self.s.site("scaler")

        return __init__

    def _wrap_scale(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def scale(this: GradScaler, outputs: Any) -> Any:
            scaled = original(this, outputs)
            if self.s.here() and this.is_enabled() and issubclass(type(outputs), torch.Tensor):
                self.gradients.unscaled = {id(scaled): outputs}
            return scaled

        return scale

    def _wrap_unscale(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def unscale_(this: GradScaler, *args: Any, **kwargs: Any) -> Any:
            if self.s.here():
                self.s.mark("U")
            return original(this, *args, **kwargs)

        return unscale_

    def _wrap_step(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def step(this: GradScaler, *args: Any, **kwargs: Any) -> Any:
            if not (self.s.here() and this.is_enabled()):
                return original(this, *args, **kwargs)
            before = self.s.steps
            self._scale = float(this.get_scale())
            result = original(this, *args, **kwargs)
            if self.s.steps == before and self.s.active:
                losses = self.gradients.take_losses()
                self.s.add({"k": "skip", "i": before, "scale": self._scale, "loss": losses})
                self.s.taken()
                self.s.safely(self.on_withheld)
                self.s.flush()
                self.s.check_limits(self.s.count("skipped"))
            return result

        return step

    def close_step(self, row: dict[str, Any]) -> None:
        if self._scale is not None:
            row["scale"], self._scale = self._scale, None
