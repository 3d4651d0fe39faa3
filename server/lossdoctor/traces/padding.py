"""What fills sequences up in the batches of a run, and what the model is told of it. Pure functions of a trace."""

from __future__ import annotations

import math
from collections import Counter
from statistics import mean, median
from typing import Any

from ..model import Trace
from .measure import REGRESSION
from .wiring import recurrent_calls

MUCH = 0.4  # of all positions: below it, real positions still lead the loss and the reading
EXACTLY = 0.02  # a measured zero here and there
# evaluations of sequences without padding that show it is none of theirs, and their length relative to the filled ones;
# as much as they would lose of MUCH padding
SINGLE, BARE = 3, 1 - MUCH
BATCHES = 3  # whose sequences are all told to be as long as the batch; by chance not even one, where much is padding
# samples that are looked at, their least length, how many lengths they must have, and how much of what comes before may
# be what fills up
ENOUGH, LONG, LENGTHS, SELDOM = 32, 8, 4, 0.02
EQUAL = 1e-3  # of a loss: rounding of a recorded value
AGREE = 0.15  # padding of inputs and of targets differs by the shift of one position and by sampling
INTEGERS = frozenset({"int64", "int32"})


def filled_positions(trace: Trace) -> set[int]:
    """How many positions the batches of integer sequences have, with and without the last one of each sequence."""
    tensors = [t for r in trace.of("batch") for t in r["tensors"]] + [
        t for r in trace.of("forward") for t in r["in"]
    ]
    shapes = [t["shape"] for t in tensors if "trail" in t]
    return {math.prod(s) for s in shapes} | {math.prod(s) - s[0] for s in shapes if s[1] > 2}


def padded_share(trace: Trace) -> float | None:
    """Share of padding in the batches, else in what the model was given."""
    trails = [t["trail"] for r in trace.of("batch") for t in r["tensors"] if "trail" in t]
    given = [t for r in trace.of("forward") if r["grad"] for t in r["in"]]
    trails = trails or [t["trail"] for t in given if "trail" in t]
    shares = [t[1] for t in trails] or [t["blank"] for t in given if "blank" in t]
    return mean(shares) if shares else None


def held_share(trace: Trace) -> float:
    """Share of padding in what the model was given in evaluation; 0 where it was given no sequences of integers."""
    trails = [t["trail"] for r in trace.of("forward") if not r["grad"] for t in r["in"] if "trail" in t]
    return mean(t[1] for t in trails) if trails else 0.0


def shares_of(trace: Trace, value: int) -> list[float]:
    """Share of padding with this value, for each tensor of the batches and each input of the model."""
    tensors = [t for r in trace.of("batch") for t in r["tensors"]]
    tensors += [t for r in trace.of("forward") for t in r["in"]]
    return [t["trail"][1] for t in tensors if "trail" in t and t["trail"][0] == value]


def ends(tensor: dict[str, Any], beside: list[dict[str, Any]]) -> list[float]:
    """Share of a tensor of measurements (N, T, ...) that lies beyond lengths (N,) of the same batch, if it is zero."""
    shape = tensor["shape"]
    if len(shape) < 2 or "zeros" not in tensor or tensor["dtype"] in INTEGERS:
        return []
    lengths = [t for t in beside if t["shape"] == shape[:1] and t["dtype"] in INTEGERS and t.get("hist")]
    beyond = [1 - mean(int(v) for v, n in t["hist"].items() for _ in range(n)) / shape[1] for t in lengths]
    return [e for e in beyond if e >= 0 and abs(e - tensor["zeros"]) < EXACTLY]


def whole_lengths(trace: Trace) -> list[int]:
    """The lengths that the model is told beside padded sequences, where every one is that of the padded batch."""
    told = []
    for row in trace.of("forward"):
        tokens = next((t for t in row["in"] if "trail" in t), None)
        lengths = next((t for t in row["in"] if t["dtype"] in INTEGERS and len(t["shape"]) == 1), None)
        if not row["grad"] or tokens is None or lengths is None or tokens["trail"][1] < MUCH:
            continue
        if (
            not lengths["min"] == lengths["max"] == tokens["shape"][1]
            or lengths["shape"] != tokens["shape"][:1]
        ):
            return []
        told.append(tokens["shape"][1])
    return told if len(told) >= BATCHES else []


