"""# preprocess_mismatch: train and validation data are preprocessed differently

**What it is.** Scaling, channel order, orientation, column order, tokenisation or cropping differ between the two
sides, so the model is asked about inputs unlike any that it has learned from.

**Signal.** The recorded inputs of training and evaluation do not mix (nearest-neighbour two-sample test, with the
scale per feature beside it), while the model fits its training data and is far worse in evaluation (by class scores,
else by the loss), and while near evaluation inputs have related labels; where no label is known, only another scale
counts; where the loss is the script's own, another scale, or a place far outside. Sides wholly apart in a model that
is only somewhat worse in evaluation (of another scale: however well it answers) are *tested*, and so are sides apart
behind training inputs that are drawn anew. Or, in such a model, evaluation inputs with a mean of exactly zero in
every feature: they were standardised by themselves. Or evaluation inputs mix with training inputs only after columns
or colour channels are put in another order, images are turned or light and dark are exchanged; or its symbols come as
often as those of training do, but under other numbers, or say other things about the labels, and the same in both
halves of either side; or a category's levels foretell the labels as they do in training, but under other codes.

**Why it matters.** It reads like overfitting, and regularisation does not help.

**Remedy.** Build one preprocessing function, fit its statistics on the training set, store them with the model, and
call it from both loaders; leave only random augmentation out of evaluation.

**When it stays silent.** Evaluation as good as training (augmented training inputs, harmless shifts); plain
overfitting, where both sides mix, or where training holds near copies of a few inputs; models that go on from their
own answers; held-out domains, which no one can tell from a mistake when their scale agrees.

**Confirming intervention.** `align_evaluation`: evaluation inputs get the mean and deviation of training inputs, same
seed; evaluation must end clearly better. `reorder_evaluation` puts columns or channels back in order,
or the numbers of tokens, or the codes of categories, or mirrors all values.

**References.** Schilling (1986) and Henze (1988), nearest-neighbour two-sample tests; Breck et al., "Data validation
for machine learning" (2019), training-serving skew.
"""

from __future__ import annotations

import math
from collections import Counter
from statistics import median
from typing import Any

from ..model import Evidence, Finding, Site, Trace
from ..traces.data import (
    FEW,
    Neighbourhood,
    Point,
    apart,
    denser,
    inputs,
    neighbourhood,
    scales,
)
from ..traces.exchanged import Exchange, exchange, feeds_itself, other_colours
from ..traces.measure import accuracy_curve, acts, chance_accuracy, tail
from ..traces.progress import fitted
from ..traces.recoded import Recoded, recoded
from ..traces.repeated import fresh_inputs
from ..traces.validation import generalised
from ..traces.vocabularies import other_vocabulary
from ..traces.wiring import calls_per_loss, normalised_inside
from ._numbered_otherwise import numbered_otherwise
from .base import TENTATIVE, Rule, at, found, rounded, site_by_id

RULE = Rule(
    fault="preprocess_mismatch",
    severity="critical",
    sheet="data-augmentation-strategies#train-and-eval-preprocessing",
    summary="Compare scale and neighbours of the inputs that the model is shown on both sides.",
    remedy="Use one preprocessing function with the training set's statistics for both sides.",
    symptom="overfitting",
    structural=True,
    interventions=({"name": "align_evaluation"},),
    needs=("evaluation",),
    contraindications=(
        "Do not regularise against this gap: the inputs differ, the model has not overfitted.",
    ),
)

