"""Random draws that say what a run is: dropout in a model that is being evaluated, actions that a policy samples.

A ``dropout`` function that is called without ``training=self.training`` stays on in eval mode; no module shows it. A
draw from a distribution that the model itself parametrises, without reparametrisation, is an action: the loss of such a
run weights log-probabilities by rewards, and need not fall.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import torch
import torch.nn.functional as F
from torch import nn
from torch.distributions import Bernoulli, Categorical, Distribution, Independent, MultivariateNormal, Normal

from .evaluation import Evaluation
from .forwards import Forwards
from .patching import wrap
from .session import Session
from .stats import describe

WEIGHED = (Categorical, Bernoulli, Normal, MultivariateNormal, Independent)  # whose log_prob is watched
DROPOUTS = ("dropout", "dropout1d", "dropout2d", "dropout3d", "alpha_dropout", "feature_alpha_dropout")
# what draws numbers; orders (``randperm``, ``shuffle``) are no augmentation
DRAWS = frozenset(
    {
        "rand",
        "randn",
        "rand_like",
        "randn_like",
        "random",
        "uniform",
        "uniform_",
        "normal",
        "normal_",
        "gauss",
    }
    | {"bernoulli", "randint", "integers"}
)
EVERY = 0.5  # of the steps that must have drawn an action


class Draws:
    """Counts dropout calls in evaluations (``dropped`` of the ``eval`` row), and writes one ``acts`` row per run whose
    steps draw actions; ``density`` rows say what data the likelihoods of a loss are asked for.
    """

    def __init__(self, session: Session, forwards: Forwards, evaluation: Evaluation) -> None:
        self.s, self.forwards, self.evaluation = session, forwards, evaluation
        self._last = -1
        self._weighed = -1
        self._steps = self._samples = self._log_probs = 0
        self._pending = False  # whether a log-probability was weighed since the last step
        # optimizer -> its steps, and those that weigh log-probabilities
        self._weighing: dict[int, list[int]] = {}
        self.passed_on: Callable[[], int] = int  # draws of the first steps that the model itself went on with

    def install(self) -> None:
        for name in DROPOUTS:
            wrap(F, name, self._wrap_dropout)
        wrap(F, "scaled_dot_product_attention", self._wrap_attention)
        for kind in (Distribution, Categorical, Bernoulli, Normal):
            wrap(kind, "sample", self._wrap_sample)
        for weighing in WEIGHED:
            wrap(weighing, "log_prob", self._wrap_log_prob)
        wrap(torch, "multinomial", self._wrap_multinomial)
        self.s.after_step.append(self._step)
        self.s.on_stop.append(self._close)

    # -- dropout ---------------------------------------------------------------------------------
    def _wrap_dropout(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def dropout(*args: Any, **kwargs: Any) -> Any:
            if self._evaluates():
                rate = args[1] if len(args) > 1 else kwargs.get("p", 0.5)
                on = args[2] if len(args) > 2 else kwargs.get("training", True)
                self.s.safely(self._dropped, bool(on) and rate > 0)
            return original(*args, **kwargs)

        return dropout

    def _wrap_attention(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def attention(*args: Any, **kwargs: Any) -> Any:
            if self._evaluates():
                rate = args[4] if len(args) > 4 else kwargs.get("dropout_p", 0.0)
                self.s.safely(self._dropped, rate > 0)
            return original(*args, **kwargs)

        return attention

    def _evaluates(self) -> bool:
        """Whether the running model is in eval mode, and not in a dropout module that somebody left on."""
        stack = self.forwards.stack
        if not stack or torch.is_grad_enabled() or not self.s.here():
            return False
        return not stack[0].training and not issubclass(type(stack[-1]), nn.modules.dropout._DropoutNd)

    def _dropped(self, on: bool) -> None:
        if on:
            self.evaluation.dropped += 1
            self.s.site("stray_dropout")

    # -- actions ---------------------------------------------------------------------------------
    def _wrap_sample(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def sample(this: Any, *args: Any, **kwargs: Any) -> Any:
            if self.s.here():
                self._samples += 1
                if self._last != self.s.steps and torch.is_grad_enabled():
                    self.s.safely(partial(self._drawn, vars(this).values()))
            return original(this, *args, **kwargs)

        return sample

    def _wrap_log_prob(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def log_prob(this: Any, *args: Any, **kwargs: Any) -> Any:
            result = original(this, *args, **kwargs)
            if self._weighed != self.s.steps and self.s.here() and result.requires_grad:
                self._weighed = self.s.steps
                self._log_probs += 1
                self._pending = True
                if self._log_probs == 1:
                    self.s.site("likelihood")
                if self.s.sampling:
                    self.s.safely(self._weigh, args[0] if args else kwargs.get("value"), type(this).__name__)
            return result

        return log_prob

    def _step(self, optimizer: Any) -> None:
        steps = self._weighing.setdefault(id(optimizer), [0, 0])
        steps[0] += 1
        steps[1] += self._pending
        self._pending = False

    def _weigh(self, value: Any, kind: str) -> None:
        """What a likelihood is asked for, if it is data: targets of a loss that no function of torch's computes."""
        if issubclass(type(value), torch.Tensor) and value.is_floating_point() and not value.requires_grad:
            row = {"k": "density", "i": self.s.now + 1, "fn": kind, "target": describe(value)}
            self.s.add({**row, "site": self.s.site("density")})

    def _wrap_multinomial(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def multinomial(*args: Any, **kwargs: Any) -> Any:
            if self._last != self.s.steps and torch.is_grad_enabled() and self.s.here():
                self.s.safely(partial(self._drawn, [*args, *kwargs.values()]))
            return original(*args, **kwargs)

        return multinomial

    def _drawn(self, values: Any) -> None:
        if any(issubclass(type(v), torch.Tensor) and v.requires_grad for v in values):
            self._last = self.s.steps
            self._steps += 1

    def _close(self) -> None:
        if self.passed_on() and not self._log_probs:
            return
        enough = EVERY * max(1, self.s.steps)
        # drawn without gradient first, and weighed afterwards, by most steps of one optimizer (a critic has more)
        played = max((w for steps, w in self._weighing.values() if w > EVERY * steps), default=0)
        played = played if self._samples > EVERY * played else 0
        if self._steps > enough or played:
            self.s.write({"k": "acts", "steps": max(self._steps, played)})
