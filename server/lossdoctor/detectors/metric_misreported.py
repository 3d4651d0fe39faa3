"""# metric_misreported: the reported metric is computed wrongly, training itself is fine

**What it is.** The evaluation counts only its last batch, divides by the wrong number, keeps its sums from one
evaluation to the next, runs over the training data under the name of validation, or adds up a loss that is left over
from training.

**Signal.** The number that the script prints for an evaluation, against the same quantity recomputed from every batch
of that evaluation. A fault is told only when the printed numbers agree with one particular wrong formula and not with
the right ones (mean over samples, mean over batches, percent, counts; of overlap scores also mean over classes), when
they are the loss of the training batch just before at every one of at least three evaluations, when over four and more
evaluations they keep one factor to the right ones while those change (a little is enough where it holds to the last
digit), or when every printed accuracy is that of a guess while the model's own answers are right far more often in at
least three; or when a printed ranking measure is that of chance and answers and labels came from different passes over
a loader that shuffles.

**Why it matters.** Decisions rest on it: early stopping, model selection, "it does not learn".

**Remedy.** Sum correct answers and samples over all batches of the evaluation split, divide once, start from zero.

**When it stays silent.** Numbers that agree with any usual definition; metrics that are not accuracy, loss or overlap
(IoU, Dice, F1, precision, recall); lines about training; an evaluation of one batch; several splits measured in one go.

**Confirming intervention.** None is needed: the recomputed number is the proof.

**References.** Google, "Deep learning tuning playbook" (2023), evaluation chapters; scikit-learn documentation,
`accuracy_score` (the definition recomputed here).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from statistics import fmean
from typing import Any

from ..model import Evidence, Finding, Trace, Where
from ..traces.data import KNOWN, training_loaders
from ..traces.measure import chance_accuracy
from ..traces.overlaps import misprinted
from ..traces.printed import EVALUATION, TRAINING, Pass, accuracy_passes, loss_passes, series
from .base import Missing, Rule, at, found, rounded

RULE = Rule(
    fault="metric_misreported",
    severity="warning",
    sheet="experiment-tracking#trustworthy-metrics",
    summary="Recompute the metric from all samples of the right split, summed once and divided once.",
    remedy="Sum right answers and samples over all batches of the evaluation split, and divide once at the end.",
    symptom="experiment_tracking",
    structural=True,
    contraindications=("Do not change the training to repair a number that is computed wrongly.",),
)

ROUNDING = 0.006  # two printed digits, half of the last one, and a little for the order of summation
RELATIVE = 0.006
SHARE = 0.8  # of the evaluations must agree with the wrong formula
ENOUGH = 4  # evaluations that must keep the same factor
CHANGED = 1.1  # by which the right numbers must change meanwhile
# times the largest deviation, by which they may change as well: rounding leaves 1 % of such a change
CLOSELY = 20
LEAST, MOST_OFF, LEAST_PERCENT = 0.1, 1.6, 10.0
OFF = 0.03  # a factor nearer to 1 (or to per cent) is rounding or the mean of batch means
CLEARLY = 3.0  # times the tolerance by which the wrong formula must differ from the right one

# above the share of the commonest class: 80 answers of ten classes by chance stay within 0.1 of it (three standard
# errors), of two within 0.17; a count, a balanced or an averaged accuracy of such a model lies far above
NEAR_CHANCE, FAR_ABOVE, FEW = 0.13, 0.4, 3

OF_PAIRS = re.compile(r"(?<![a-z])(au(ro)?c|c.?index|concordance)(?![a-z])", re.IGNORECASE)
BY_CHANCE = 0.08  # distance from 0.5: three standard errors of 120 answers

Formula = Callable[[Pass], Iterable[float]]
WRONG: tuple[tuple[str, Formula], ...] = (
    ("of the last batch only", lambda p: (p.values[-1], p.values[-1] * p.counts[-1],
                                          p.values[-1] * p.counts[-1] / p.samples)),
    ("of the first batch only", lambda p: (p.values[0],)),
    ("a sum of batch means divided by the number of samples", lambda p: (sum(p.values) / p.samples,)),
    ("a sum over samples divided by the number of batches", lambda p: (p.total / len(p.values),)),
    ("a sum over samples divided by the number of batches times the size of the first",
     lambda p: (p.total / (len(p.values) * p.counts[0]),)),
    ("a sum over samples divided by the length of a dataset of which only a part is evaluated",
     lambda p: (p.total / p.whole,) if p.whole > p.samples else ()),
    ("a sum over the positions that count divided by the number of all, padding included",
     lambda p: (p.total / p.positions,) if p.positions > p.samples else ()),
)  # fmt: skip


def check(trace: Trace) -> Finding | Missing | None:
    accuracies, losses = accuracy_passes(trace), loss_passes(trace)
    other = _wrong_split(trace) or _stale(trace) or _walked_apart(trace) or _overlap(trace)
    if other is not None:
        return other
    if not accuracies and not losses:
        return Missing("an evaluation of several batches whose accuracy or loss is printed")
    return _judged(trace, "accuracy", accuracies) or _judged(trace, "loss", losses)


def _judged(trace: Trace, what: str, passes: list[Pass]) -> Finding | None:
    if len(passes) < 2:
        return None
    for name, formula in (*WRONG, ("summed up since the first evaluation", _cumulative(passes))):
        fits = [p for p in passes if not _right(p) and _matches(p, formula(p))]
        if len(fits) >= SHARE * len(passes):
            return _finding(trace, what, name, fits)
    if what != "accuracy":
        return None  # losses are printed in many units
    guessed = _guessed(trace, passes)
    if guessed:
        return _finding(trace, what, "no better than a guess, and fits no usual formula", guessed)
    factor = _factor(passes)
    if factor is None:
        return None
    return _finding(trace, what, f"always {rounded(factor)} times the right one", passes)


def _guessed(trace: Trace, passes: list[Pass]) -> list[Pass]:
    """The evaluations in which the model's own answers are right far more often than a constant one, where there are
    ``FEW`` and all that was printed is about the share of a constant answer: the answers are not of these labels.
    """
    base = chance_accuracy(trace)
    if base is None or any(p.printed > (100 if p.printed > 1 else 1) * (base + NEAR_CHANCE) for p in passes):
        return []
    far = [p for p in passes if p.mean > base + FAR_ABOVE]
    return far if len(far) >= FEW else []


def _factor(passes: list[Pass]) -> float | None:
    """The constant between the printed and the right numbers, if they keep one while they change: a wrong denominator
    or numerator, whichever.
    """
    means = [p.mean for p in passes]
    if any(_right(p) for p in passes) or len(passes) < ENOUGH or min(means) <= 0:
        return None
    ratios = [p.printed / p.mean for p in passes]
    middle = sorted(ratios)[len(ratios) // 2]
    off = max(abs(p.printed - middle * p.mean) for p in passes)
    changed = max(means) >= CHANGED * min(means)
    followed = len(set(means)) >= ENOUGH and middle * (max(means) - min(means)) > CLOSELY * off
    steady = all(abs(p.printed - middle * p.mean) <= _tolerance(p.printed) for p in passes)
    plain = any(abs(middle - one) < OFF * one for one in (1.0, 100.0))
    share = (
        middle if middle < LEAST_PERCENT else middle / 100
    )  # a factor of hundreds is a count that is printed
    return middle if steady and (changed or followed) and not plain and LEAST < share < MOST_OFF else None


def _right(one: Pass) -> bool:
    means = (one.mean, sum(one.values) / len(one.values))
    return _matches(one, (*means, one.total, sum(one.values)), clearly=False)


def _matches(one: Pass, values: Iterable[float], clearly: bool = True) -> bool:
    scaled = [(v, v) for v in values] + [(100 * v, v) for v in values]
    near = [v for shown, v in scaled if abs(shown - one.printed) <= _tolerance(one.printed)]
    return any(not clearly or abs(v - one.mean) > CLEARLY * _tolerance(v) for v in near)


def _tolerance(value: float) -> float:
    """Rounding of the printed number: its last digit for small ones, a share of it for large ones."""
    return min(ROUNDING, RELATIVE * abs(value) + 6e-5) if abs(value) <= 1 else max(0.06, 1e-4 * abs(value))


def _cumulative(passes: list[Pass]) -> Formula:
    def formula(one: Pass) -> list[float]:
        until = [p for p in passes if p.step <= one.step]
        if len(until) < 2:
            return []
        total = sum(p.total for p in until)
        return [total / sum(p.samples for p in until), total / one.samples, total]

    return formula


def _finding(trace: Trace, what: str, name: str, fits: list[Pass]) -> Finding:
    last = fits[-1]
    return found(
        RULE,
        0.9,
        f"The printed {what} is {name}: {rounded(last.printed)} where all batches give {rounded(last.mean)}.",
        Evidence(quantity=f"{what} as printed", value=rounded(last.printed), step=last.step, where=last.line[:80]),
        Evidence(quantity=f"{what} recomputed from {last.samples} samples in {len(last.values)} batches",
                 value=rounded(last.mean)),
        Evidence(quantity="evaluations whose printed number fits this formula", value=len(fits)),
        where=_where(trace),
    )  # fmt: skip


def _overlap(trace: Trace) -> Finding | None:
    """A printed overlap score that one wrong sum gives."""
    seen = misprinted(trace)
    if seen is None:
        return None
    last = seen.fits[-1]
    return found(
        RULE,
        0.9,
        f"The printed {seen.name[:40]} is {seen.formula}: {rounded(last.printed)} where its evaluation gives"
        f" {rounded(last.right)}.",
        Evidence(quantity=f"{seen.name[:40]} as printed", value=rounded(last.printed), step=last.step,
                 where=last.line[:80]),
        Evidence(quantity="the same of all answers of this evaluation", value=rounded(last.right)),
        Evidence(quantity="evaluations whose printed number fits this formula", value=len(seen.fits)),
        where=_where(trace),
    )  # fmt: skip


def _where(trace: Trace) -> Where:
    """The line that computes a metric, else the one that evaluates."""
    return at(trace.site("metric") or trace.site("evaluation_call") or trace.site("evaluation"))


def _stale(trace: Trace) -> Finding | None:
    """What is printed as held out is, at every evaluation, the loss of the training batch just before it."""
    trained = {s.i: {*s.losses[-1:], *s.loss_values[-1:]} for s in trace.steps}
    terms = {s.i: len(s.loss_values) for s in trace.steps}  # whose sum may be printed
    held = {r["i"]: r["loss"] for r in trace.of("eval") if r["loss"] and r["i"] in trained}
    printed = [p for p in trace.of("print") if p["i"] in held]
    names = {n for p in printed for n in p["v"] if _validation(n)}
    for name in sorted(names):
        told = [(p, float(p["v"][name])) for p in printed if name in p["v"]]
        fits = [
            (row, value, fmean(held[row["i"]]))
            for row, value in told
            if any(abs(value - loss) <= _tolerance(value) for loss in trained[row["i"]])
        ]
        # of several losses of one call each may be printed
        own = {
            i: (*(losses if len(losses) < FEW else ()), fmean(losses), terms[i] * fmean(losses))
            for i, losses in held.items()
        }
        off = [f for f in fits if all(abs(f[1] - v) > CLEARLY * _tolerance(f[1]) for v in own[f[0]["i"]])]
        if len(fits) >= max(FEW, SHARE * len(told)) and len(off) >= SHARE * len(fits):
            return _left_over(trace, name, *fits[-1], len(fits))
    return None


def _left_over(
    trace: Trace, name: str, row: dict[str, Any], printed: float, right: float, count: int
) -> Finding:
    return found(
        RULE,
        0.9,
        "What is printed as held out is the loss of the last training batch: a variable that is left over.",
        Evidence(
            quantity=f"printed as {name[:40]!r}",
            value=rounded(printed),
            step=row["i"],
            where=row["line"][:80],
        ),
        Evidence(quantity="loss of the evaluation itself, mean over its batches", value=rounded(right)),
        Evidence(quantity="evaluations whose printed number is that training loss", value=count),
        where=_where(trace),
    )


def _wrong_split(trace: Trace) -> Finding | None:
    """Every evaluation goes over the loader that training uses, and is printed as validation or test."""
    trained = {r["loader"] for r in trace.of("forward") if r["grad"] and r.get("loader") is not None}
    rows = [r for r in trace.of("eval") if r.get("loss_of") or r.get("acc_of")]
    used = [{m for _, m in r.get("loss_of", [])} | set(r.get("acc_of", [])) for r in rows]
    named = next((p for p in trace.of("print") if any(_validation(n) for n in p["v"])), None)
    if any(s is not None and s < KNOWN for r in rows for s in r.get("seen") or ()):
        return None  # the samples themselves were not trained on
    if len(rows) < 2 or not trained or named is None or any(not u or not u <= trained for u in used):
        return None
    if len({r["i"] for r in rows}) > len(trace.steps) / 2:  # part of each step: the answers of a teacher
        return None
    return found(
        RULE,
        0.9,
        "What is printed as validation is measured on the training data: both use the same DataLoader.",
        Evidence(quantity="evaluations over the training loader", value=len(rows), threshold=0),
        Evidence(quantity="printed as", value=named["line"][:80], step=named["i"]),
        where=at(trace.site("evaluation_call") or trace.site("evaluation")),
    )


def _walked_apart(trace: Trace) -> Finding | None:
    """Answers and labels of one evaluation come from several passes over a loader that shuffles, so that they do not
    belong together: the printed ranking measure is that of chance at every evaluation.
    """
    used = training_loaders(trace)
    orders: dict[tuple[int, int], set[int]] = {}
    for row in trace.of("order"):
        if row["loader"] not in used:
            orders.setdefault((row["i"], row["loader"]), set()).add(row["print"])
    answered: dict[tuple[int, int], set[int]] = {}
    for row in trace.of("ids"):
        if not row["grad"]:
            answered.setdefault((row["i"] - 1, row["loader"]), set()).add(row["epoch"])
    apart = [key for key, prints in orders.items() if len(prints) > 1 and len(answered.get(key, ())) == 1]
    told = {n: v for n, v in series(trace).items() if OF_PAIRS.search(n) and len(v) >= FEW}
    name = next((n for n, v in told.items() if all(abs(x - 0.5) < BY_CHANCE for x in v)), None)
    if not apart or name is None:
        return None
    step, loader = apart[0]
    return found(
        RULE,
        0.8,
        "Answers and labels come from different passes over a loader that shuffles: they do not belong together.",
        Evidence(quantity="passes over the loader in one evaluation, each in another order",
                 value=len(orders[step, loader]), step=step),
        Evidence(quantity="of these, passes that the model was asked in", value=1),
        Evidence(quantity=f"printed {name[:40]}, the last ones (0.5: chance)",
                 value=", ".join(str(rounded(v)) for v in told[name][-4:])),
        where=_where(trace),
    )  # fmt: skip


def _validation(name: str) -> bool:
    return bool(EVALUATION.search(name)) and not TRAINING.search(name)
