"""What a probe reads from one trace. Pure functions; every result has a one-sentence ``conclusion``."""

from __future__ import annotations

from statistics import median
from typing import Any

from ...detectors.base import number, rounded
from ...model import Trace
from ...traces.measure import (
    accuracy_curve,
    chance_loss,
    first_nonfinite,
    head,
    label_prior,
    main_steps,
    objective,
    tail,
    time_shares,
)

FITTED = 0.1  # end of the loss on one repeated batch, relative to its start, that counts as fitted
POINTS = 24
NAMES = {"data": "data", "fwd": "forward", "bwd": "backward", "step": "optimizer", "other": "other"}


def lr_range(traces: tuple[Trace, ...]) -> dict[str, Any]:
    """Rates and smoothed losses of the ramp, thinned to 24 points, and the suggestion.

    Smith (2017), section 3.3: the largest usable rate is where the loss stops falling. The suggested rate is a tenth
    of the rate at the lowest smoothed loss (Gugger's rule), bounded above by the steepest point.
    """
    rows = traces[0].of("ramp")
    if not rows:
        return {"conclusion": "the ramp did not end: too few steps of a torch optimizer were made"}
    row = rows[0]
    rates, losses = row["lr"], row["loss"]
    every = max(1, len(rates) // POINTS)
    curve = [[rounded(r), rounded(v)] for r, v in zip(rates[::every], losses[::every], strict=True)]
    best, steepest = row.get("best"), row.get("steepest")
    if best is None:
        return {
            "curve": curve,
            "conclusion": "the loss never fell while the rate rose: the rate is not what is wrong",
        }
    suggestion = best / 10
    return {
        "curve": curve, "lowest_loss_at": rounded(best), "steepest_at": rounded(steepest) if steepest else None,
        "diverged_at": rounded(row["diverged"]) if row.get("diverged") else None, "suggestion": rounded(suggestion, 2),
        "conclusion": f"try a peak rate near {suggestion:.1g}; the loss is lowest at {best:.1g} in a short ramp",
    }  # fmt: skip


def one_batch(traces: tuple[Trace, ...]) -> dict[str, Any]:
    """Can the model fit a single batch? Karpathy (2019), "A recipe for training neural networks", step 2."""
    points = objective(traces[0])
    start, end = head(points), tail(points)
    if start is None or end is None:
        return {"conclusion": "no loss was seen"}
    reached = tail(accuracy_curve(traces[0]))
    fits = end < FITTED * abs(start) or (reached is not None and reached > 0.98)
    repeated = bool(traces[0].of("loader"))
    said = (
        "fits one repeated batch: the loop, the loss and the capacity are able to learn"
        if fits
        else ("does not even fit one repeated batch: look at the loop, the loss and the rate before the data")
    )
    if not repeated:
        said = "the data does not come from a torch DataLoader, so the batch could not be repeated"
    return {"loss_first": rounded(start), "loss_last": rounded(end), "steps": len(traces[0].steps),
            "accuracy_last": rounded(reached) if reached is not None else None, "fits": fits if repeated else None,
            "conclusion": said}  # fmt: skip


def throughput(traces: tuple[Trace, ...]) -> dict[str, Any]:
    """Where a step's time goes, in ms; ``other`` is Python and host work between the measured parts."""
    trace, shares = traces[0], time_shares(traces[0])
    if shares is None:
        return {"conclusion": "fewer than five timed steps after the warm-up"}
    parts = {k: shares[k] for k in ("data", "fwd", "bwd", "step")}
    total = shares["mean_total"]
    parts["other"] = max(0.0, shares["total"] - sum(parts.values()))
    largest = max(parts, key=lambda k: parts[k])
    sizes = [t["shape"][0] for r in trace.of("forward") if r["grad"] for t in r["in"][:1] if t["shape"]]
    hot = [r for r in trace.of("hotspot") if r["what"] != "function"]
    lines = [{k: r[k] for k in ("what", "file", "line", "share", "code")} for r in hot]
    return {
        **{f"{NAMES[k]}_ms": rounded(1e3 * v) for k, v in parts.items()}, "total_ms": rounded(1e3 * total),
        "samples_per_s": rounded(median(sizes) / total) if sizes and total > 0 else None, "hot_lines": lines,
        "conclusion": f"{100 * parts[largest] / max(sum(parts.values()), 1e-12):.0f} % of the step is {NAMES[largest]}",
    }  # fmt: skip


def nan_origin(traces: tuple[Trace, ...]) -> dict[str, Any]:
    broken = first_nonfinite(traces[0])
    if broken is None:
        return {
            "first_nonfinite_step": None,
            "conclusion": "every loss and gradient that was recorded is finite",
        }
    rows = traces[0].of("nonfinite")
    if not rows:
        return {
            "first_nonfinite_step": broken,
            "conclusion": f"not finite at step {broken}; the operation was not found",
        }
    row = rows[0]
    origin = {k: row.get(k) for k in ("op", "phase", "module", "inputs_bad", "inputs", "i")}
    said = f"{row['op']} made the first non-finite value in the {row['phase']} pass of step {row['i']}"
    return {"first_nonfinite_step": broken, "origin": origin, "conclusion": said}


def init(traces: tuple[Trace, ...]) -> dict[str, Any]:
    """Scale of activations and gradients through the depth at the first step."""
    trace = traces[0]
    layers = [
        [r["name"], r["class"], rounded(r["std"]), r.get("dead")] for r in trace.of("act") if r["i"] == 1
    ]
    names = {p.id: p.name for p in trace.parameters if len(p.shape) >= 2}
    first = main_steps(trace)[0] if trace.steps else None
    norms = [[names[k], rounded(v)] for k, v in (first.grads if first else {}).items() if k in names]
    chance, start = chance_loss(trace), head(objective(trace))
    ends = [r[2] for r in layers if isinstance(r[2], float) and r[2] > 0]
    spread = max(ends) / min(ends) if ends else None
    said = (
        "no activations were seen"
        if spread is None
        else (
            f"activation scales differ by a factor of {spread:.3g} through {len(layers)} layers at the first step"
        )
    )
    return {"activation_std": layers[:40], "gradient_norm": norms[:40], "loss_first": rounded(start) if start else None,
            "loss_of_constant_prediction": rounded(chance) if chance else None, "conclusion": said}  # fmt: skip


def data(traces: tuple[Trace, ...]) -> dict[str, Any]:
    """What the loss sees: input and target ranges, the label prior, the loaders."""
    trace = traces[0]
    inputs = [t for r in trace.of("forward") if r["grad"] for t in r["in"]][:3]
    target = next((r["target"] for r in trace.of("loss")), None)
    prior = label_prior(trace)
    loaders = [
        {k: r.get(k) for k in ("dataset", "len", "batch_size", "sampler", "workers")}
        for r in trace.of("loader")
    ]
    chance = chance_loss(trace)
    said = (
        f"a constant prediction reaches a loss of {number(chance)}"
        if chance is not None
        else "no label prior was seen"
    )
    return {"inputs": [_brief(t) for t in inputs], "target": _brief(target) if target else None,
            "label_prior": {str(k): round(v, 3) for k, v in list(prior.items())[:20]} if prior else None,
            "loaders": loaders[:4], "conclusion": said}  # fmt: skip


def _brief(tensor: dict[str, Any]) -> dict[str, Any]:
    keys = ("shape", "dtype", "min", "max", "mean", "std", "bad", "distinct")
    return {k: rounded(tensor[k]) if isinstance(tensor[k], float) else tensor[k] for k in keys if k in tensor}