APART = 0.3  # two-sample statistic: 0 mixed, 1 apart; a training set and its own held-out part are below 0.1
WHOLLY = 0.9  # no neighbour but of its own side: with some harm, worth a test
FITTED = 0.4  # share of the way to a perfect fit of the training data
SCALED = 2.0  # ratio of the spreads that is no accident of the split
HARMED = 0.85  # with such a ratio, held-out lift relative to the fit below which it has done harm
LOST = 0.6  # held-out lift relative to that fit; healthy digits and wine keep 0.9
EXACT = 2e-3  # a mean of 0 in four digits; 1/sqrt(1000) is 0.03
# times that evaluation inputs lie further from each other than training inputs of the same spread: those are copies of
# a few, and what is not a copy lies apart whatever was done to it; other preprocessing changes both alike
COPIES = 3.0
FAR = 3.0  # the same ratio without any sign of harm; sizes of real splits stay within a few per cent
ELSEWHERE = 5.0  # standard deviations; Chebyshev (1867): at most 4 % of any distribution lie so far out
# the same, median over features: augmentation moves values both ways, and their means less; then worth a test
OFF = 0.5
SEVERAL = 3  # features that must all agree
# total variation of the class shares; two draws of 320 from ten classes: at most 0.18 in 300 tries
SHIFTED = 0.25
SOME = 0.25  # lift of evaluation's own neighbours: its labels must be related to its inputs


def check(trace: Trace) -> Finding | None:
    fit, lift = _fit(trace), generalised(trace)
    own = _own_statistics(trace, fit, lift)
    if own is not None:
        return own
    swapped = exchange(trace) if None in (fit, lift) or lift < HARMED * fit else None  # type: ignore[operator]
    if swapped is not None and (swapped.sure or None not in (fit, lift)):
        return _exchanged(trace, swapped, fit, lift)
    failed = False
    if fit is not None and lift is not None and fit > FITTED and lift < LOST * fit:
        failed, told = True, numbered_otherwise(trace, f"{rounded(fit)}, {rounded(lift)}", LOST)
        if told is not None:
            return found(RULE, told.confidence, told.why, *told.evidence, where=at(_site(trace)))
    unlike = _unlike(trace, fit, lift)
    coloured = other_colours(trace) if unlike is None and failed else None
    return unlike if coloured is None else _exchanged(trace, coloured, fit, lift, TENTATIVE)


def _unlike(trace: Trace, fit: float | None, lift: float | None) -> Finding | None:
    """Evaluation inputs that do not mix with training inputs, in a model that fails on them."""
    if _several_calls(trace) or feeds_itself(trace) or acts(trace):
        return None  # episodes go where the policy of the day leads
    sides = inputs(trace, training=True), inputs(trace, training=False)
    if min(map(len, sides)) < FEW or len(sides[0][0]) != len(sides[1][0]) or not _of_one_kind(trace):
        return None  # inputs of another shape are not comparable
    near = neighbourhood(trace)
    distance, ratio = _distance(near, sides), _ratio(*sides)
    if fit is None or lift is None:
        return _other_scale(trace, distance, ratio, _shift(*sides))
    if fit < FITTED:
        return None
    scaled = max(ratio, 1 / ratio if ratio > 0 else math.inf) > SCALED
    wholly = distance >= WHOLLY and _related(near)
    limit = HARMED if scaled or wholly else LOST
    # answers that are right all the same may be unsure: worth a test
    mere = scaled and wholly and lift > limit * fit
    if distance < APART or not (mere or lift <= limit * fit):
        return None
    if not (_related(near) or (scaled and _unknown(near))):
        return None
    fresh = not scaled and fresh_inputs(trace)
    if (fresh and _shift(*sides) < OFF) or (not scaled and denser(*sides) > COPIES):
        return None
    sure = not fresh and not mere and (scaled or lift <= LOST * fit)
    return found(
        RULE,
        0.85 if sure else TENTATIVE,
        "Evaluation inputs are of another scale than all training inputs." if mere else
        "Evaluation inputs are unlike all training inputs, and the model fails on them only.",
        Evidence(quantity="distance of the two sides (0 mixed, 1 apart)", value=rounded(distance), threshold=APART),
        Evidence(quantity="spread of evaluation features relative to training, median", value=rounded(ratio)),
        Evidence(quantity="fit of training, of evaluation (0 chance, 1 perfect)",
                 value=f"{rounded(fit)}, {rounded(lift)}", threshold=limit),
        where=at(_site(trace)),
    )  # fmt: skip


