"""# duplicate_batches: the same samples return every step or epoch by mistake

**What it is.** The loader keeps handing out a small part of the data: an iterator made anew each step, a sampler or
index list that covers little, workers that all read the whole stream, a data file full of copies.

**Signal.** Fingerprints of the training inputs: within one epoch, the share of samples that were in it before (beyond
the equal samples that this data has in an evaluation pass); or, after one and a half times the length of the data
set, the share of it that was ever shown; or the indexes that the sampler draws, when every epoch has the same few in
the same mixed order (augmentation hides that from the inputs). Without a loader the data set is the variable that the
batches are taken from. A line that gives a generator the same seed again and again, after which the same batches
come in the same order, is tried with other seeds; only then it is a finding.

**Why it matters.** The model learns a few samples by heart while the loss looks splendid; an epoch is not an epoch.

**Remedy.** Iterate the loader itself, let the sampler range over the whole data set, shard streams by worker id
(`get_worker_info`), and seed workers differently.

**When it stays silent.** Epochs that repeat the data set, as they should; full-batch training; weighted samplers and
oversampled classes, which repeat on purpose; sampling with replacement (about 37 % repeats); inputs with few
possible values, and copies that have different labels; copies in the data that the held-out side has too (a leak).

**Confirming intervention.** `every_sample`: the loader draws from the whole data set, same seed; `fresh_draws`: a seed
that is given again gives other draws. Evaluation must end clearly better.

**References.** PyTorch documentation, `IterableDataset` and `get_worker_info`; "Randomness in multi-process data
loading" in the notes of `torch.utils.data`.
"""

from __future__ import annotations

from collections import Counter
from itertools import accumulate, pairwise
from statistics import median
from typing import Any

from ..model import Evidence, Finding, Trace
from ..traces.measure import acts, bootstraps
from ..traces.repeated import mere_indexes, nearly_constant
from ..traces.streams import Row, drawn_from, fingerprints, natural_repeats, overlaps, passes, repeats
from ._evidence import data_site
from .base import TENTATIVE, Rule, at, found, rounded, site_by_id

RULE = Rule(
    fault="duplicate_batches",
    severity="warning",
    sheet="training-loop-architecture#data-order",
    summary="Within an epoch each sample should come once; count how often each does.",
    remedy="Iterate the loader itself over the whole data set, and shard iterable data sets by worker.",
    symptom="overfitting",
    structural=True,
    interventions=({"name": "every_sample"},),
    needs=("batches",),
)

REPEATED = 0.45  # sampling n of n with replacement repeats 1/e = 37 % in expectation
COVERED = (
    0.6  # share of the data set ever shown; with replacement it is 1 - exp(-1.5) = 78 % after 1.5 lengths
)
PASSES = 1.5
SAMPLES = 64  # fewer say nothing
DRAWN = 16  # in one and the same order in every epoch: 16! orders are possible
ONE_CLASS = 0.8  # share of the copies that belong to one class when that was oversampled
FEW_OF = 0.25  # of the data that the script holds and does not evaluate
EPOCHS = 3  # in the same order: by chance never
HALF = 0.5  # of the data set; from there on most samples are seen
REPLAY = 3  # different batches that follow each other as they did before
STEPS = 20  # of one and the same batch, without a loader
TIMES = 2  # evaluation samples per training sample from which that is no full-batch training
OWN_LABELS = 0.2  # share of the inputs seen again whose labels differ; of the same sample shown again none do
WEIGHTED = ("WeightedRandomSampler",)


def check(trace: Trace) -> Finding | None:
    for loader in trace.of("loader"):
        rows = [p for p in passes(trace, training=True) if p[0]["loader"] == loader["id"]]
        if not rows or loader["sampler"] in WEIGHTED:
            continue
        if loader.get("batch_size") and median(len(r["h"]) for p in rows for r in p) > loader["batch_size"]:
            continue  # several inputs per sample (pairs, triplets, views)
        if nearly_constant(trace):
            continue  # drawn anew, but all alike
        if _few_codes(trace, rows):
            continue  # as many samples, of which some are alike
        repeated = None
        if not _copied_over(trace, loader["id"]):
            length = loader.get("len")
            repeated = _within(trace, rows, length) or _uncovered(rows, length, natural_repeats(trace))
        sign = repeated or _same_draws(trace, loader)
        if sign is not None:
            why, evidence = sign
            kind = Evidence(
                quantity="data set and sampler", value=f"{loader['dataset']}, {loader['sampler']}"[:80]
            )
            place = site_by_id(trace, loader.get("order")) or site_by_id(trace, loader["site"])
            return found(RULE, 0.85, why, evidence, kind, where=at(place))
    by_hand = () if trace.of("loader") else (_one_batch, _few_of_the_pool, _copies)
    return next((f for look in (*by_hand, _replayed) if (f := look(trace)) is not None), None)


