"""# graph_growth: autograd history accumulates across steps

**What it is.** A tensor with a history is kept from step to step: a sum of losses without `.item()`, a list of
outputs or metrics, a hidden state that is not detached. Each keeps the graph of its step, or of all before, alive.

**Signal.** Every forward pass marks the graph that it makes; after chosen steps the graphs of all live tensors are
walked and the steps found there are counted. Or the graph behind the loss itself gets longer from step to step.

**Why it matters.** Memory grows with every step until it runs out; where the loss itself is concerned, so does the
time of the backward pass.

**Remedy.** Keep numbers: `.item()` or `.detach()`; wrap measurements in `torch.no_grad()`; detach carried state.

**When it stays silent.** The graphs of the last step or two; windows of fixed length; graphs that an episode collects
until its one update; sums that are dropped at the end of a short epoch.

**Confirming intervention.** `drop_graphs`: what outlives its step is detached, same seed; far less must then be held,
and the loss must end no higher. `detach_state` for states that are passed on at each step.

**References.** PyTorch documentation, FAQ, "My model reports cuda runtime error(2): out of memory" (do not accumulate
history across your training loop).
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from ..model import Evidence, Finding, Trace
from .base import Rule, at, found, rounded, site_by_id

RULE = Rule(
    fault="graph_growth",
    severity="warning",
    sheet="training-loop-architecture#graph-growth",
    summary="Whatever is kept across steps must be a number or a detached tensor.",
    remedy="Append loss.item() or tensor.detach(), and measure under torch.no_grad().",
    symptom="oom",
    structural=True,
    needs=("optimizer_steps",),
    interventions=({"name": "drop_graphs"}, {"name": "detach_state"}),
)

MIN_HELD = 8  # earlier steps whose graph is alive; loops that keep the last loss and output hold one or two
GROWTH = 1.5  # of what is held, while the number of steps doubles
RISES = 2  # between walks; a second phase with another loss is one
LOSS_GROWTH = 2.0  # nodes behind the loss, last walk against the first ones


def check(trace: Trace) -> Finding | None:
    return _held(trace) or _loss_graph(trace)


def _held(trace: Trace) -> Finding | None:
    rows = trace.of("held")
    if len(rows) < 3:
        return None
    last, before = rows[-1], rows[-2]
    growing = last["steps"] >= GROWTH * before["steps"] > 0 or last["steps"] >= 0.8 * last["i"]
    if last["steps"] < MIN_HELD or not growing:
        return None
    name = next((r["name"] for r in reversed(rows) if r.get("name")), None)
    site = next((r["site"] for r in reversed(rows) if r.get("site") is not None), None)
    kept = f", kept by {name!r}" if name else ""
    return found(
        RULE,
        0.92,
        f"After step {last['i']} the graphs of {last['steps']} forward passes are still alive{kept}.",
        Evidence(quantity="forward passes whose graph is held", value=_series(rows, "steps"), step=last["i"]),
        Evidence(quantity="nodes that are held", value=_series(rows, "nodes")),
        where=at(site_by_id(trace, site)),
    )


def _series(rows: tuple[dict[str, Any], ...], key: str) -> str:
    return ", ".join(f"step {row['i']}: {row[key]}" for row in rows[-4:])


def _loss_graph(trace: Trace) -> Finding | None:
    walks = [(row["n"], row["nodes"]) for row in trace.of("graph")]
    sizes = [nodes for _, nodes in walks]
    if len(sizes) < 4 or sizes[-1] < LOSS_GROWTH * max(1, sizes[1]) or sizes[2:] != sorted(sizes[2:]):
        return None
    if sizes[-1] <= sizes[-2] or sum(b > a for a, b in pairwise(sizes[1:])) < RISES:
        return None
    return found(
        RULE,
        0.9,
        f"The graph behind the loss grows: {sizes[1]} nodes in the second backward pass, {sizes[-1]} in a late one.",
        Evidence(quantity="nodes behind the loss",
                 value=", ".join(f"pass {n}: {nodes}" for n, nodes in walks[-4:]), threshold=sizes[1]),
        Evidence(quantity="growth factor", value=rounded(sizes[-1] / max(1, sizes[1]))),
        where=at(trace.site("backward")),
    )  # fmt: skip