def _distance(near: Neighbourhood, sides: tuple[tuple[Point, ...], tuple[Point, ...]]) -> float:
    """How far the sides lie apart; where their classes come in other shares, by as many of each class from both: that
    a class is rare in training only is no other preprocessing. 0 where too few are left.
    """
    if not _other_shares(near):
        return near.apart if near.apart is not None else apart(*sides)
    pairs = [_of_class(near, label) for label in sorted(set(near.train.y) & set(near.evaluation.y))]
    train, evaluation = ([x for pair in pairs for x in pair[side]] for side in (0, 1))
    return apart(tuple(train), tuple(evaluation)) if len(train) >= FEW else 0.0


def _other_shares(near: Neighbourhood) -> bool:
    """Whether the classes of the two sides come in clearly other shares (total variation)."""
    if near.apart is None or not (near.train.classes and near.evaluation.classes):
        return False
    shares = [Counter(side.y) for side in (near.train, near.evaluation)]
    labels = {label for counts in shares for label in counts}
    parts = [{label: c[label] / c.total() for label in labels} for c in shares]
    return sum(abs(parts[0][label] - parts[1][label]) for label in labels) / 2 > SHIFTED


def _of_class(near: Neighbourhood, label: float) -> tuple[list[Point], list[Point]]:
    """As many inputs of a class from training as from evaluation."""
    found = [
        [x for x, y in zip(side.x, side.y, strict=True) if y == label]
        for side in (near.train, near.evaluation)
    ]
    few = min(map(len, found))
    return found[0][:few], found[1][:few]


def _of_one_kind(trace: Trace) -> bool:
    """Whether samples of evaluation have as many axes as those of training: features of an encoder are no pictures."""
    axes = [
        {sum(n != 1 for n in r["shape"]) for r in trace.of("sample") if r["grad"] is side}
        for side in (True, False)
    ]
    return bool(axes[0] & axes[1])


def interventions(trace: Trace) -> tuple[dict[str, Any], ...]:
    """The order of training for evaluation, where that is what differs; else its mean and deviation."""
    swapped = exchange(trace)
    if swapped is None and recoded(trace):
        return ({"name": "reorder_evaluation", "codes": [_pairs(column) for column in recoded(trace)]},)
    words = other_vocabulary(trace) if swapped is None else None
    if words is not None:
        return ({"name": "reorder_evaluation", "symbols": [list(p) for p in words.stands_for.items()]},)
    if swapped is None:
        coloured = other_colours(trace)
        return (*RULE.interventions, *(_in_order(coloured) if coloured else ()))
    if swapped.around is not None:
        return ({"name": "reorder_evaluation", "around": swapped.around},)
    return ({"name": "reorder_evaluation", "shift": swapped.shift},) if swapped.shift else _in_order(swapped)


def _in_order(swapped: Exchange) -> tuple[dict[str, Any], ...]:
    return ({"name": "reorder_evaluation", "order": list(swapped.order)},) if swapped.order else ()


def _exchanged(
    trace: Trace, swapped: Exchange, fit: float | None, lift: float | None, confidence: float = 0.9
) -> Finding:
    verb = "are" if confidence > TENTATIVE else "may be"
    shown = " and ".join("unknown" if value is None else str(rounded(value)) for value in (fit, lift))
    return found(
        RULE,
        confidence,
        f"Put in another order, evaluation inputs {verb} like training inputs: {swapped.what}.",
        Evidence(quantity=f"{swapped.measure}, as they are", value=rounded(swapped.before)),
        Evidence(quantity="the same in the other order", value=rounded(swapped.after)),
        Evidence(quantity="fit of training and of evaluation (0 chance, 1 perfect)", value=shown),
        where=at(_site(trace)),
    )  # fmt: skip


def _pairs(column: Recoded) -> dict[str, Any]:
    return {"column": column.column, "pairs": [[a, b] for a, b in column.codes.items() if a != b]}


def _several_calls(trace: Trace) -> bool:
    """Whether one loss takes several calls of the model (the parts of a domain, the sides of a pair): what was kept is
    one of them, and evaluation may ask for another.
    """
    return calls_per_loss(trace) > 1


