"""# memory_growth: memory rises step by step until out of memory

**What it is.** Something is kept at every step and never released: batches or outputs in a list, a cache without
bound, figures or log records that pile up.

**Signal.** Memory of the process (and what the accelerator's allocator holds) on sampled steps: after the first third
it rises in nearly every interval, by the same amount per step, and by a clear share in total. Or one tensor (a queue, a
cache) that was larger at every look, by the same amount per step, however small it still is. Or a store whose bound the
machine could not hold, by what each of its items takes.

**Why it matters.** The run ends by being killed, often after hours, and at another place than the leak.

**Remedy.** Keep numbers or CPU copies of what is needed, bound caches, and close what is opened in the loop.

**When it stays silent.** Growth during warm-up; caches that fill in the first epoch; memory that goes up and down;
growth that autograd history explains (`graph_growth`); stores with a bound (a replay memory) that the run was
still filling, where there is memory for all of it.

**Confirming intervention.** None: the curve is the proof.

**References.** Linux manual, proc(5), `statm`; PyTorch documentation, "Understanding CUDA memory usage".
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from ..model import Evidence, Finding, Trace
from .base import Missing, Rule, at, found, rounded, site_by_id

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
LOOKS = 3  # in a row at which a tensor has grown; they lie twice as many steps apart each time
STEADY = (0.8, 1.25)  # its growth per step from one interval to the next
TIMES = 2.0  # its size at the last of them over that at the first
FILLING = 0.6  # of the run, during which a bounded store was not yet full
FULLER = 0.6  # share of the intervals in which memory rose, beside a store that is seen to grow
EVEN = 0.5  # the last third must grow by at least this share of what the middle third did


def check(trace: Trace) -> Finding | Missing | None:
    tensor = _tensor(trace)
    if tensor is not None:
        return tensor
    samples = [(s.i, s.memory) for s in trace.steps if s.memory]
    if len(samples) < MIN_SAMPLES:
        return Missing("memory at nine steps")
    third = len(samples) // 3
    middle, last = samples[third : 2 * third + 1], samples[2 * third :]
    late = samples[third:]
    rises = sum(b > a for (_, a), (_, b) in pairwise(late)) / (len(late) - 1)
    grown = late[-1][1] - late[0][1]
    even = (last[-1][1] - last[0][1]) >= EVEN * (middle[-1][1] - middle[0][1]) > 0
    if rises < FULLER or grown < max(TOTAL, SHARE * late[0][1]) or not even:
        return None
    steps = late[-1][0] - late[0][0]
    if _filling(trace, late[-1][0]):
        return _beyond(trace, grown / steps)
    if rises < RISING:
        return None
    return found(
        RULE,
        0.8,
        f"Memory rises with every step: {grown / 2**20:.0f} MiB in {steps} steps, and no slower at the end.",
        Evidence(quantity="memory, after the first third and at the end",
                 value=f"{late[0][1] / 2**20:.0f} -> {late[-1][1] / 2**20:.0f}", unit="MiB", step=late[0][0]),
        Evidence(quantity="growth per step", value=rounded(grown / max(1, steps) / 2**20), unit="MiB"),
        Evidence(quantity="share of the intervals in which it rose", value=rounded(rises), threshold=RISING),
        where=at(trace.site("collected") or trace.site("grown")),
    )  # fmt: skip


def _tensor(trace: Trace) -> Finding | None:
    """A tensor that is made larger at every step."""
    looks = [r["i"] for r in trace.of("held")][-LOOKS:]
    epochs = {r["i"]: r["epoch"] for r in trace.of("ids") if r["grad"] and r["epoch"] is not None}
    if len(looks) < LOOKS or epochs.get(looks[0], 0) == epochs.get(looks[-1], 1):
        return None  # what one epoch collects may be let go at its end
    for name in dict.fromkeys(r["name"] for r in trace.of("grown")):
        rows = [r for r in trace.of("grown") if r["name"] == name and r["i"] in looks]
        paces = [(b["bytes"] - a["bytes"]) / (b["i"] - a["i"]) for a, b in pairwise(rows)]
        if len(rows) < LOOKS or rows[-1]["bytes"] < TIMES * rows[0]["bytes"]:
            continue
        if not all(STEADY[0] <= b / a <= STEADY[1] for a, b in pairwise(paces)):
            continue
        return found(
            RULE,
            0.85,
            f"The tensor {name!r} becomes larger with every step and is never cut.",
            Evidence(quantity=f"size of {name}", unit="KiB",
                     value=", ".join(f"step {r['i']}: {r['bytes'] // 1024}" for r in rows)),
            Evidence(quantity="growth per step", value=rounded(paces[-1] / 1024), unit="KiB"),
            where=at(site_by_id(trace, rows[-1]["site"])),
        )  # fmt: skip
    return None


def _filling(trace: Trace, last: int) -> bool:
    """Whether a store with a bound, at the pace of its last two looks, was still filling up for most of the run."""
    return any(r["i"] + (r["limit"] - r["len"]) / pace >= FILLING * last for r, pace in _stores(trace))


def _stores(trace: Trace) -> list[tuple[dict[str, Any], float]]:
    """The last look at each store that grows, and by how many items per step it did before."""
    found = []
    for name in dict.fromkeys(r["name"] for r in trace.of("store")):
        rows = [r for r in trace.of("store") if r["name"] == name][-2:]
        if len(rows) == 2 and rows[1]["len"] > rows[0]["len"]:
            found.append((rows[1], (rows[1]["len"] - rows[0]["len"]) / (rows[1]["i"] - rows[0]["i"])))
    return found


def _beyond(trace: Trace, per_step: float) -> Finding | None:
    """A store whose bound is more than the machine has memory for, if what memory grows by per step is its items."""
    whole, stores = trace.start.get("memory"), _stores(trace)
    if not whole or not stores:
        return None
    row, pace = max(stores, key=lambda s: s[1])
    item = per_step / pace
    if item * row["limit"] <= whole:
        return None
    return found(
        RULE,
        0.8,
        f"{row['name'][:40]!r} may hold {row['limit']} items, more than this machine has memory for; it only grows.",
        Evidence(quantity="memory per item", value=rounded(item / 2**10), unit="KiB"),
        Evidence(quantity="memory of all items that it may hold, and of the machine",
                 value=f"{item * row['limit'] / 2**30:.1f}, {whole / 2**30:.1f}", unit="GiB"),
        Evidence(quantity="items at the last look", value=row["len"], step=row["i"], threshold=row["limit"]),
        where=at(site_by_id(trace, row.get("site")) or trace.site("collected")),
    )  # fmt: skip