def filled_ends(trace: Trace) -> tuple[float, float] | None:
    """The value that sequences of measurements are filled up with, and which share of their positions it fills: what
    most of the recorded ones end with, for stretches of different lengths, and hardly ever hold before. None where
    there is no such value.
    """
    shown = [x for r in trace.of("sample") if r["grad"] and not r["int"] for x in r["x"] if len(x) >= LONG]
    if len(shown) < ENOUGH:
        return None
    value = Counter(x[-1] for x in shown).most_common(1)[0][0]
    runs = [_ending(x, value) for x in shown]
    filled = sum(runs) / sum(map(len, shown))
    before = sum(x.count(value) for x in shown) / sum(map(len, shown)) - filled
    of_sequences = 2 * sum(run > 1 for run in runs) >= len(runs) and len(set(runs)) >= LENGTHS
    return (float(value), filled) if of_sequences and before < SELDOM else None


def _ending(sequence: list[float], value: float) -> int:
    return next((n for n, v in enumerate(reversed(sequence)) if v != value), len(sequence))


def holds_filling(row: dict[str, Any], value: float, share: float) -> bool:
    """Whether a loss on measurements (N, T, ...) takes the mean over all of its targets, which hold what fills up."""
    target = row["target"]
    if not _over_all(row) or len(target["shape"]) < 2:
        return False
    if value == 0:
        return bool(abs(target.get("zeros", 0.0) - share) < AGREE)
    return any(math.isclose(target[end], value, rel_tol=EQUAL) for end in ("min", "max") if end in target)


def counts_all(row: dict[str, Any], beyond: float | None) -> bool:
    """Whether a loss on measurements takes the mean over all of its targets, of which many are filling."""
    if not _over_all(row) or beyond is None:
        return False
    return beyond >= MUCH and bool(abs(row["target"].get("zeros", 0.0) - beyond) < AGREE)


def _over_all(row: dict[str, Any]) -> bool:
    """Whether a loss is one of measurements, and the plain mean over all of its targets."""
    return row["fn"] in REGRESSION and row["reduction"] == "mean" and not row.get("weighted")


def unfilled(trace: Trace) -> bool:
    """Whether evaluation shows its sequences without the filling that all of training had: the model is asked another
    way than it has learned.
    """
    lengths = [
        [r["shape"][0] for r in trace.of("sample") if r["grad"] == side and r["shape"]]
        for side in (True, False)
    ]
    train, held = lengths
    return len(held) >= SINGLE and bool(train) and median(held) < BARE * min(train)


def tags(trace: Trace) -> bool:
    """Whether a recurrent model answers at every position: what it walks through before or after a sequence moves those
    answers a little, and does not stand in their place as a last state does.
    """
    calls = [r for r in trace.of("forward") if r["grad"] and r["in"] and r.get("out")]
    each = [
        r["in"][0]["shape"][:2] == r["out"][0]["shape"][:2] and len(r["out"][0]["shape"]) == 3 for r in calls
    ]
    return bool(each) and all(each) and bool(recurrent_calls(trace)) and trace.site("attention") is None


def idle_masks(trace: Trace) -> list[str]:
    """Names or places of what the model is given beside padded sequences that has their shape and says the same at
    every position, in every recorded call of training: a mask that leaves nothing out.
    """
    calls = [r["in"] for r in trace.of("forward") if r["grad"]]
    told = [{t["path"] for t in given if _idle(t, given)} for given in calls]
    return sorted(set.intersection(*told)) if len(told) >= BATCHES else []


def _idle(tensor: dict[str, Any], given: list[dict[str, Any]]) -> bool:
    level = tensor.get("min")
    padded = [t["shape"] for t in given if t is not tensor and t.get("trail", (0, 0.0))[1] >= MUCH]
    flat = tensor["shape"] in padded and level is not None and level == tensor.get("max")
    return flat and (level == 1 or (level == 0 and tensor["dtype"] == "bool"))
