"""The held-back losses of a run, as measured in its evaluation passes or else as it printed them."""

from __future__ import annotations

import math
import re
from statistics import fmean
from typing import Any

from ..model import Trace
from .data import KNOWN, held_out_lift
from .measure import REGRESSION, loss_function, objective, plain_chance, tail
from .printed import DETERMINATION, EVALUATION, FITTING, SPLITS
from .wiring import mode_layers

EVALUATIONS, FORETOLD = 2, 0.95  # last held-out losses, and the share of the constant's that they stay below
LOSSES = ("loss", "mse", "rmse", "mae", "nll", "ce", "error", "err", "bpc", "perplexity", "ppl")
FALLING = re.compile(
    r"loss|nll|cost|err(or)?(?![a-z])|mse|mae|energy|risk|perplexity|ppl|entropy", re.IGNORECASE
)
FITTED_ALONE = ("train", "training", "fit", "tr")
# printed training losses that must be those that were recorded, of how many at least, to three digits of a mean over
# batches of unequal size
MOSTLY, TOLD, ALIKE = 0.8, 3, 0.05
PRINTED = 2e-3  # three digits
# what a script calls the values of these functions, beside "loss"
UNIT = {"mse_loss": ("mse",), "l1_loss": ("mae",), "cross_entropy": ("ce", "nll"), "nll_loss": ("ce", "nll")}


def validation_losses(trace: Trace) -> list[tuple[int, float]]:
    """``measured_losses``; where nothing was measured, the numbers that the script printed, in whatever unit."""
    return measured_losses(trace) or printed_losses(trace)


def measured_losses(trace: Trace) -> list[tuple[int, float]]:
    """(step, loss) per evaluation of samples that training was not shown, means over batches weighted by size. Where
    the script calls no loss function, the training loss on the targets that were found. Empty below two evaluations.
    """
    moded = bool(mode_layers(trace))
    rows = [r for r in trace.of("eval") if not moded or set(r["modes"]) == {"eval"}]
    # the first one after each step: a script may put other weights back and look again
    at_step: dict[int, float] = {}
    for row in rows:
        fresh = fresh_calls(row)
        if fresh:
            at_step.setdefault(row["i"], _mean(fresh))
    measured = [(i, v) for i, v in at_step.items() if math.isfinite(v)]
    return measured if len(measured) >= 2 else []


def generalised(trace: Trace) -> float | None:
    """How much better than a constant answer the model ended on held-out samples, 1 being perfect: by class scores,
    else by the loss where that of a constant is known; None when neither was measured.
    """
    by_class, level = held_out_lift(trace), plain_chance(trace)
    if by_class is not None or level is None or level <= 0:
        return by_class
    losses = measured_losses(trace) or printed_losses(trace, _names(trace))
    return 1 - losses[-1][1] / level if losses else None


def foretells(trace: Trace) -> bool:
    """Whether the last held-out losses lie below that of a constant answer, by more than its estimate may be off.
    Held-out amounts may vary less than those of training: where the training loss is not as low, that of held-out
    samples must have fallen.
    """
    level, losses = plain_chance(trace), [v for _, v in measured_losses(trace)]
    if level is None or len(losses) < EVALUATIONS or max(losses[-EVALUATIONS:]) >= FORETOLD * level:
        return False
    if loss_function(trace) not in REGRESSION:
        return True
    end = tail(objective(trace))
    return (end is not None and end < FORETOLD * level) or losses[-1] < FORETOLD * losses[0]


def fresh_calls(row: dict[str, Any]) -> list[tuple[float, int]]:
    """(loss, samples) of the calls on samples that are not the training ones."""
    if row["loss"]:
        counts = [n for n, _ in row.get("loss_of", ())] or [1] * len(row["loss"])
        seen = row.get("seen") or [None] * len(row["loss"])
        calls = list(zip(row["loss"], counts, seen, strict=False))
    else:
        calls = [(v, n, s) for v, n, s in row.get("own", ())]
    return [(v, n) for v, n, s in calls if s is None or s < KNOWN]


