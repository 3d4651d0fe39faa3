"""# memory_growth: memory rises step by step until out of memory

**What it is.** Something is kept at every step and never released: batches or outputs in a list, a cache without
bound, figures or log records that pile up.

**Signal.** Memory of the process (and what the accelerator's allocator holds) on sampled steps: after the first third
it rises in nearly every interval, by the same amount per step, and by a clear share in total.

**Why it matters.** The run ends by being killed, often after hours, and at another place than the leak.

**Remedy.** Keep numbers or CPU copies of what is needed, bound caches, and close what is opened in the loop.

**When it stays silent.** Growth during warm-up; caches that fill in the first epoch; memory that goes up and down;
growth that autograd history explains (`graph_growth`).

**Confirming intervention.** None: the curve is the proof.

**References.** Linux manual, proc(5), `statm`; PyTorch documentation, "Understanding CUDA memory usage".
"""

from __future__ import annotations

from itertools import pairwise

from ..model import Evidence, Finding, Trace
from .base import Missing, Rule, at, found, rounded

RULE = Rule(
    fault="memory_growth",
    severity="warning",
    sheet="training-loop-architecture#graph-growth",
    summary="Whatever is kept across steps must be bounded.",
    remedy="Find what grows (lists, caches, figures) and keep only numbers or a bounded window of it.",
    symptom="oom",
    structural=True,
)

MIN_SAMPLES = 9  # three in each third
RISING = 0.9  # share of the intervals in which memory rose; allocators that settle rise in few
TOTAL = 32 * 2**20  # bytes; the recorder and the allocator move by less than that after the first steps
SHARE = 0.05  # of what was held before
EVEN = 0.5  # the last third must grow by at least this share of what the middle third did


def check(trace: Trace) -> Finding | Missing | None:
    samples = [(s.i, s.memory) for s in trace.steps if s.memory]
    if len(samples) < MIN_SAMPLES:
        return Missing("memory at nine steps")
    third = len(samples) // 3
    middle, last = samples[third : 2 * third + 1], samples[2 * third :]
    late = samples[third:]
    rises = sum(b > a for (_, a), (_, b) in pairwise(late)) / (len(late) - 1)
    grown = late[-1][1] - late[0][1]
    even = (last[-1][1] - last[0][1]) >= EVEN * (middle[-1][1] - middle[0][1]) > 0
    if rises < RISING or grown < TOTAL or grown < SHARE * late[0][1] or not even:
        return None
    steps = late[-1][0] - late[0][0]
    return found(
        RULE,
        0.8,
        f"Memory rises with every step: {grown / 2**20:.0f} MiB in {steps} steps, and no slower at the end.",
        Evidence(quantity="memory, after the first third and at the end",
                 value=f"{late[0][1] / 2**20:.0f} -> {late[-1][1] / 2**20:.0f}", unit="MiB", step=late[0][0]),
        Evidence(quantity="growth per step", value=rounded(grown / max(1, steps) / 2**20), unit="MiB"),
        Evidence(quantity="share of the intervals in which it rose", value=rounded(rises), threshold=RISING),
        where=at(trace.site("grown")),
    )  # fmt: skip