def _few_codes(trace: Trace, rows: list[list[Row]]) -> bool:
    """Whether samples are a few whole numbers each (two sides of a match) and those that are alike have labels of their
    own: they are different ones.
    """
    values = (v for r in trace.of("sample") if r["grad"] for x in r["x"] for v in x)
    if any(v != round(v) for v in values):
        return False
    labels: dict[int, set[float]] = {}
    again: set[int] = set()
    for h, y in ((h, y) for row in rows[0] for h, y in zip(row["h"], row.get("y") or (), strict=False)):
        again |= {h} & labels.keys()
        labels.setdefault(h, set()).add(y)
    return len(again) >= EPOCHS and sum(len(labels[h]) > 1 for h in again) > OWN_LABELS * len(again)


def interventions(trace: Trace) -> tuple[dict[str, Any], ...]:
    """Other draws for a seed that comes again; else every sample of the data set."""
    loaders = {r["loader"] for r in trace.of("order")}
    orders = (_orders(trace, number) for number in sorted(loaders))
    drawn = (_seeded_per_epoch(trace, rows) for rows in orders if not _in_one_order(rows))
    again = _seeded_again(trace) or next((r for r in drawn if r is not None), None)
    return RULE.interventions if again is None else ({"name": "fresh_draws", "number": again["seed"]},)


Sign = tuple[str, Evidence]


def _copied_over(trace: Trace, loader: int) -> bool:
    """Whether the copies are in the data, of which each place is drawn once, and on the held-out side too: then the
    score is what they spoil first.
    """
    orders = _orders(trace, loader)
    once = bool(orders) and all(r["distinct"] == r["n"] for r in orders)
    return once and any(o.loader is not None and o.share > HALF for o in overlaps(trace))


def _same_draws(trace: Trace, loader: dict[str, Any]) -> Sign | None:
    """Every epoch draws the same few samples of the data set, in the same mixed order, or after the same seed: a
    generator that is made again, not a subset on purpose (which is mixed anew). Known by their indexes, whatever
    augmentation does to them.
    """
    rows = _orders(trace, loader["id"])
    size = loader.get("len") or 0
    if len(rows) < EPOCHS or len({r.get("set", r["print"]) for r in rows}) > 1 or rows[0]["sorted"]:
        return None
    alike = _in_one_order(rows)
    seeded = None if alike else _seeded_per_epoch(trace, rows)
    share = rows[0]["distinct"] / max(1, size)
    if rows[0]["distinct"] < DRAWN or share > HALF or not (alike or seeded):
        return None
    how = f"after the same seed, {seeded['seed']}" if seeded else "in the same order"
    why = f"Every epoch draws the same {rows[0]['distinct']} of {size} samples, {how}."
    return why, Evidence(
        quantity="share of the data that was ever drawn", value=rounded(share), threshold=HALF
    )


def _orders(trace: Trace, loader: int) -> list[Row]:
    return [r for r in trace.of("order") if r["loader"] == loader]


def _in_one_order(rows: list[Row]) -> bool:
    return len({r["print"] for r in rows}) == 1


def _seeded_per_epoch(trace: Trace, rows: list[Row]) -> dict[str, Any] | None:
    """A line that gives the same seed where each of these epochs begins."""
    begins = {0, *(r["i"] for r in rows[:-1])}
    return next((r for r in trace.of("seeded") if len(begins & set(r["at"])) >= EPOCHS), None)


def _one_batch(trace: Trace) -> Finding | None:
    """Without a loader: every step shows the same mini-batch although evaluation has far more samples."""
    steps = [frozenset(r["h"]) for r in trace.of("ids") if r["grad"]]
    held_out = {h for r in trace.of("ids") if not r["grad"] for h in r["h"]}
    if (
        len(steps) < STEPS
        or len(set(steps)) > 1
        or len(held_out) < TIMES * len(steps[0])
        or held_out & steps[0]
        or drawn_from(trace) < TIMES * len(steps[0])
    ):
        return None
    why = f"All {len(steps)} steps show the same {len(steps[0])} samples; evaluation has {len(held_out)} others."
    evidence = Evidence(quantity="different batches among the steps", value=1, threshold=2)
    return found(RULE, 0.75, why, evidence, where=at(trace.site("step")))


def _copies(trace: Trace) -> Finding | None:
    """Without a loader: most of a batch are copies of its other samples, unlike in evaluation."""
    if mere_indexes(trace) or bootstraps(trace) or acts(trace) or not passes(trace, training=False):
        return None
    rows = [r for r in trace.of("ids") if r["grad"] and len(r["h"]) >= DRAWN]
    allowed = REPEATED + natural_repeats(trace)
    share = median(repeats([r]) for r in rows) if len(rows) >= STEPS else 0.0
    if share < allowed or _oversampled(rows) or not _same_answers(trace):
        return None
    size, distinct = len(rows[0]["h"]), len(set(rows[0]["h"]))
    why = f"A batch of {size} holds {distinct} different samples, each several times."
    evidence = Evidence(quantity="samples of a batch that are in it before, median", value=rounded(share),
                        threshold=rounded(allowed))  # fmt: skip
    return found(RULE, 0.85, why, evidence, where=at(data_site(trace) or trace.site("step")))