def _other_scale(trace: Trace, distance: float, ratio: float, shift: float) -> Finding | None:
    """Where no fit is known (a loss of the script's own): inputs of quite another scale, or far outside, which no split
    explains.
    """
    if distance < APART or (1 / FAR < ratio < FAR and shift < ELSEWHERE) or normalised_inside(trace):
        return None
    return found(
        RULE,
        0.7,
        "Evaluation inputs have another scale than all training inputs."
        if not 1 / FAR < ratio < FAR
        else "Evaluation inputs lie elsewhere than all training inputs.",
        Evidence(quantity="spread of evaluation features relative to training, median", value=rounded(ratio),
                 threshold=FAR),
        Evidence(quantity="shift of evaluation features in standard deviations of training, median",
                 value=rounded(shift), threshold=ELSEWHERE),
        Evidence(quantity="distance of the two sides (0 mixed, 1 apart)", value=rounded(distance), threshold=APART),
        where=at(_site(trace)),
    )  # fmt: skip


def _fit(trace: Trace) -> float | None:
    base, accuracy = chance_accuracy(trace), tail(accuracy_curve(trace))
    if base is None or accuracy is None or base >= 1:
        return fitted(trace)
    return (accuracy - base) / (1 - base)


def _own_statistics(trace: Trace, fit: float | None, lift: float | None) -> Finding | None:
    """Held-out inputs with a mean of exactly zero in every feature, in a model that fails on them: they were
    standardised by themselves, not with the training set's numbers. A set of n samples that was standardised with
    other numbers has feature means of about 1/sqrt(n).
    """
    rows = [r["centred"] for r in trace.of("eval") if r.get("centred")]
    if not rows or fit is None or lift is None or fit < FITTED or lift > LOST * fit:
        return None
    last = rows[-1]
    alike = last["n"] >= FEW and last["features"] >= SEVERAL and abs(last["alone"]) > EXACT
    if not alike or last["off"] > EXACT * min(1.0, (1000 / last["n"]) ** 0.5):
        return None
    return found(
        RULE,
        0.85,
        "Evaluation inputs were standardised with their own mean, not with that of the training set.",
        Evidence(quantity=f"largest mean of the {last['features']} features over {last['n']} evaluation inputs",
                 value=rounded(last["off"]), threshold=EXACT),
        Evidence(quantity="fit of training, of evaluation (0 chance, 1 perfect)",
                 value=f"{rounded(fit)}, {rounded(lift)}", threshold=LOST),
        where=at(_site(trace)),
    )  # fmt: skip


def _unknown(near: Neighbourhood) -> bool:
    """Whether nothing holds the labels of evaluation against its inputs: it has none of one number each, or near inputs
    say nothing about labels in training either.
    """
    inner = near.within_train
    return near.within_evaluation is None or (inner is not None and inner.lift < SOME)


def _related(near: Neighbourhood) -> bool:
    return near.within_evaluation is not None and near.within_evaluation.lift > SOME


def _ratio(train: tuple[Point, ...], evaluation: tuple[Point, ...]) -> float:
    """Median over features of the evaluation's standard deviation relative to training's."""
    if len(train[0]) != len(evaluation[0]):
        return 1.0
    pairs = zip(scales(evaluation), scales(train), strict=True)
    ratios = [e / t for (_, e), (_, t) in pairs if e < math.inf and t < math.inf]
    return median(ratios) if ratios else 1.0


def _shift(train: tuple[Point, ...], evaluation: tuple[Point, ...]) -> float:
    """Median over features of the distance of the means in standard deviations of training; 0 below SEVERAL features,
    where one trend may explain it.
    """
    pairs = zip(scales(train), scales(evaluation), strict=True)
    shifts = [abs(e - t) / spread for (t, spread), (e, _) in pairs if 0 < spread < math.inf]
    return median(shifts) if len(shifts) >= SEVERAL else 0.0


def _site(trace: Trace) -> Site | None:
    """The loader that evaluates."""
    loaders = {r["loader"] for r in trace.of("scored")}
    row = next((r for r in trace.of("loader") if r["id"] in loaders), None)
    return site_by_id(trace, row["site"]) if row else trace.site("evaluation")
