"""# padding_not_masked: padding takes part in the loss or in the answer

**What it is.** Sequences of different length are filled up to the longest, and the filling is treated as data: its
positions enter the loss, or the recurrent layer, the attention or the average read on through it.

**Signal.** The share of padding in the batches (runs of one value at row ends); whether the loss function ignores
it (`ignore_index`) although its targets hold it, or, without reduction, the script takes the mean over all
positions; whether the lengths that go with the sequences are all those of the padded batch; whether measurements
are zero just beyond the lengths beside them, in a mean over all of them; whether sequences of measurements end with
one number for stretches of different lengths, which the loss counts (*tested*); and, where the loss is told to ignore
another symbol, which no target is, less padding counts; whether a mask beside the sequences says the same
everywhere; and, asked after the run, whether the model's answer for a padded sample changes when its padding is
taken away (of a training batch, else of an evaluation that alone has padding).

**Why it matters.** Predicting padding is easy and fills the loss; the answer for a sample depends on the longest one
that happens to share its batch.

**Remedy.** `ignore_index` (or a mask) in the loss, `key_padding_mask` in attention, packed sequences in recurrent
layers, a masked mean in pooling; or batches of similar length.

**When it stays silent.** Little padding; models that mask it inside; losses that ignore it; runs that learn well
although padding is read, unless they are evaluated without it; recurrent taggers that answer at every position.

**Confirming intervention.** `ignore_padding`: the loss leaves the padded targets out, same seed, and must end
clearly elsewhere (higher, where padding was easy); `true_lengths`: the loss must end clearly lower; for the model's
reading the comparison with and without padding is the experiment. Measurements that end with zeros, runs that learn
well without recurrence, and models whose mask leaves nothing out get `mask_padding`, and held-out answers must end
clearly better; so must they with `trim_evaluation`, where evaluation alone has padding, and with `ignore_filling`,
where measurements are filled up with a number that the loss counts.

**References.** PyTorch documentation, `CrossEntropyLoss` (`ignore_index`), `pack_padded_sequence`,
`MultiheadAttention` (`key_padding_mask`).
"""

from __future__ import annotations

import math
from statistics import mean
from typing import Any

from ..model import Evidence, Finding, Trace
from ..traces.measure import CLASSIFICATION, curve
from ..traces.padding import (
    AGREE,
    BATCHES,
    EQUAL,
    MUCH,
    counts_all,
    ends,
    filled_ends,
    filled_positions,
    held_share,
    holds_filling,
    idle_masks,
    padded_share,
    shares_of,
    tags,
    unfilled,
    whole_lengths,
)
from ..traces.progress import learned_well
from ..traces.wiring import recurrent_calls
from ._evidence import criterion_site, loss_span
from .base import TENTATIVE, Missing, Rule, at, found, number, proven, rounded

RULE = Rule(
    fault="padding_not_masked",
    severity="warning",
    sheet="loss-functions-and-objectives#masking",
    summary="Padding must not reach the loss, the attention, the recurrence or the average.",
    remedy="Mask the padding: ignore_index in the loss, a padding mask or packed sequences in the model.",
    structural=True,
    cures=False,
    needs=("batches",),
)

SOME = 0.1  # where the loss is told to ignore a symbol that no target is
LAST = SOME / 2  # of the positions of a batch: a symbol that many sequences happen to end with fills less
NEARLY = 0.9  # of all positions: a mask for another value leaves out some that happen to hold it
CHANGE = 0.1  # of the spread of the answers: floating point and masks leave less than 1e-4
LITTLE = 0.3  # of that spread: as much as leaves most classes and ranks as they are
INDEX_LOSSES = frozenset({"cross_entropy", "nll_loss"})
# what may read padding, then what was taught by it
READERS = ("rnn", "attention", "pooled", "loss", "backward")
FILLS = "value that fills the ends of the rows"


def check(trace: Trace) -> Finding | Missing | None:
    share, filled = padded_share(trace), _filled_numbers(trace) or _filled_up(trace)
    if filled is not None:
        return filled
    if share is None:
        return Missing("batches of sequences with padding")
    other = _another_index(trace, share)
    if other is not None:
        return other
    if share < MUCH:
        return _in_evaluation(trace)
    return _in_the_loss(trace, share) or _in_the_lengths(trace, share) or _in_the_answer(trace, share)


def interventions(trace: Trace) -> tuple[dict[str, Any], ...]:
    """A loss without the padding that it counts."""
    ends = filled_ends(trace)
    if ends is not None and _filled_numbers(trace) is None and _filled_up(trace) is not None:
        return ({"name": "ignore_filling", "value": ends[0]},)
    share = padded_share(trace)
    counted = None
    if share is not None:
        counted = _counted(trace, share, SOME) if _another_index(trace, share) else _counted(trace, share)
    if counted is None and whole_lengths(trace):
        return ({"name": "true_lengths"},)
    if counted is None and share is not None and share < MUCH and _in_evaluation(trace):
        return ({"name": "trim_evaluation"},)
    if counted is None and _read(trace) is not None and _tested(trace):
        return ({"name": "mask_padding"},)
    return ({"name": "ignore_padding", "value": counted[1]},) if counted else ()


