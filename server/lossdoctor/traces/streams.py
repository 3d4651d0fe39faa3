"""Which samples come when: repeats within and across passes, overlap of training and evaluation, order of labels.

Pure functions of the fingerprints (``ids`` rows) of a trace: equal fingerprints mean equal inputs.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from statistics import fmean, pvariance
from typing import Any

from ..model import Trace
from .data import KNOWN, training_loaders
from .galleries import without_galleries
from .printed import EVALUATION
from .repeated import labels_never_meet
from .sides import scored_beside

Row = dict[str, Any]
WINDOW = 16
BEYOND_CHANCE = (
    2.0  # a run of two epochs over distinct windows has no pair by chance; text in short windows has 1.3
)
BATCH = 8  # samples of one call that are told to be of training together; single ones may be copies
LITTLE = 0.02  # share of an evaluation that training has seen by chance
AGAIN = 3  # times that training shows each of its samples
WHOLE, DRAWN = 200, 2.0  # samples, and binomial standard errors, that tell such a share from any other
LEAST, NEARLY = 20, 0.9  # steps that say anything, and the share of them that calls come at
BATCHES = 3  # batches of training that show whether they differ
ACCURACY = re.compile(r"\bacc(uracy)?\b", re.IGNORECASE)


def passes(trace: Trace, *, training: bool) -> list[list[Row]]:
    """Fingerprint rows of each pass over a loader: one list per loader and epoch, in order; batches without a loader
    are one pass in training, and one per step in evaluation.
    """
    used = training_loaders(trace)
    found: dict[tuple[Any, ...], list[Row]] = {}
    for row in trace.of("ids"):
        if row["grad"] is not training:
            continue
        loaded = row["loader"] is not None and (training or row["loader"] not in used)
        key = (row["loader"], row["epoch"]) if loaded else (None, None if training else row["i"])
        found.setdefault(key, []).append(row)
    return list(found.values())


def evaluated(trace: Trace) -> list[Row]:
    """``ids`` rows without gradient that are evaluations, not passes over the very batch that the step trains on (a
    teacher, a target network). Training batches are fingerprinted up to a limit; after it, in a run with such passes,
    rows of training samples are taken for more of them.
    """
    batches = {(row["i"], frozenset(row["h"])) for row in trace.of("ids") if row["grad"]}
    rows = [r for r in trace.of("ids") if not r["grad"]]
    kept = [r for r in rows if (r["i"], frozenset(r["h"])) not in batches]
    last = _last_of_both(trace)
    if called_at_every_step(trace):
        return []
    first = next((r["i"] for r in rows if (r["i"], frozenset(r["h"])) in batches), last + 1)
    if len(rows) - len(kept) <= max(0, last - first) / 2:  # not before most of the steps
        return rows
    return [r for r in kept if r["i"] <= last or r.get("known", 0.0) < KNOWN]


def _last_of_both(trace: Trace) -> int:
    """The last step up to which both training and evaluation were fingerprinted."""
    return min(
        max((r["i"] for r in trace.of("ids") if r["grad"] is side), default=0) for side in (True, False)
    )


def called_at_every_step(trace: Trace) -> bool:
    """Whether nearly every step calls a model without gradient while its batches differ: targets that a second network
    gives, or actions. Steps of full-batch training are epochs, and may be evaluated each.
    """
    last = _last_of_both(trace)
    rows = [r for r in trace.of("ids") if r["i"] <= last]
    batches = [frozenset(r["h"]) for r in rows if r["grad"]]
    varied = len(set(batches)) > len(batches) / 2
    # fingerprints are kept up to a limit; the whole run is only counted
    counters = (trace.end or {}).get("counters", {})
    counted = counters.get("steps_with_calls_without_gradient", 0) >= NEARLY * max(LEAST, len(trace.steps))
    seen = last >= LEAST and len({r["i"] for r in rows if not r["grad"]}) >= NEARLY * last
    return varied and len(batches) >= BATCHES and (counted or seen)


def fingerprints(rows: list[Row]) -> list[float]:
    return [h for row in rows for h in row["h"]]


def labelled(rows: list[Row]) -> dict[float, set[float]]:
    """The labels that each fingerprint came with; several say that it stands for several samples."""
    labels: dict[float, set[float]] = {}
    for row in rows:
        for h, y in zip(row["h"], row.get("y") or (), strict=False):
            labels.setdefault(h, set()).add(y)
    return labels


def repeats(rows: list[Row]) -> float:
    """Share of the samples of a pass that were in it before; equal inputs with different labels are no copies."""
    labels = labelled(rows)
    seen = [h for h in fingerprints(rows) if len(labels.get(h, ())) < 2]
    return 1 - len(set(seen)) / len(seen) if seen else 0.0


def natural_repeats(trace: Trace) -> float:
    """Share of samples that repeat within one evaluation pass: how often this data has equal samples anyway."""
    shares = [repeats(rows) for rows in passes(trace, training=False) if len(fingerprints(rows)) >= WINDOW]
    return min(shares, default=0.0)


def repeated_phrases(trace: Trace) -> float:
    """For windows of tokens the share of those of the first training pass that another one of it equals, and as many
    of evaluation will: phrases come again. 0 for other inputs.
    """
    dtypes = {t["dtype"] for r in trace.of("forward") if r["grad"] for t in r["in"][:1] if "dtype" in t}
    if not dtypes or not all("int" in d for d in dtypes):
        return 0.0
    rows = next(iter(passes(trace, training=True)), [])
    again = (k for k in range(1, len(rows)) if set(rows[k]["h"]) == set(rows[0]["h"]))
    return 2 * repeats(rows[: min(next(again, len(rows)), _first_pass(trace, rows))])


def _first_pass(trace: Trace, rows: list[Row]) -> int:
    """How many batches of a loop without a loader make up its data once, where it is known how much that is."""
    pool = max((r["n"] for r in trace.of("pool")), default=0)
    shown = list(accumulate(len(row["h"]) for row in rows))
    whole = sum(count <= pool for count in shown)
    return whole if pool and rows and rows[0]["loader"] is None and whole else len(rows)


def drawn_from(trace: Trace) -> int:
    """Samples of the variable that a loop without a loader takes its batches from; 0 when none was found in this phase
    of the run.
    """
    first = min((r["i"] for r in trace.of("ids") if r["grad"]), default=0)
    return next((int(r["n"]) for r in trace.of("pool") if r["i"] >= first), 0)


@dataclass(frozen=True)
class Overlap:
    """Evaluation samples of one loader (or call) that are also training samples."""

    share: float
    count: int
    distinct: int
    loader: int | None
    step: int
    again: bool = False  # whether the same samples are evaluated after another step too
    size: int = 0  # samples per call
    unlike: bool = False  # whether inputs that are on both sides were left out because their labels differ


def overlaps(trace: Trace) -> list[Overlap]:
    """Of each evaluation stream its distinct samples and how many of them training has seen; largest share first.
    Samples that look alike but have different labels are not known by their looks.
    """
    used = training_loaders(trace)
    rows_of_training = [row for row in trace.of("ids") if row["grad"]]
    truth = labelled(rows_of_training)
    looks = set(fingerprints(rows_of_training))
    told_apart = labels_never_meet(trace)  # by their labels, whatever their looks
    trained = looks if told_apart else looks - {h for h, y in truth.items() if len(y) > 1}
    streams: dict[tuple[Any, ...], list[Row]] = {}
    rows_of_evaluation = without_galleries(trace, evaluated(trace))
    beside = scored_beside(rows_of_evaluation, looks)
    for place, row in enumerate(rows_of_evaluation):
        own = row["loader"] is not None and row["loader"] not in used
        several = len(row["h"]) >= BATCH  # of single samples each is known or not, whatever the others are
        together = several and (row.get("known", 0.0) >= KNOWN or _of_training(row["h"], trained))
        monitored = together or place in beside
        key = (row["loader"],) if own else (None, row["i"], len(row["h"]), monitored)
        streams.setdefault(key, []).append(row)
    found = []
    sets = [(rows[0]["i"], set(fingerprints(rows))) for rows in streams.values()]
    for (key, rows), (step, seen) in zip(streams.items(), sets, strict=True):
        both = _copies(seen & trained, labelled(rows), truth)
        # of a long training only the first fingerprints are kept; the recorder had them all when it told the share
        told = min((row.get("known", 0.0) for row in rows), default=0.0) if key[0] is None else 0.0
        unseen = told >= KNOWN and told > LITTLE + fmean(h in looks for h in fingerprints(rows))
        share = told if unseen else len(both) / max(1, len(seen))
        if seen == looks:  # the training set itself, whatever labels its equal inputs have
            share = 1.0
        count = round(share * len(seen))
        again = any(step != other and 2 * len(seen & those) > len(seen | those) for other, those in sets)
        unlike = bool(both) and len(both) < len(seen & looks)
        found.append(Overlap(share, count, len(seen), key[0], step, again, len(rows[0]["h"]), unlike))
    if any(o.count <= LITTLE * o.distinct for o in found):  # held-out samples are evaluated too
        found = [replace(o, share=1.0) if _as_drawn(trace, o, len(trained)) else o for o in found]
    return sorted(found, key=lambda o: -o.share)


def _copies(both: set[float], labels: dict[float, set[float]], truth: dict[float, set[float]]) -> set[float]:
    """Of inputs on both sides those that are not known to have other labels there: a few numbers meet by themselves.
    Where no label at all agrees, evaluation may hold them in another unit.
    """
    unlike = {h for h in both if labels.get(h) and truth.get(h) and labels[h].isdisjoint(truth[h])}
    known = {h for h in both if labels.get(h) and truth.get(h)}
    return both - unlike if known - unlike else both


def _as_drawn(trace: Trace, one: Overlap, trained: int) -> bool:
    """Whether exactly as many of these samples have been seen as training has drawn of all that it draws from: then
    they are those (a training set that is scored as a whole, to choose hard samples from it), not held-out ones.
    """
    for row in trace.of("pool") if one.loader is None and one.distinct >= WHOLE else ():
        drawn = trained / max(1, row["n"])
        error = math.sqrt(drawn * (1 - drawn) / one.distinct) if drawn < 1 else 0.0
        if drawn < 1 and abs(one.share - drawn) <= DRAWN * error:
            return True
    return False


def _of_training(shown: list[int], trained: set[float]) -> bool:
    """Whether a call is on training samples, of which some came to be known after it: of several calls that go into one
    step only the first is kept.
    """
    return sum(h in trained for h in shown) >= KNOWN * len(shown)


def scores_everything(trace: Trace, one: Overlap) -> bool:
    """Whether evaluation calls the model on all that a loop without a loader takes its batches from, of which training
    shows the same part again and again: then the script may select the answers to the other samples afterwards.
    """
    drawn = [h for row in trace.of("ids") if row["grad"] for h in row["h"]]
    again = len(drawn) >= AGAIN * len(set(drawn))
    return again and one.loader is None and any(one.count < one.distinct == r["n"] for r in trace.of("pool"))


def compares_with_training(trace: Trace) -> bool:
    """Whether evaluations hold their samples against the whole training set (nearest neighbours, prototypes)."""
    rows = evaluated(trace)
    return len(without_galleries(trace, rows)) < len(rows)


def known_shares(trace: Trace) -> dict[int, float]:
    """Step -> share of the inputs evaluated there, over all streams, that training has seen at some time; batches whose
    fingerprints were too many to keep count with the share that was measured when they came.
    """
    trained = {h for row in trace.of("ids") if row["grad"] for h in row["h"]}
    at_step: dict[int, list[float]] = {}
    for row in evaluated(trace):
        at_step.setdefault(row["i"], []).extend(row["h"])
    shares = {i: sum(h in trained for h in found) / max(1, len(found)) for i, found in at_step.items()}
    for row in trace.of("eval"):
        then = [known for _, _, known in row.get("own", ())]
        if row["i"] + 1 in shares and then:
            shares[row["i"] + 1] = min(shares[row["i"] + 1], *then)
    return shares


def followers(trace: Trace) -> tuple[float, int]:
    """Of the training samples that come up again: the share that the same sample follows in the same place of the next
    batch, and their number. 1 for windows that continue each other in every epoch, about 0 for shuffled batches. Short
    windows of few symbols are equal by chance, within a batch as across batches; where that explains most of what
    comes up again, it says nothing.
    """
    rows = [r["h"] for r in trace.of("ids") if r["grad"]]
    known: dict[float, float] = {}
    same = count = 0
    for batch, following in pairwise(rows):
        for h, after in zip(batch, following, strict=False):
            if h in known:
                count, same = count + 1, same + (known[h] == after)
            known[h] = after
    return (same / max(1, count), count) if _come_again(rows) else (0.0, 0)


def _come_again(batches: list[list[float]]) -> bool:
    """Whether more pairs of samples are equal than chance makes so, going by those within one batch, which is drawn
    without repeats.
    """
    within = sum(_pairs(Counter(batch)) for batch in batches)
    chances = sum(math.comb(len(batch), 2) for batch in batches)
    total = Counter(h for batch in batches for h in batch)
    expected = within / max(1, chances) * math.comb(sum(total.values()), 2)
    return _pairs(total) > BEYOND_CHANCE * expected


def _pairs(counts: Counter[float]) -> int:
    return sum(math.comb(n, 2) for n in counts.values())


def labels_in_order(trace: Trace) -> tuple[list[float], int]:
    """Labels of the first training pass that has them, in the order of presentation, and the batch size."""
    for rows in passes(trace, training=True):
        labelled = [row for row in rows if row.get("y")]
        if labelled:
            return [float(y) for row in labelled for y in row["y"]], len(labelled[0]["y"])
    return [], 0


def clustering(labels: list[float], batch: int) -> float:
    """How alike the labels within a batch are: 0 as if drawn at random, 1 when each batch has one label only.

    The intraclass correlation of one-way analysis of variance (Fisher 1925), over classes or numbers; batches below
    16 samples are joined to windows of 16.
    """
    size = batch if batch >= WINDOW else WINDOW
    windows = [labels[k : k + size] for k in range(0, len(labels) - size + 1, size)]
    alone = _of_classes if are_classes(labels) else _of_numbers
    between, within = alone(windows, size)
    between, within = between * size * len(windows) / max(1, len(windows) - 1), within * size / (size - 1)
    total = between + (size - 1) * within
    return (between - within) / total if total > 0 else 0.0


def _of_numbers(windows: list[list[float]], size: int) -> tuple[float, float]:
    """Variance of the means of windows, and mean of the variances within them."""
    return pvariance([fmean(w) for w in windows]), fmean(pvariance(w) for w in windows)


def _of_classes(windows: list[list[float]], size: int) -> tuple[float, float]:
    """The same, summed over the indicators of all classes; from the shares of classes, so that many cost no more."""
    squares = fmean(sum((n / size) ** 2 for n in Counter(w).values()) for w in windows)
    total = Counter(y for w in windows for y in w)
    whole = sum((n / (size * len(windows))) ** 2 for n in total.values())
    return squares - whole, 1 - squares


def are_classes(labels: list[float]) -> bool:
    """Whether labels are whole numbers of which most come several times; measurements otherwise."""
    counts = Counter(labels)
    return all(v.is_integer() for v in counts) and len(counts) <= max(2, len(labels) // 5)


def reported_accuracy(trace: Trace) -> float | None:
    """The held-out accuracy that the script printed last, as a share of 1."""
    found = [
        value for row in trace.of("print") for name, value in row["v"].items()
        if ACCURACY.search(name.replace("_", " ")) and EVALUATION.search(name)
    ]  # fmt: skip
    if not found or not 0 <= found[-1] <= 100:
        return None
    return float(found[-1] / 100 if max(found) > 1 else found[-1])
