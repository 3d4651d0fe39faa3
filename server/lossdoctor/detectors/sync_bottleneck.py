"""# sync_bottleneck: the loop forces a host-device synchronisation or a Python-side stall every step

**What it is.** Between the steps the host does something slow: it writes a checkpoint or a figure, computes a
metric in Python, sleeps, or reads values back from the accelerator so that its queue runs dry.

**Signal.** The part of a step's wall time that is neither loading, nor forward, nor backward, nor the optimizer,
nor the recorder, nor taken by other programs (time in which the thread was ready to run, where the system tells it),
against the whole step; and the line of the script that runs during it.

**Why it matters.** The device waits; a faster one, or a faster model, changes nothing.

**Remedy.** Do it every n-th step, in another process, or on the device; read values back together, once in a while.

**When it stays silent.** Stalls that are short in absolute terms (the cost of Python itself); data that the script
makes or fetches without a DataLoader, unless nearly all of the step goes there, or its line writes something down or
stands below the update;
environments that are stepped in reinforcement learning; loops whose slow part is the loader
(`dataloader_bottleneck`).

**Confirming intervention.** None: the time and the line are measured.

**References.** PyTorch documentation, "Performance tuning guide" (avoid unnecessary CPU-GPU synchronization) and
"CUDA semantics" (asynchronous execution).
"""

from __future__ import annotations

import re
from typing import Any

from ..model import Evidence, Finding, Site, Trace, Where
from ..traces.measure import time_shares
from ..traces.wiring import gradients_of_its_own
from .base import Missing, Rule, found, rounded

RULE = Rule(
    fault="sync_bottleneck",
    severity="warning",
    sheet="training-loop-architecture#host-stalls",
    summary="Whatever is not needed in every step must not be done in every step.",
    remedy="Move the named line out of the step: every n-th step, once per epoch, or to another process.",
    symptom="slow_training",
    needs=("optimizer_steps",),
    contraindications=(
        "A larger batch, AMP or a faster device does not help while the host is busy elsewhere.",
    ),
)

SHARE = 0.5  # of the step, as for loading
MIN_STALL_S = 20e-3  # Python and the recorder around a small model cost up to 10 ms a step on a busy machine
SHORT_S, TIMES = 5e-3, 3.0  # less will do where the stall is that many times as long as the training itself
EVALUATION = 40  # lines after the beginning of an evaluation that are taken for part of it
SURE = 0.3  # share of the samples that fell on one line: a stall is often spread over a few
# of the stall, over the lines of one function in which no part of training happens; and of the samples of a line
MOSTLY = 0.5
# Without a DataLoader the script makes its data itself (or steps an environment), which is no stall: only much more
# than that is told. Not measured beyond the specimens.
ALONE = 0.8
WRITES = re.compile(
    r"json\.dump|\.write(row|lines)?\(|fsync|\.save\(|savez?\(|savefig\(|\.flush\(|\.commit\(|pickle\.dump|to_csv\("
)
# Lines whose time is counted elsewhere, or on which the recorder itself works after the call.
TRAINING = frozenset(
    {"step", "backward", "loss", "zero_grad", "late_zero_grad", "clip", "loader", "schedule_step"}
)
LOOP = frozenset({"training_loop", "zero_grad", "backward", "step"})  # where training has begun


def check(trace: Trace) -> Finding | Missing | None:
    parts = time_shares(trace)
    if parts is None:
        return Missing("five or more timed steps after the warm-up")
    if gradients_of_its_own(trace):  # what the loop does beside the passes makes them
        return None
    spent, total = parts["data"] + parts["fwd"] + parts["bwd"] + parts["step"], parts["total"]
    share = 1 - spent / total if total > 0 else 0.0
    stall = share * parts["own"]  # other programs take the processor from every part alike
    loads = bool(trace.of("loader"))
    least = SHORT_S if loads and stall > TIMES * spent else MIN_STALL_S
    row = _hottest(trace, share) if stall >= least else None
    if row is None:
        return None
    # what is written down, or stands below the update, makes no data
    kept = WRITES.search(row["code"]) is not None or row.get("after", 0.0) > MOSTLY
    if share < (SHARE if loads or kept else ALONE):
        return None
    what = "function" if row["what"] == "function" else "line"
    return found(
        RULE,
        0.8,
        f"{100 * share:.0f} % of each step goes to neither loading nor training, mostly in one {what}.",
        Evidence(quantity=f"{what} that runs for most of the step", value=rounded(row["share"]), unit="of the samples",
                 where=row["code"][:100]),
        Evidence(quantity="time outside loading, forward, backward and step", value=rounded(1e3 * stall), unit="ms"),
        Evidence(quantity="time inside them", value=rounded(1e3 * spent), unit="ms"),
        where=Where(file=row["file"], line=row["line"]),
    )  # fmt: skip


def _end(trace: Trace, evaluation: Site) -> int:
    """The line at which an evaluation ends at the latest: where the training loop begins, if that stands below."""
    loop = [
        s.line
        for s in trace.sites
        if s.what in LOOP and s.file == evaluation.file and s.line > evaluation.line
    ]
    return min([evaluation.line + EVALUATION, *loop])


def _hottest(trace: Trace, stalled: float) -> dict[str, Any] | None:
    """The line that most of the step was spent on, else the function that most of the stall was, unless it holds a
    training call or is part of an evaluation.
    """
    known = {(s.file, s.line) for s in trace.sites if s.what in TRAINING}
    known |= {
        (s.file, n) for s in trace.sites if s.what == "evaluation" for n in range(s.line, _end(trace, s))
    }
    for what, least in (("step", SURE), ("function", MOSTLY * stalled)):
        for row in trace.of("hotspot"):
            first, last = row.get("lines", (row["line"], row["line"]))
            held = known & {(row["file"], n) for n in range(first, last + 1)}
            if row["what"] == what and row["share"] >= least and not held:
                return row
    return None