def _counted(trace: Trace, share: float, least: float = MUCH) -> tuple[dict[str, Any], int, float] | None:
    """A loss call whose targets hold the padding and that counts it: its row, the value and its share. Where little is
    padding, only what fills the ends of sequences can be it.
    """
    positions = filled_positions(trace)
    for row in trace.of("loss"):
        hist = row["target"].get("hist", {})
        count = math.prod(row["target"]["shape"])
        if not any(NEARLY * p <= count <= p for p in positions):
            continue  # one target per sample, or the filling is left out already: a class that has the same number
        known = (
            hist if least == MUCH else [v for v in hist if max(shares_of(trace, int(v)), default=0.0) >= LAST]
        )
        value = max(known, key=lambda v: hist[v], default=None)
        if row["fn"] not in INDEX_LOSSES & CLASSIFICATION or value is None or not _averaged(trace, row):
            continue
        if _ignored_already(trace, row, share):
            continue  # the value is a class that is as frequent as padding
        filled = hist[value] / sum(hist.values())
        agrees = any(abs(filled - s) <= AGREE for s in (share, *shares_of(trace, int(value))))
        if filled >= least and agrees and int(value) != row.get("ignore", -100):
            return row, int(value), filled
    return None


def _ignored_already(trace: Trace, row: dict[str, Any], share: float) -> bool:
    """Whether what the loss ignores is what fills the ends of the targets, or as much of them as is padding: over all
    batches, which are filled up by more or less.
    """
    ignored = row.get("ignore", -100)
    alike = [r["target"].get("hist", {}) for r in trace.of("loss") if r["fn"] == row["fn"]]
    part = mean(h.get(str(ignored), 0) / sum(h.values()) for h in alike if h)
    return part > 0 and (bool(shares_of(trace, ignored)) or abs(part - share) <= LAST)


def _averaged(trace: Trace, row: dict[str, Any]) -> bool:
    """Whether a loss counts all of its positions: by itself, or, without reduction, in the mean that backward got."""
    if row["reduction"] != "none":
        return True
    total, value = dict(curve(trace)).get(row["i"]), row.get("value")
    return total is not None and value is not None and math.isclose(total, value, rel_tol=EQUAL)


def _another_index(trace: Trace, share: float) -> Finding | None:
    """A loss that is told to ignore a symbol that no target has, while another one fills the ends of the sequences."""
    counted = _counted(trace, share, SOME)
    rows = [r for r in trace.of("loss") if r["fn"] in INDEX_LOSSES and r["target"].get("hist")]
    ignored = {r.get("ignore", -100) for r in rows}
    if counted is None or len(rows) < BATCHES or len(ignored) != 1 or min(ignored) < 0:
        return None
    index = min(ignored)
    if any(str(index) in r["target"]["hist"] for r in rows) or shares_of(trace, index):
        return None  # targets may all be of one length beside inputs that it does fill up
    row, value, filled = counted
    return found(
        RULE,
        0.85,
        f"{row['fn']} is told to ignore {index}, which no target is; {100 * filled:.0f} % of them are the padding value"
        f" {value}.",
        Evidence(quantity=f"share of the targets that are {value}", value=rounded(filled), threshold=SOME),
        Evidence(quantity="ignore_index", value=index, threshold=value),
        Evidence(quantity="batches looked at", value=len(rows)),
        loss_span(trace),
        where=at(criterion_site(trace, row)),
    )  # fmt: skip


def _in_the_loss(trace: Trace, share: float) -> Finding | None:
    counted = _counted(trace, share)
    if counted is None:
        return None
    row, value, filled = counted
    return found(
        RULE,
        0.85,
        f"{100 * filled:.0f} % of the targets are the padding value {value}, and {row['fn']} counts them.",
        Evidence(quantity="share of padding in the batches", value=rounded(share), threshold=MUCH),
        Evidence(quantity=f"share of the targets that are {value}", value=rounded(filled)),
        Evidence(quantity=FILLS, value=value),
        Evidence(quantity="ignore_index", value=row.get("ignore", -100), threshold=value),
        loss_span(trace),
        where=at(criterion_site(trace, row)),
    )


def _filled_numbers(trace: Trace) -> Finding | None:
    """Measurements that are filled up with zeros to the longest of their batch, as the lengths beside them say, and a
    loss that is a mean over all positions.
    """
    shares = {
        tuple(t["shape"]): f for r in trace.of("batch") for t in r["tensors"] for f in ends(t, r["tensors"])
    }
    found_in = [r for r in trace.of("loss") if counts_all(r, shares.get(tuple(r["target"]["shape"])))]
    if len(found_in) < BATCHES:
        return None
    row, share = found_in[0], mean(r["target"]["zeros"] for r in found_in)
    return found(
        RULE,
        0.85,
        f"{100 * share:.0f} % of the targets are zeros that fill up shorter sequences, and {row['fn']} counts them.",
        Evidence(quantity="share of the targets beyond the lengths of their sequences", value=rounded(share),
                 threshold=MUCH),
        Evidence(quantity="batches looked at", value=len(found_in)),
        loss_span(trace),
        where=at(criterion_site(trace, row)),
    )  # fmt: skip


