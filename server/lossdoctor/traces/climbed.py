"""Runs that climb their objective: with ``maximize=True``, or by updates along the gradient.

Pure functions of a trace.
"""

from __future__ import annotations

from statistics import median

from ..model import Step, Trace
from .validation import should_fall

UPHILL = 0.5  # cosine between update and gradient: plain descent has -1, momentum and decay stay far below 0
SEVERAL = 3
BY_HAND = -1  # the optimizer of steps that the script makes itself


def climbing(trace: Trace) -> frozenset[int]:
    """The optimizers that go where the objective is higher, ``BY_HAND`` among them where the script moves the weights
    along the gradient itself.
    """
    found = {o.id for o in trace.optimizers if any(g.get("maximize") is True for g in o.groups)}
    along = [s.along for s in trace.steps if s.along is not None]
    if len(along) >= SEVERAL and median(along) > UPHILL:
        found.add(BY_HAND)
    return frozenset(found)


def turned(trace: Trace) -> Trace:
    """The trace with the negative of an objective that is climbed on purpose (a log-likelihood, a reward that the
    script computes itself): what is maximised is what others minimise with its sign turned.
    """
    uphill = climbing(trace)
    if not uphill or should_fall(trace):
        return trace

    def negated(step: Step) -> Step:
        if step.optimizer not in uphill:
            return step
        return step.model_copy(update={"losses": tuple(-v for v in step.losses)})

    return trace.model_copy(update={"steps": tuple(map(negated, trace.steps))})
