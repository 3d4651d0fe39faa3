"""# loss_term_imbalance: one loss term drowns the others

**What it is.** The objective is a sum of terms of very different size (one a mean, the other a sum; a weight off by
orders of magnitude; a target in a small unit), and descent serves only the largest.

**Signal.** What backward gets against what the task's loss functions returned: the rest is far larger, the total
falls, and the drowned term stays where it was: at the level of a constant prediction (one for each output), or with
predictions that hardly differ between samples. Or everything beside a term that is not learned was driven to
nothing; or a term was learned on the way and ends at a constant's level; or the script prints a divergence (KL) of
nothing beside a reconstruction that stays where it was, or an entropy of a policy that stays at its largest while the
bonus for it is most of the loss and no reward rises. Terms that a script adds up itself are read from the graph.

**Why it matters.** The printed total falls nicely while the model does not learn the task.

**Remedy.** Log every term by itself, bring them to the same reduction, and weight them so that each matters.

**When it stays silent.** Small penalties; distances to the answers of a second network that is asked at every step;
large terms in runs whose every term falls; a single term that is merely scaled.

**Confirming intervention.** `loss_function_only`: backward gets the task's loss function alone, same seed; that loss
must then end clearly lower. `boost_term`, for terms that the script adds up itself: the drowned one counts as much as
the others do at first, and must be learned without giving them up.

**References.** Higgins et al., "beta-VAE" (2017); Bowman et al., "Generating sentences from a continuous space"
(2016), collapse of the KL term; Kendall, Gal and Cipolla, "Multi-task learning using uncertainty" (2018).
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from statistics import median
from typing import Any

from ..model import Evidence, Finding, Trace
from ..traces.measure import CLASSIFICATION, REGRESSION, curve, finite, head, need_not_fall, tail
from ..traces.printed import rewards, series
from ..traces.progress import constant_level
from ..traces.streams import called_at_every_step
from ._evidence import loss_span
from .base import TENTATIVE, Missing, Rule, at, found, rounded, site_by_id

RULE = Rule(
    fault="loss_term_imbalance",
    severity="critical",
    sheet="loss-functions-and-objectives#several-terms",
    summary="Bring the terms of an objective to the same scale before adding them.",
    remedy="Use the same reduction for every term and weight them so that none is orders of magnitude larger.",
    needs=("optimizer_steps", "loss", "ten_steps"),
    contraindications=("More epochs do not help: the drowned term has no say in the direction of the step.",),
)

DISTANCES = frozenset({*REGRESSION, "kl_div", "cosine_embedding_loss"})
DROWNED = 0.1  # share of the total below which a term has little say
SAME = 0.05  # variation of total / term: constant means that it is one term, scaled
BEHIND = (
    0.3  # of a constant prediction's loss: a suspicion only, which `loss_function_only` proves or refutes
)
STUCK = 0.9  # of the start, or of a constant prediction's loss
LEVEL = 0.97  # of the loss of a constant per output; noise around that constant costs a little more than it
CONSTANT = 0.15  # spread of predictions between samples relative to that of the targets
KEPT = 0.85  # of the constant's loss: what a term once had below it, and has no longer
SHARP_FALL = 0.3
HALF = 0.5  # of the first total, and of what it has beside a term
LEAST_ROWS = 6  # recorded values of a term
FIRST = 3  # recorded steps at either end
PRINTED = 4  # times that both must have been printed
DIVERGENCE = re.compile(r"(?<![a-z])(kl|kld|kl.?(div|loss|term)\w*)(?![a-z])", re.IGNORECASE)
REBUILT = re.compile(
    r"(?<![a-z])(rec|recon\w*|r?mse|nll|bce|likelihood|distortion|pixel\w*)(?![a-z])", re.IGNORECASE
)
ENTROPY = re.compile(r"(?<![a-z])ent(ropy)?(?![a-z])", re.IGNORECASE)
FULL = 0.005  # of the largest entropy, that is missing
# weight that an entropy bonus has in the loss; usual are 0.001 to 0.05 (Mnih et al., 2016: 0.01)
BONUS = 0.2
EMPTY = 0.02  # nats over all latent dimensions: one bit is 0.69
BESIDE = 0.01  # share of the first total that another term must have had
GONE = 0.1  # of that, what is left at most in the second half


def check(trace: Trace) -> Finding | Missing | None:
    points = curve(trace)
    start, end = head(points), tail(points)
    uniform = _uniform(trace)
    if uniform is not None or need_not_fall(trace) or start is None or end is None:
        return uniform
    terms: dict[tuple[str, int | None], list[dict[str, Any]]] = {}
    for row in trace.of("loss"):
        # the mean over all positions, of which the script may leave some out, is no term; nor is what is multiplied by
        # something else that is learned (focal losses)
        selected = row.get("reduction") == "none" and len(row["target"]["shape"]) > 1
        if row.get("value") is not None and not selected and not row.get("modulated"):
            terms.setdefault((row["fn"], row["site"]), []).append(row)
    if not terms:
        return _written(trace) or _collapsed(trace) or Missing("values of the single loss terms")
    totals = dict(points)
    taught = called_at_every_step(trace)
    for (name, site), rows in terms.items():
        if taught and name in DISTANCES:
            continue  # to what a teacher answers, which moves with the model
        shares = [abs(r["value"] / totals[r["i"]]) for r in rows if totals.get(r["i"])]
        if len(rows) < LEAST_ROWS or not shares:
            continue
        stuck = _stuck(trace, name, rows)
        if stuck and _vanished(rows, totals):
            return _finding(trace, name, site, rows, (start, end), 0.75)
        if not _varies(shares):
            continue
        if _given_up(rows):
            return _finding(trace, name, site, rows, (start, end), 0.75)
        fell = start - end > SHARP_FALL * abs(start) or _rest_fell(rows, totals)
        if stuck and (min(median(shares[:3]), median(shares[-3:])) < DROWNED or fell):
            confidence = 0.75 if median(shares[:5]) < DROWNED else TENTATIVE
            return _finding(trace, name, site, rows, (start, end), confidence)
        if fell and median(shares[:3]) < DROWNED and _behind(trace, name, rows):
            return _finding(trace, name, site, rows, (start, end), TENTATIVE)
    return _collapsed(trace, {name: rows for (name, _), rows in terms.items() if len(rows) >= LEAST_ROWS})


def interventions(trace: Trace) -> tuple[dict[str, Any], ...]:
    """Backward from the task's loss function alone, where there is one; else from the drowned term as large as what
    drowns it at first.
    """
    if trace.of("loss"):
        return ({"name": "loss_function_only"},)
    drowned = _drowned(trace)
    if drowned is None:
        return ()
    factor = 10.0 ** round(math.log10(drowned.beside / drowned.first))
    return ({"name": "boost_term", "term": drowned.number, "factor": factor},)


def _finding(
    trace: Trace,
    name: str,
    site: int | None,
    rows: list[dict[str, Any]],
    total: tuple[float, float],
    confidence: float,
) -> Finding:
    first, last = median(r["value"] for r in rows[:3]), median(r["value"] for r in rows[-3:])
    spreads = [r["spread"] for r in rows[-3:] if r.get("spread") is not None]
    learned = "not" if confidence > TENTATIVE else "hardly"
    return found(
        RULE,
        confidence,
        f"The total goes from {rounded(total[0])} to {rounded(total[1])}, but its {name} term is {learned} learned.",
        Evidence(quantity=f"{name} term, start and end", value=f"{rounded(first)} -> {rounded(last)}"),
        Evidence(quantity="total, start and end", value=f"{rounded(total[0])} -> {rounded(total[1])}"),
        Evidence(quantity="difference between predictions relative to that between targets",
                 value=rounded(median(spreads)) if spreads else "unknown", threshold=CONSTANT),
        loss_span(trace),
        where=at(site_by_id(trace, site) or trace.site("backward")),
    )  # fmt: skip


@dataclass(frozen=True)
class Drowned:
    """A term of a sum, counted from 0, that stays where it was: its weighted first value, first and last value without
    the weight, and the first and last sum of the others.
    """

    number: int
    first: float
    values: tuple[float, float]
    beside: float
    left: float


def _drowned(trace: Trace) -> Drowned | None:
    """Of the terms that a script adds up itself, one that has no say at first and is not learned, while the others
    fall to next to nothing; or one that is most of what is left of the sum at the end.
    """
    rows = [
        r for r in trace.of("terms") if all(v is not None and v >= 0 for v in r["v"]) and min(r["w"]) >= 0
    ]
    if len(rows) < 2 * FIRST or len({len(r["v"]) for r in rows}) > 1:
        return None
    early, late, weights = rows[:FIRST], rows[-FIRST:], rows[0]["w"]
    start, end = ([median(r["v"][k] for r in side) for k in range(len(weights))] for side in (early, late))
    for k, weight in enumerate(weights):
        others = [(weights[j] * start[j], weights[j] * end[j]) for j in range(len(weights)) if j != k]
        beside, left = (sum(side) for side in zip(*others, strict=True))
        first = weight * early[0]["v"][k]
        at_first = sum(w * v for w, v in zip(weights, early[0]["v"], strict=True))
        stuck = end[k] >= STUCK * start[k] or (weight * end[k] > left and end[k] >= GONE * start[k])
        if 0 < first < DROWNED * at_first and stuck and left < GONE * beside:
            return Drowned(k, first, (start[k], end[k]), at_first - first, left)
    return None


def _written(trace: Trace) -> Finding | None:
    """A suspicion, no more: small penalties look the same."""
    drowned = _drowned(trace)
    if drowned is None:
        return None
    row, share = trace.of("terms")[0], drowned.first / (drowned.first + drowned.beside)
    return found(
        RULE,
        TENTATIVE,
        f"The other terms of the loss fall from {rounded(drowned.beside)} to {rounded(drowned.left)}, but term "
        f"{drowned.number + 1} of {len(row['w'])} is left behind.",
        Evidence(quantity="that term, start and end", value=" -> ".join(str(rounded(v)) for v in drowned.values)),
        Evidence(quantity="its share of the loss at first", value=rounded(share), threshold=DROWNED),
        where=at(site_by_id(trace, row["site"]) or trace.site("backward")),
    )  # fmt: skip


def _collapsed(trace: Trace, terms: dict[str, list[dict[str, Any]]] | None = None) -> Finding | None:
    """A printed divergence that is held at nothing, and a reconstruction that does not improve, as printed or as one of
    the ``terms``: the latent code of an autoencoder carries no information.
    """
    told = {name: v for name, v in series(trace).items() if len(v) >= PRINTED}
    empty = next((n for n, v in told.items() if DIVERGENCE.search(n) and max(map(abs, v[1:])) <= EMPTY), None)
    stuck = next((n for n, v in told.items() if REBUILT.search(n) and 0 < STUCK * v[0] <= v[-1]), None)
    known = {name: rows for name, rows in (terms or {}).items() if _like_a_constant(rows)}
    if empty is None or (stuck is None and not known):
        return None
    name = stuck or next(iter(known))
    ends = (told[stuck][0], told[stuck][-1]) if stuck else tuple(known[name][k]["value"] for k in (0, -1))
    return found(
        RULE,
        0.75,
        f"The printed {empty[:40]!r} is held at nothing, and {name[:40]!r} is no better than a constant answer.",
        Evidence(quantity=f"printed {empty[:40]}, first and last",
                 value=f"{rounded(told[empty][0])}, {rounded(told[empty][-1])}", threshold=EMPTY),
        Evidence(quantity=f"{name[:40]}, first and last", value=f"{rounded(ends[0])}, {rounded(ends[1])}"),
        where=at(trace.site("backward")),
    )  # fmt: skip


def _uniform(trace: Trace) -> Finding | None:
    """A policy that stays uniform for its entropy: the printed entropy stays at the logarithm of the number of actions
    (Williams and Peng, 1991), the loss is mostly its bonus, and no printed reward rises.
    """
    told = {n: v for n, v in series(trace).items() if ENTROPY.search(n) and len(v) >= PRINTED}
    widths = {p.shape[0] for p in trace.parameters if len(p.shape) > 1 and p.shape[0] > 1}
    losses = [v for _, v in finite(curve(trace))]
    returns = [v for v in rewards(trace).values() if len(v) >= PRINTED]
    for name, values in told.items() if losses and returns else ():
        full = any(all(abs(v - math.log(k)) < FULL * math.log(k) for v in values) for k in widths)
        share = -median(losses) / values[-1] if values[-1] > 0 else 0.0
        rises = any(max(v[len(v) // 2 :]) > max(v[: len(v) // 2]) + abs(v[0]) for v in returns)
        if full and share > BONUS and not rises:
            return found(
                RULE,
                0.75,
                f"The printed {name[:40]!r} stays at its largest value: the policy is uniform, and its bonus is most of"
                " the loss.",
                Evidence(quantity=f"printed {name[:40]}, first and last",
                         value=f"{rounded(values[0])}, {rounded(values[-1])}", threshold="log of actions"),
                Evidence(quantity="share of the entropy in the loss", value=rounded(share), threshold=BONUS),
                where=at(trace.site("backward")),
            )  # fmt: skip
    return None


def _vanished(rows: list[dict[str, Any]], totals: dict[int, float]) -> bool:
    """Whether what the total has beside this term (a multiple of it) was driven to nothing: a penalty that is so strong
    that the run gave up the term for it. The multiple is that of the last steps, and holds for half of the run, but for
    one recorded step in ten.
    """
    known = [(float(r["value"]), totals[r["i"]]) for r in rows if totals.get(r["i"])]
    if not known or any(value == 0 for value, _ in known):
        return False
    factor = median(total / value for value, total in known[-3:])
    rest = [abs(total - factor * value) for value, total in known]
    second = sorted(rest[len(rest) // 2 :])
    first, late = median(rest[:2]), second[round(0.9 * (len(second) - 1))]
    return first > BESIDE * abs(known[0][1]) and late < GONE * first


def _rest_fell(rows: list[dict[str, Any]], totals: dict[int, float]) -> bool:
    """Whether most of the first total lies beside this term, and most of that is gone at the end."""
    rest = [totals[r["i"]] - r["value"] for r in rows if r["i"] in totals]
    first = totals.get(rows[0]["i"], 0.0)
    return len(rest) == len(rows) and rest[0] > HALF * abs(first) and median(rest[-FIRST:]) < HALF * rest[0]


def _given_up(rows: list[dict[str, Any]]) -> bool:
    """Whether a term ends at what a constant gets although it had been better than that on the way: something else came
    to matter more.
    """
    own = [r["constant"] for r in rows if r.get("constant") is not None]
    if len(own) < len(rows) or len(rows) < 3 * FIRST:
        return False
    relative = [r["value"] / r["constant"] if r["constant"] > 0 else 1.0 for r in rows]
    best = min(median(relative[k : k + FIRST]) for k in range(len(relative) - FIRST))
    return best < KEPT * STUCK and median(relative[-FIRST:]) > STUCK


def _varies(shares: list[float]) -> bool:
    middle = median(shares)
    return middle > 0 and max(abs(s - middle) for s in shares) > SAME * middle


def _behind(trace: Trace, name: str, rows: list[dict[str, Any]]) -> bool:
    """Whether a classification is learned in part only, which a test must tell from one that is hard."""
    level = constant_level(trace, name) if name in CLASSIFICATION else None
    return level is not None and median(r["value"] for r in rows[-3:]) > BEHIND * level


def _like_a_constant(rows: list[dict[str, Any]]) -> bool:
    """Whether a term ends no better than the best answer that is the same for all samples."""
    own = [r["constant"] for r in rows if r.get("constant") is not None]
    return bool(own) and median(r["value"] for r in rows[-3:]) > LEVEL * median(own)


def _stuck(trace: Trace, name: str, rows: list[dict[str, Any]]) -> bool:
    """Whether the term ends where it began, or at what a constant prediction gets."""
    first, last = median(r["value"] for r in rows[:3]), median(r["value"] for r in rows[-3:])
    spreads = [r["spread"] for r in rows[-3:] if r.get("spread") is not None]
    level = constant_level(trace, name)
    if spreads and name not in CLASSIFICATION:
        return bool(median(spreads) < CONSTANT or _like_a_constant(rows))
    return bool(last > STUCK * (level if level is not None and level > 0 else abs(first)))