def _mean(calls: list[tuple[float, int]]) -> float:
    return float(sum(v * n for v, n in calls) / max(1, sum(n for _, n in calls)))


def _names(trace: Trace) -> tuple[str, ...]:
    """Names of printed numbers that are of the unit of the training loss."""
    return ("loss", *UNIT.get(loss_function(trace) or "", ()))


def printed_losses(trace: Trace, names: tuple[str, ...] = LOSSES) -> list[tuple[int, float]]:
    """(step, value) of the held-out loss that was printed most often, of those with one of the names; else of the
    numbers that are named by their split alone, where that of training is the training loss.
    """
    found: dict[str, list[tuple[int, float]]] = {}
    bare: dict[str, list[tuple[int, float]]] = {}
    told = ((r["i"], n, float(v)) for r in trace.of("print") for n, v in r["v"].items())
    for step, name, value in told:
        if not EVALUATION.search(name) or not math.isfinite(value):
            continue
        words = set(re.findall(r"[a-z]+", name.lower()))
        if words & set(names) or words <= SPLITS:
            (found if words & set(names) else bare).setdefault(name, []).append((step, value))
    if not found and bare and _training_is_told_so(trace):
        found = bare
    if len(found) > 1:  # "dev" is what some develop on, and others hold out
        found = {n: v for n, v in found.items() if not _of_training_steps(trace, v, PRINTED)} or found
    return max(found.values(), key=len, default=[])


def printed_unexplained(trace: Trace) -> list[tuple[int, float]]:
    """(step, share of the variance that is not explained) from the coefficient of determination that was printed most
    often and is not said to be of training; a name that speaks of held-out samples comes first.
    """
    found: dict[str, list[tuple[int, float]]] = {}
    for row in trace.of("print"):
        for name, value in row["v"].items():
            if DETERMINATION.search(name) and not FITTING.search(name) and float(value) <= 1:
                found.setdefault(name, []).append((row["i"], 1 - float(value)))
    named = {n: v for n, v in found.items() if EVALUATION.search(n)} or found
    return max(named.values(), key=len, default=[])


def should_fall(trace: Trace) -> bool:
    """Whether what backward gets is meant to fall: a function of torch's gave it, the line that hands it over calls it
    a loss, or the script prints its mean as one. A log-likelihood or a reward that a script computes itself rises.
    """
    handed = next((s.code for s in reversed(trace.sites) if s.what == "backward"), "")
    if loss_function(trace) is not None or FALLING.search(handed):
        return True
    printed: dict[str, list[tuple[int, float]]] = {}
    for row in trace.of("print"):
        for name, value in row["v"].items():
            if FALLING.search(name):
                printed.setdefault(name, []).append((row["i"], float(value)))
    return any(_of_training_steps(trace, told, ALIKE) for told in printed.values())


def _training_is_told_so(trace: Trace) -> bool:
    """Whether the number that is named ``train`` and nothing else is the mean of the training loss since the last time
    it was printed (or the loss of the last step), nearly always.
    """
    own = [
        (r["i"], v) for r in trace.of("print") for n, v in r["v"].items() if n.lower().strip() in FITTED_ALONE
    ]
    return _of_training_steps(trace, own, ALIKE)


def _of_training_steps(trace: Trace, own: list[tuple[int, float]], tolerance: float) -> bool:
    """Whether numbers are means of the training loss since the last one, or that of the last step, nearly always."""
    points, last, fits = objective(trace), 0, 0
    for step, value in own:
        since = [v for i, v in points if last < i <= step]
        means = [fmean(since), since[-1]] if since else []
        fits += any(math.isclose(value, m, rel_tol=tolerance) for m in means)
        last = step
    return len(own) >= TOLD and fits >= MOSTLY * len(own)
