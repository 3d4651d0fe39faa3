"""# hidden_state_misuse: recurrent state leaks across sequences, or is reset where it should carry

**What it is.** A recurrent layer is called moment by moment without its state; windows of one long sequence are
trained from an empty state although the evaluation carries it; or state is carried between windows that do not
follow each other.

**Signal.** For each recurrent layer: calls per forward pass, length of the input, whether a state was passed and
whether it is the one that the last call returned; how well successive inputs continue each other (the change across
the border against the change inside a window, or whether they lie in memory one behind the other); and, of samples
that come up again, how often the same sample follows in the next batch. Windows of which each begins far nearer to
where its row ended than to the other rows, in a layer that gets no state in training nor in evaluation, are only
*tested*.

**Why it matters.** Without state a recurrent layer sees one moment; with a foreign one it is told a wrong past.

**Remedy.** Pass the state on within a sequence; detach it between windows that continue; reset it where a new
sequence begins, in training as in evaluation.

**When it stays silent.** Layers that see their whole sequence in one call; independent windows with an empty state;
continuing windows with a carried one; short windows of few symbols, which are equal by chance.

**Confirming intervention.** `reset_state` (every step starts from an empty state) for a state from unrelated
sequences, `carry_state` (every step starts from the state of the one before) for one that is thrown away, same seed.

**References.** PyTorch documentation, `torch.nn.LSTM` (`h_0`, `c_0` default to zeros); Williams and Peng (1990) for
truncated backpropagation through time.
"""

from __future__ import annotations

from statistics import median
from typing import Any

from ..model import Evidence, Finding, Site, Trace
from ..traces.streams import followers
from ..traces.wiring import recurrent_calls
from .base import TENTATIVE, Missing, Rule, at, found, rounded, site_by_id

RULE = Rule(
    fault="hidden_state_misuse",
    severity="critical",
    sheet="training-loop-architecture#recurrent-state",
    summary="Carry the state inside a sequence, detach it between windows, reset it between sequences.",
    remedy="Pass the returned state to the next call of the same sequence, and start from zeros for a new one.",
    structural=True,
    needs=("optimizer_steps",),
    interventions=({"name": "reset_state"},),
)

LONGER = 4  # length of an evaluated sequence relative to a training window

MIN_CALLS = 4  # of single moments in one pass: fewer may be layers that share weights
FOLLOWS = (
    2.0  # change across the border of windows over the change inside: about 1 where they continue each other
)
APART = 3.0  # and about sqrt(2) standard deviations over it, 5 to 20 for smooth signals, where they do not
MOST = 0.7
CUTS = 4  # windows that lie in memory one behind the other
NEARER = 3.0  # times nearer than the beginnings of other windows of the batch
REPEATS = 30  # samples that come up again, below which their order says nothing
STRAY = 0.2  # share with the same follower; windows that continue each other keep it in every epoch


def check(trace: Trace) -> Finding | Missing | None:
    rows = recurrent_calls(trace)
    if not rows:
        return Missing("a recurrent layer")
    training = [r for r in rows if r["grad"]]
    return _momentary(trace, training) or _border(trace, training, [r for r in rows if not r["grad"]])


def _momentary(trace: Trace, rows: list[dict[str, Any]]) -> Finding | None:
    """Called once per moment, never with a state."""
    for row in rows:
        length = 1 if row["cell"] else _length(row)
        if length == 1 and row["calls"] >= MIN_CALLS and not row["given"]:
            return found(
                RULE,
                0.95,
                f"{row['class']} is called {row['calls']} times in a pass, one moment each, with an empty state.",
                Evidence(quantity="calls in one pass", value=row["calls"], step=row["i"]),
                Evidence(quantity="calls with a state", value=0),
                where=at(site_by_id(trace, row["site"])),
            )
    return None


def _carried(row: dict[str, Any]) -> bool:
    """Whether the first call of the pass, too, got the state that was returned last: one from the pass before."""
    return bool(row["carried"] >= row["calls"] > 0)


def _length(row: dict[str, Any]) -> int:
    shape = row["shape"]
    return int(shape[1 if row["batch_first"] else 0]) if len(shape) == 3 else 0