def _same_answers(trace: Trace) -> bool:
    """Whether the model answers copies within a batch alike: where dropout or noise tells them apart they are meant."""
    seen = False
    for row in trace.of("sample"):
        answers = row.get("p") if row["grad"] else None
        groups: dict[tuple[float, ...], set[str]] = {}
        for x, answer in zip(row["x"], answers or (), strict=False):
            groups.setdefault(tuple(x), set()).add(str(answer))
        if any(len(found) > 1 for found in groups.values()):
            return False
        seen = seen or 0 < len(groups) < len(answers or ())
    return seen


def _few_of_the_pool(trace: Trace) -> Finding | None:
    """Without a loader: of the variable that the batches are taken from, only a few samples are ever drawn. Those that
    are evaluated count as held out.
    """
    rows = [r for r in trace.of("ids") if r["grad"]]
    drawn = fingerprints(rows)
    shown = set(drawn)
    held_out = {h for r in trace.of("ids") if not r["grad"] for h in r["h"]} - shown
    size = drawn_from(trace) - len(held_out)
    if size < SAMPLES or len(drawn) < PASSES * size or len(shown) > FEW_OF * size:
        return None
    why = f"{len(drawn)} samples were drawn, but only {len(shown)} different ones of about {size}."
    evidence = Evidence(quantity="share of the data that was ever shown", value=rounded(len(shown) / size),
                        threshold=FEW_OF)  # fmt: skip
    return found(RULE, 0.75, why, evidence, where=at(trace.site("loss_by_hand") or trace.site("step")))


def _replayed(trace: Trace) -> Finding | None:
    again = _seeded_again(trace)
    if again is None:
        return None
    why = f"The seed {again['seed']} is given {again['n']} times, and the same batches come again after it."
    evidence = Evidence(quantity="steps after which the seed was given", value=str(again["at"])[1:-1])
    return found(RULE, TENTATIVE, why, evidence, where=at(site_by_id(trace, again["site"])))


def _seeded_again(trace: Trace) -> dict[str, Any] | None:
    """A line that gives the same seed in the course of training, after which the batches are those of the last time;
    before every step, it leaves one batch only.
    """
    batches = {r["i"]: tuple(r["h"]) for r in trace.of("ids") if r["grad"]}
    first = min(batches, default=0)
    for row in trace.of("seeded"):
        if _every_step(row) and len(batches) >= STEPS and len({frozenset(b) for b in batches.values()}) == 1:
            return row
        turns = [[batches.get(k + first + j) for j in range(REPLAY)] for k in row["at"]]
        known = [t for t in turns if None not in t]
        # after the script's own first seed no evaluation has drawn before training does
        known = known[1:] if known and known[0] != known[-1] else known
        distinct = len({b for t in known for b in t})
        if len(known) >= EPOCHS and all(t == known[0] for t in known) and distinct == REPLAY:
            return row
    return None


def _every_step(row: dict[str, Any]) -> bool:
    """Whether the seed was given before each of at least so many steps."""
    return row["n"] >= STEPS and all(b - a == 1 for a, b in pairwise(row["at"]))


def _within(trace: Trace, rows: list[list[Row]], length: int | None) -> Sign | None:
    allowed = REPEATED + natural_repeats(trace)
    longest = _once(max(rows, key=lambda p: len(fingerprints(p))), length)
    share, seen = repeats(longest), fingerprints(longest)
    if len(seen) < SAMPLES or share < allowed or _oversampled(longest):
        return None
    evidence = Evidence(quantity="samples of an epoch that were in it before", value=rounded(share),
                        threshold=rounded(allowed))  # fmt: skip
    return f"One epoch shows {len(set(seen))} different inputs {len(seen)} times.", evidence


def _once(rows: list[Row], length: int | None) -> list[Row]:
    """The part of a pass that could have shown the data set once: a sampler may draw from it many times over."""
    shown = accumulate(len(row["h"]) for row in rows)
    return [row for row, count in zip(rows, shown, strict=True) if not length or count <= length] or rows


def _uncovered(rows: list[list[Row]], length: int | None, natural: float) -> Sign | None:
    seen = [h for p in rows for h in fingerprints(p)]
    if not length or length < SAMPLES or len(seen) < PASSES * length:
        return None
    share = len(set(seen)) / length
    if share >= COVERED * (1 - natural) or _oversampled([row for p in rows for row in p]):
        return None
    evidence = Evidence(quantity="share of the data set that was ever shown", value=rounded(share),
                        threshold=rounded(COVERED * (1 - natural)))  # fmt: skip
    return f"{len(seen)} samples were drawn, but only {len(set(seen))} of {length} different ones.", evidence


def _oversampled(rows: list[Row]) -> bool:
    """Whether the copies are of one class."""
    seen: set[float] = set()
    copies: Counter[float] = Counter()
    kinds = set()
    for row in rows:
        for h, y in zip(row["h"], row.get("y") or (), strict=False):
            kinds.add(y)
            copies[y] += h in seen
            seen.add(h)
    total = sum(copies.values())
    return len(kinds) > 1 and total > 0 and copies.most_common(1)[0][1] > ONE_CLASS * total