def _filled_up(trace: Trace) -> Finding | None:
    """Sequences of measurements that are filled up with a number of any size, and a loss that is a mean over all of
    their positions: worth a test, since measurements may end so by themselves.
    """
    ends = filled_ends(trace)
    if ends is None or ends[1] < SOME:
        return None
    value, share = ends
    lengths = {r["shape"][0] for r in trace.of("sample") if r["grad"] and r["shape"]}
    found_in = [
        r for r in trace.of("loss") if holds_filling(r, value, share) and r["target"]["shape"][1] in lengths
    ]
    if len(found_in) < BATCHES:
        return None
    row = found_in[0]
    return found(
        RULE,
        TENTATIVE,
        f"{100 * share:.0f} % of the positions of training sequences are filled up with {number(value)}, and"
        f" {row['fn']} counts them.",
        Evidence(
            quantity="share of the positions that fill up shorter sequences",
            value=rounded(share),
            threshold=SOME,
        ),
        Evidence(quantity=FILLS, value=rounded(value)),
        Evidence(quantity="batches looked at", value=len(found_in)),
        loss_span(trace),
        where=at(criterion_site(trace, row)),
    )


def _in_the_lengths(trace: Trace, share: float) -> Finding | None:
    told = whole_lengths(trace)
    if not told:
        return None
    return found(
        RULE,
        0.9,
        f"{100 * share:.0f} % of the positions are padding, but every sequence is told to be as long as its batch.",
        Evidence(quantity="share of padding in the batches", value=rounded(share), threshold=MUCH),
        Evidence(quantity="length of every sequence, by batch", value=", ".join(map(str, told[:6]))),
        loss_span(trace),
        where=at(trace.site("collate") or trace.site("loader") or trace.site("forward")),
    )


def _in_the_answer(trace: Trace, share: float) -> Finding | None:
    probe = _read(trace)
    if probe is None:
        return None
    tested = _tested(trace)
    well = learned_well(trace) and not unfilled(trace)
    idle = "".join(f" The mask {name} leaves nothing out." for name in idle_masks(trace))
    seen = found(
        RULE,
        TENTATIVE if tested else 0.75,
        f"{100 * share:.0f} % of the positions are padding, and the model's answer depends on it.{idle}",
        Evidence(quantity="share of padding in the batches", value=rounded(share), threshold=MUCH),
        Evidence(quantity="change of the answer when the padding of a sample is taken away, in standard deviations",
                 value=rounded(probe["change"]), threshold=CHANGE),
        Evidence(quantity=FILLS, value=probe.get("value", "unknown")),
        loss_span(trace),
        where=at(next(filter(None, map(trace.site, READERS)), None)),
        severity="info" if (well or tags(trace)) and not tested else None,
    )  # fmt: skip
    proof = "after the run a sample's padding alone was taken away: its answer moved by"
    told = f"{proof} {number(probe['change'])} standard deviations (a model that masks it: 0)"
    return seen if tested else proven(seen, told)


def _in_evaluation(trace: Trace) -> Finding | None:
    """Batches of evaluation that are filled up, where those of training are not: a model that reads the filling is
    asked what it has never learned.
    """
    share, probe = held_share(trace), _read(trace, "held_padding") or _read(trace)
    if share < MUCH or probe is None:
        return None
    return found(
        RULE,
        TENTATIVE,
        f"{100 * share:.0f} % of the positions are padding in evaluation, few in training, and answers depend on it.",
        Evidence(quantity="share of padding in evaluation", value=rounded(share), threshold=MUCH),
        Evidence(quantity="change of the answer when the padding of a sample is taken away, in standard deviations",
                 value=rounded(probe["change"]), threshold=CHANGE),
        Evidence(quantity=FILLS, value=probe.get("value", "unknown")),
        loss_span(trace),
        where=at(trace.site("rnn") or trace.site("attention") or trace.site("forward") or trace.site("loss")),
    )  # fmt: skip


def _read(trace: Trace, what: str = "padding") -> dict[str, Any] | None:
    """The answer to whether the model reads padding, if it does."""
    probe = next((r for r in trace.of("probe") if r["what"] == what), None)
    return probe if probe is not None and probe["change"] >= CHANGE else None


def _tested(trace: Trace) -> bool:
    """Whether what the padding does has to be seen: measurements may end with zeros of their own, a run that learns
    well may do without the mask of its attention or mean, and one whose answers hardly change may be poor for another
    reason.
    """
    shown = [r["tensors"] for r in trace.of("batch")] + [r["in"] for r in trace.of("forward")]
    measured = not any("trail" in t for tensors in shown for t in tensors)
    well = learned_well(trace) and not unfilled(trace) and not tags(trace)
    probe = _read(trace)
    little = (
        probe is not None and probe["change"] < LITTLE and not unfilled(trace) and not learned_well(trace)
    )
    return measured or little or (well and not recurrent_calls(trace)) or bool(idle_masks(trace))
