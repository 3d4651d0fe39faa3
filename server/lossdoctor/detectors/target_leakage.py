"""# target_leakage: the model can read the answer during training

**What it is.** The input holds the target: a column that repeats it, an attention that sees the next token, a
bidirectional layer in a next-token model, targets that are not shifted against the input.

**Signal.** Asked after the run: do the outputs before the last position change when only the last input does, in a
model whose targets are the next inputs? For tables: a column that determines the target by itself, or that tells the
classes apart in training and no longer in evaluation, or that has one value in nearly all samples of one class and in
hardly any of the other, beside columns that tell much less. For forecasts of several numbers: every one of them is,
up to a factor and a shift, among the numbers of one input, in each of the batches that are looked at. For masked
symbols: nearly all that the loss asks for stand unmasked in the input, in each of the batches.

**Why it matters.** The training loss is wonderful and worth nothing: at prediction time the answer is not there.

**Remedy.** Mask the future (causal mask, one direction), shift the targets by one, drop columns that are made from
the target or known only afterwards.

**When it stays silent.** Models that may see the whole sequence (classification, masked tokens, reconstruction);
answers fed back one step later (teacher forcing); one or two input features; features that are merely strong, in
evaluation too, unless one value marks a class.

**Confirming intervention.** For a column `without_feature`: with it zeroed the same run must end clearly worse. For
sequences the question that is asked after the run is one: the last input alone is changed. None for forecasts.

**References.** Vaswani et al., "Attention is all you need" (2017), 3.2.3 (masking); Kaufman et al., "Leakage in data
mining" (2012).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from ..model import Evidence, Finding, Trace
from ..traces.data import FEW, Sampled, held, samples
from ..traces.measure import first_nonfinite, loss_function, plain_chance
from ..traces.progress import fitted
from ..traces.validation import generalised
from ..traces.wiring import calls_per_loss
from ._evidence import data_site, loss_span
from .base import Rule, at, found, number, proven, rounded

RULE = Rule(
    fault="target_leakage",
    severity="critical",
    sheet="loss-functions-and-objectives#target-leakage",
    summary="Nothing in the input may hold the answer that is asked for.",
    remedy="Mask the future (causal mask, one direction), or drop the input column that holds the target.",
    symptom="overfitting",
    structural=True,
    cures=False,
    contraindications=("A very low training loss is no success here: do not stop early because of it.",),
)

NEXT = 0.9  # share of targets that are the next input
SEEN = 1e-3  # change in standard deviations of the outputs; a causal model leaves exactly 0, or rounding
COPY = 0.999  # correlation; measured features of real data stay below 0.99
ROWS = 60  # samples below which a perfect column may be chance
APART = (
    0.98  # area under the ROC curve of one column alone; the best single feature of clinical tables has 0.97
)
MIXED = 0.85  # the same column on held-out samples
LOST = (
    0.6  # what is left on held-out samples of the fit of the training data, below which the column has misled
)
# Of each class, that a mark has (or lacks); the tables of scikit-learn have no column like that.
MARKED = 0.9
WEAKER = 0.9  # area of the next best column: where several tell the classes apart the task is an easy one
OF_EACH = 12  # samples of each class: with four, the best of a hundred columns tells them apart by chance
ECHOES = 4  # batches that must agree
# of the asked symbols: masking keeps a tenth of them on purpose (Devlin et al., 2019); at most half are asked for
SHOWN, PICKED = 0.95, 0.5
COLUMNS = 3  # a one- or two-column task may be a function of one column by right


def check(trace: Trace) -> Finding | None:
    for probe in trace.of("probe"):
        if probe["what"] == "future" and probe.get("shifted") is not None:
            future, copied = probe["change"] > SEEN, (probe.get("same") or 0.0) > NEXT
            if probe["shifted"] > NEXT and future:
                seen = "The model predicts the next input, and its outputs see it already."
                proof = "after the run the last input alone was changed: outputs before it moved by"
                moved = f"{number(probe['change'])} standard deviations (a causal model: 0)"
                return proven(_sequence(trace, probe, seen), f"{proof} {moved}")
            if copied and not future and probe["shifted"] < NEXT:
                why = "The targets are the inputs themselves, not shifted: the model only has to copy."
                return _sequence(trace, probe, why)
    return _column(trace) or _telltale(trace) or _filled(trace) or _echoed(trace) or _unmasked(trace)


def interventions(trace: Trace) -> tuple[dict[str, Any], ...]:
    """Without the columns that hold the answers."""
    found = _copying(trace) or _misleading(trace) or _filled_in(trace)
    if found is not None:
        return ({"name": "without_feature", "columns": [found.column]},)
    if _echoed(trace) is not None:
        row = trace.of("echo")[0]
        return (
            {"name": "without_feature", "columns": sorted(set(row["columns"])), "argument": row["input"]},
        )
    return ()


@dataclass(frozen=True)
class Column:
    """An input column, how well it foretells the target, and what that is held against (another column, or the same on
    held-out samples).
    """

    column: int
    score: float
    other: float
    samples: int


def _sequence(trace: Trace, probe: dict[str, Any], why: str) -> Finding:
    return found(
        RULE,
        0.97,
        why,
        Evidence(quantity="change of earlier outputs when only the last input changes, in standard deviations",
                 value=rounded(probe["change"]), threshold=SEEN),
        Evidence(quantity="share of targets that are the next input", value=probe["shifted"], threshold=NEXT),
        Evidence(quantity="share of targets that are the input itself", value=probe.get("same") or 0.0),
        loss_span(trace),
        where=at(trace.site("attention") or trace.site("rnn") or trace.site("loss") or trace.site("backward")),
    )  # fmt: skip


def _copying(trace: Trace) -> Column | None:
    """A feature that is the target, up to a shift and a factor. A model that answers with its loss gets it by right,
    and so may one of several calls for one loss: what one term asks for may tell another.
    """
    answers = [r["out"][0]["shape"] for r in trace.of("forward") if r["grad"] and r.get("out")]
    if (answers and not any(answers)) or calls_per_loss(trace) > 1:
        return None
    rows = [r for r in trace.of("sample") if r["grad"] and "y" in r and not r["int"] and len(r["shape"]) == 1]
    x = [row for r in rows for row in r["x"]]
    targets = [v for r in rows for v in r["y"]]
    if any(isinstance(v, list) and len(v) != 1 for v in targets):
        return None  # several targets: a reconstruction may hold its input by right
    y = [_number(v) for v in targets]
    if len(x) < ROWS or len(x) != len(y) or len(x[0]) < COLUMNS or loss_function(trace) is None:
        return None
    if any(len(row) != len(x[0]) for row in x):
        return None  # several models with inputs of their own
    scored = [(abs(correlation([row[k] for row in x], y)), k) for k in range(len(x[0]))]
    best, column = max(scored)
    if best < COPY or sum(s >= COPY for s, _ in scored) > len(scored) / 2:
        return None
    return Column(column, best, sorted(scored)[-2][0], len(x))


def _column(trace: Trace) -> Finding | None:
    copying = _copying(trace)
    if copying is None:
        return None
    return found(
        RULE,
        0.85,
        f"Input column {copying.column} is the target itself, up to a factor and a shift.",
        Evidence(
            quantity=f"correlation of input column {copying.column} with the target",
            value=rounded(copying.score, 4),
            threshold=COPY,
        ),
        Evidence(quantity="next column", value=rounded(copying.other, 4)),
        Evidence(quantity="samples looked at", value=copying.samples),
        loss_span(trace),
        where=at(data_site(trace) or trace.site("loss")),
    )


def _two_classes(trace: Trace) -> tuple[Sampled, Sampled] | None:
    """Training and held-out samples with two classes and the same columns, enough of each; None otherwise."""
    train, held_out = samples(trace, training=True), samples(trace, training=False)
    if min(len(train), len(held_out)) < FEW or set(train.y) != {0.0, 1.0} or len(train.x[0]) < COLUMNS:
        return None
    if len(held_out.x[0]) != len(train.x[0]) or min(_rarer(train.y), _rarer(held_out.y)) < OF_EACH:
        return None
    return train, held_out


def _alone(side: Sampled) -> list[float]:
    """How well each column tells the two classes apart by itself."""
    return [separation([x[k] for x in side.x], side.y) for k in range(len(side.x[0]))]


def _misleading(trace: Trace) -> Column | None:
    """A column that tells the two classes apart by itself in training and not in evaluation: it was filled in with the
    answer at hand.
    """
    sides = _two_classes(trace)
    if sides is None:
        return None
    train, held_out = sides
    alone = _alone(train)
    best = max(range(len(alone)), key=alone.__getitem__)
    later = min(separation([x[best] for x in side.x], side.y) for side in (held_out, *_other_sets(trace)))
    share, lift = fitted(trace), generalised(trace)
    harmed = share is not None and lift is not None and (lift < LOST * share or _broke_down(trace))
    harmed = harmed and first_nonfinite(trace) is None
    if alone[best] < APART or later > MIXED or not harmed:
        return None
    return Column(best, alone[best], later, len(train))


def _other_sets(trace: Trace) -> list[Sampled]:
    """The held-out samples of later evaluations that the first one did not have, where each class has enough."""
    rows = held(trace, "sample")
    first = {tuple(x) for r in rows if r["i"] == rows[0]["i"] for x in r["x"]}
    later = [r for r in rows if not any(tuple(x) in first for x in r["x"])]
    found = samples(trace.model_copy(update={"rows": {**trace.rows, "sample": tuple(later)}}), training=False)
    return [found] if len(found) and _rarer(found.y) >= OF_EACH else []


def _broke_down(trace: Trace) -> bool:
    """Whether the last evaluations are on several sets, one of which is answered worse than by a constant."""
    level, rows = plain_chance(trace), trace.of("eval")
    last = [v for r in rows[-1:] for v, seen in zip(r["loss"], r.get("seen") or (), strict=False) if not seen]
    return level is not None and len(last) > 1 and max(last) > level > min(last)


def _filled_in(trace: Trace) -> Column | None:
    """A column that has one and the same value in nearly all samples of one class and in hardly any of the other, in
    training and in evaluation, beside columns that tell much less: it was filled in after the event.
    """
    sides = _two_classes(trace)
    if sides is None or set(sides[1].y) != {0.0, 1.0}:
        return None
    alone = _alone(sides[0])
    best = max(range(len(alone)), key=alone.__getitem__)
    other = max(score for k, score in enumerate(alone) if k != best)
    filled = all(_is_mark([x[best] for x in side.x], side.y) for side in sides)
    return Column(best, alone[best], other, len(sides[0])) if filled and other < WEAKER else None


def _is_mark(values: list[float], labels: tuple[float, ...]) -> bool:
    """Whether the commonest value of a column belongs to one class alone."""
    usual = Counter(values).most_common(1)[0][0]
    shares = [
        fmean(v == usual for v, y in zip(values, labels, strict=True) if y == label) for label in (0.0, 1.0)
    ]
    return max(shares) >= MARKED and min(shares) <= 1 - MARKED


def _filled(trace: Trace) -> Finding | None:
    seen = _filled_in(trace)
    if seen is None:
        return None
    return found(
        RULE,
        0.75,
        f"Input column {seen.column} is empty in one class and filled in the other, as if written after the event.",
        Evidence(quantity=f"separation of the classes by column {seen.column} alone (0.5 none, 1 whole)",
                 value=rounded(seen.score, 4)),
        Evidence(quantity="the same, next best column", value=rounded(seen.other, 4), threshold=WEAKER),
        Evidence(quantity="samples looked at", value=seen.samples),
        loss_span(trace),
        where=at(data_site(trace) or trace.site("loss")),
    )  # fmt: skip


def _unmasked(trace: Trace) -> Finding | None:
    """Symbols that the loss picks out of the input, and that the input shows all the same."""
    rows = trace.of("masked")
    if len(rows) < ECHOES or any(r["same"] < SHOWN or r["asked"] > PICKED for r in rows):
        return None
    return found(
        RULE,
        0.9,
        "The symbols that the model is asked for are not masked: its input shows them where they are asked for.",
        Evidence(quantity="share of the asked symbols that the input shows, lowest of the batches",
                 value=min(r["same"] for r in rows), threshold=SHOWN),
        Evidence(quantity="share of all symbols that are asked for", value=rows[0]["asked"]),
        loss_span(trace),
        where=at(data_site(trace) or trace.site("loss")),
    )  # fmt: skip


def _echoed(trace: Trace) -> Finding | None:
    """Of several numbers per target every one is, up to a factor and a shift, a number of one and the same input."""
    rows = trace.of("echo")
    if len(rows) < ECHOES or any(r["share"] < 1.0 for r in rows):
        return None
    columns = ", ".join(map(str, rows[0]["columns"][:4]))
    return found(
        RULE,
        0.8,
        f"Each of the {rows[0]['answers']} numbers that are asked for is among the inputs already.",
        Evidence(quantity="share of the answers that some input number gives away, every batch", value=1.0),
        Evidence(quantity="the first of those input numbers", value=columns),
        Evidence(quantity="batches looked at", value=len(rows)),
        loss_span(trace),
        where=at(data_site(trace) or trace.site("loss")),
    )


def _rarer(labels: tuple[float, ...]) -> int:
    """Samples of the rarer of two classes."""
    ones = sum(y == 1 for y in labels)
    return min(ones, len(labels) - ones)


def _telltale(trace: Trace) -> Finding | None:
    seen = _misleading(trace)
    if seen is None:
        return None
    return found(
        RULE,
        0.85,
        f"Input column {seen.column} alone tells the classes apart in training, but not in evaluation.",
        Evidence(quantity=f"separation of the classes by column {seen.column}, training (0.5 none, 1 whole)",
                 value=rounded(seen.score, 4), threshold=APART),
        Evidence(quantity="the same, evaluation", value=rounded(seen.other, 4), threshold=MIXED),
        loss_span(trace),
        where=at(data_site(trace) or trace.site("loss")),
    )  # fmt: skip


def separation(values: list[float], labels: tuple[float, ...]) -> float:
    """Area under the ROC curve of one column, in either direction (Mann-Whitney): 0.5 none, 1 whole."""
    ones = [v for v, y in zip(values, labels, strict=True) if y == 1]
    zeros = sorted(v for v, y in zip(values, labels, strict=True) if y == 0)
    if not ones or not zeros:
        return 0.5
    wins = sum(bisect_left(zeros, v) + 0.5 * (bisect_right(zeros, v) - bisect_left(zeros, v)) for v in ones)
    area = wins / (len(ones) * len(zeros))
    return max(area, 1 - area)


def _number(value: Any) -> float:
    return float(value[0]) if isinstance(value, list) else float(value)


def correlation(a: list[float], b: list[float]) -> float:
    """Pearson's correlation; 0 when one of the two is constant."""
    n = len(a)
    ma, mb = sum(a) / n, sum(b) / n
    va, vb = sum((v - ma) ** 2 for v in a), sum((v - mb) ** 2 for v in b)
    if not (va > 0 and vb > 0):  # constant, or not finite
        return 0.0
    return float(sum((x - ma) * (y - mb) for x, y in zip(a, b, strict=True)) / (va * vb) ** 0.5)
