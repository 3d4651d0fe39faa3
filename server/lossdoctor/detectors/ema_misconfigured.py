"""# ema_misconfigured: the weight average is too slow (or too fast) for the length of the run

**What it is.** The evaluated weights are a running average of the trained ones with a decay, or an update interval,
whose memory is longer than the whole run: they have hardly left the initial values.

**Signal.** Two distances at an evaluation: from the evaluated weights to the trained ones, and from the initial weights
to the trained ones. Their ratio is 1 for an average that has not moved, and small for one that follows.

**Why it matters.** The training loss falls, the evaluation stays at chance, and it looks like overfitting or a bug in
the evaluation.

**Remedy.** Choose the decay for the run: a memory 1/(1 - decay), in updates, of at most a tenth of all updates; warm it
up (min(decay, (1 + n)/(10 + n))); update every step.

**When it stays silent.** Recordings that were cut off before the script ended, unless the lag tells of a memory of more
than 30,000 updates; averages that follow; target and teacher networks, which run before every step.

**Confirming intervention.** `faster_ema` (torch's own averages, and copies that a script averages by
hand): evaluation must get better.

**References.** Polyak and Juditsky (1992); PyTorch documentation, `torch.optim.swa_utils.AveragedModel`; TensorFlow
documentation, `ExponentialMovingAverage` (the warm-up of the decay).
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from ..model import Evidence, Finding, Trace
from ..traces.evaluations import rounds
from .base import Missing, Rule, at, found, rounded

RULE = Rule(
    fault="ema_misconfigured",
    severity="warning",
    sheet="training-loop-architecture#weight-averaging",
    summary="The memory of the average, 1/(1 - decay) updates, must be short beside the run.",
    remedy="Lower the decay until 1/(1 - decay) is at most a tenth of the updates of the run, and update every step.",
    symptom="val_above_train",
    structural=True,
    interventions=({"name": "faster_ema"},),
    contraindications=(
        "More regularisation does not help: the evaluated weights are nearly the initial ones.",
    ),
)

# An average with memory m after n updates keeps the share exp(-n/m) of the initial weights: 0.6 means m = 2 n.
LAG = 0.6
MOVED = 0.02  # |trained - first| / |trained|: below that there is nothing to lag behind
MIN_STEPS = 20
LONGEST = 30_000  # updates of memory; usual decays end at 0.9999 (10,000), whatever the length of the run


def check(trace: Trace) -> Finding | Missing | None:
    rows = [r for r in _seldom(trace) if r.get("twin") is not None and r.get("moved") is not None]
    if not rows:
        return Missing("an evaluation with averaged weights")
    last = rows[-1]
    ended = trace.end is not None and trace.end["stop"] == "script_end"
    if len(trace.steps) < MIN_STEPS or not (ended or _memory(last) > LONGEST):
        return Missing("the end of the script")
    if last.get("swapped") and len(rows) < 2:
        return None  # weights that are put back once, at the end, are no average
    if last["moved"] < MOVED or last["twin"] < LAG * last["moved"]:
        return None
    return found(
        RULE,
        0.9 if ended else 0.7,
        f"After {last['i']} steps the evaluated average is still {100 * last['twin'] / last['moved']:.0f} % of the"
        " whole way behind the trained weights.",
        Evidence(quantity="|evaluated - trained| / |trained|, last evaluation", value=rounded(last["twin"]),
                 step=last["i"]),
        Evidence(quantity="|initial - trained| / |trained|", value=rounded(last["moved"])),
        Evidence(quantity="ratio of the two", value=rounded(last["twin"] / last["moved"]), threshold=LAG),
        where=at(trace.site("average") or trace.site("evaluation")),
    )  # fmt: skip


def _seldom(trace: Trace) -> list[dict[str, Any]]:
    """Evaluations; where a teacher answers before every step, those on other lines, which come now and then."""
    found = rounds(trace)
    if found:
        return found
    lines = Counter(r["site"] for r in trace.of("eval"))
    return [r for r in trace.of("eval") if lines[r["site"]] <= len(trace.steps) // 4]


def _memory(row: dict[str, Any]) -> float:
    """The memory of the average in updates, as its lag tells: weights that move at an even pace for n updates leave it
    n - n^2 / 2m of them behind. 0 for a copy that does not move at all: it may be no average.
    """
    behind = row["twin"] / row["moved"] if row["moved"] >= MOVED else 0.0
    return float(row["i"] / (2 * (1 - behind))) if behind < 1 else 0.0