def _border(trace: Trace, training: list[dict[str, Any]], evaluation: list[dict[str, Any]]) -> Finding | None:
    after = [r for r in training if r["i"] > 1]
    cut = [r["adjacent"] for r in after if r.get("adjacent") is not None]
    if (
        len(cut) >= CUTS
        and sum(cut) >= MOST * len(after)
        and sum(map(_carried, after)) < (1 - MOST) * len(after)
    ):
        return _thrown_away(trace, after, None, sure=any(r["carried"] for r in evaluation))
    again, count = followers(trace)
    if after and count >= REPEATS and again < STRAY and sum(_carried(r) for r in after) >= MOST * len(after):
        return _shuffled(trace, after, again, count)
    later = [r for r in after if r.get("inner")]
    if len(later) < 3:
        return None
    ratio = median(r["jump"] / r["inner"] for r in later)
    carried = sum(1 for r in later if _carried(r)) / len(later)
    elsewhere = bool(evaluation) and any(r["carried"] for r in evaluation)
    if carried >= MOST and ratio > APART:
        return _foreign(trace, later, ratio)
    if carried < 1 - MOST and elsewhere and ratio < FOLLOWS:
        return _thrown_away(trace, later, ratio)
    in_order = count >= REPEATS and again > 1 - STRAY
    unused = carried < 1 - MOST and ratio < FOLLOWS
    if unused and in_order and _longer(trace, later[0]):
        return _thrown_away(trace, later, ratio, sure=False)
    if unused and _continue(later):  # what came before may have nothing to say: that is tested
        return _thrown_away(trace, later, ratio, sure=None)
    return None


def _continue(rows: list[dict[str, Any]]) -> bool:
    """Whether each window begins where the one at its place in the batch before ended, far nearer than others do."""
    asked = [r for r in rows if r.get("apart") is not None and r["calls"] == 1]
    return len(asked) >= CUTS and sum(NEARER * r["jump"] < r["apart"] for r in asked) >= MOST * len(asked)


def _longer(trace: Trace, row: dict[str, Any]) -> bool:
    """Whether evaluation walks through far longer sequences in one call than training does."""
    axis = 1 if row["batch_first"] else 0
    lengths = [r["in"][0]["shape"][axis] for r in trace.of("forward")
               if not r["grad"] and r["in"] and len(r["in"][0]["shape"]) == 3]  # fmt: skip
    return bool(lengths) and len(row["shape"]) == 3 and max(lengths) >= LONGER * row["shape"][axis]


def _place(trace: Trace, row: dict[str, Any]) -> Site | None:
    """The call of the layer; the script's call of the model, where the script keeps the state itself: what it hands
    over beside the input comes back in the same shape.
    """
    calls = [r for r in trace.of("forward") if r["grad"] and len(r["in"]) > 1 and r.get("out")]
    kept = [any(t["shape"] in [o["shape"] for o in r["out"][1:]] for t in r["in"][1:]) for r in calls]
    return trace.site("forward") if kept and all(kept) else site_by_id(trace, row["site"])


def interventions(trace: Trace) -> tuple[dict[str, Any], ...]:
    """State is carried where it is thrown away, else emptied where it comes from elsewhere."""
    later = [r for r in trace.of("rnn") if r["grad"] and r["i"] > 1]
    carried = sum(1 for r in later if _carried(r)) >= MOST * max(1, len(later))
    return ({"name": "reset_state" if carried else "carry_state"},)


def _foreign(trace: Trace, rows: list[dict[str, Any]], ratio: float) -> Finding:
    return found(
        RULE,
        0.85,
        "State is carried from batch to batch, but the batches do not continue each other.",
        Evidence(quantity="change across the border of two windows over the change inside", value=rounded(ratio),
                 threshold=APART),
        Evidence(quantity="batches that got the state of the one before", value=sum(_carried(r) for r in rows),
                 threshold=f"of {len(rows)}"),
        where=at(_place(trace, rows[0])),
    )  # fmt: skip


def _shuffled(trace: Trace, rows: list[dict[str, Any]], again: float, count: int) -> Finding:
    return found(
        RULE,
        0.9,
        "State is carried from batch to batch, but the batches are drawn anew: it comes from unrelated sequences.",
        Evidence(quantity="recurring samples that the same sample follows in the next batch", value=rounded(again),
                 threshold=STRAY),
        Evidence(quantity="recurring samples looked at", value=count),
        Evidence(quantity="batches that got the state of the one before", value=sum(_carried(r) for r in rows),
                 threshold=f"of {len(rows)}"),
        where=at(_place(trace, rows[0])),
    )  # fmt: skip


def _thrown_away(
    trace: Trace, rows: list[dict[str, Any]], ratio: float | None, sure: bool | None = True
) -> Finding:
    """``sure``: whether evaluation carries the state, or walks through longer sequences (False), or neither (None)."""
    how = "carries it" if sure else "walks through whole sequences"
    more = "" if sure is None or (ratio is None and not sure) else f" and the evaluation {how}"
    border = Evidence(
        quantity="windows that begin in memory where the last one ended",
        value=sum(r.get("adjacent") or 0 for r in rows),
        threshold=f"of {len(rows)}",
    )
    if ratio is not None:
        border = Evidence(
            quantity="change across the border of two windows over the change inside",
            value=rounded(ratio),
            threshold=FOLLOWS,
        )
    return found(
        RULE,
        0.85 if sure else TENTATIVE,
        f"Training starts every window from an empty state although the windows continue each other{more}.",
        border,
        Evidence(quantity="training batches with a carried state", value=sum(_carried(r) for r in rows),
                 threshold=f"of {len(rows)}"),
        where=at(_place(trace, rows[0])),
    )  # fmt: skip
