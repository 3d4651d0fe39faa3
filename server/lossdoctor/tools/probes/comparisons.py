"""What a probe reads from two or more traces of the same script. Pure functions."""

from __future__ import annotations

import math
from statistics import fmean, pstdev
from typing import Any

from ...detectors.base import number, rounded
from ...model import Trace
from ...traces.measure import main_steps, objective, tail

FACTOR = 8  # the larger batch of the noise-scale probe, in units of the script's own
STEPS = 64
GROWING = 2.0  # activation scale of the widest over the narrowest model above which it depends on the width


def noise_scale(traces: tuple[Trace, ...]) -> dict[str, Any]:
    """McCandlish et al. (2018), "An empirical model of large-batch training", appendix A.1: with the mean squared
    gradient norm at batch sizes B and b = k B, |G|^2 = (k |G_b|^2 - |G_B|^2) / (k - 1) and the simple noise scale in
    units of the script's batch is S / |G|^2 with S = (|G_B|^2 - |G_b|^2) / (1 - 1/k).

    Both runs start from the same weights; the early steps of the plain run are compared with the first merged steps,
    so the estimate holds for the start of training. The error is the standard error of both means, propagated.
    """
    small = [s.grad_norm**2 for s in main_steps(traces[0])[:FACTOR] if math.isfinite(s.grad_norm)]
    large = [s.grad_norm**2 for s in main_steps(traces[1])[:2] if math.isfinite(s.grad_norm)]
    if len(small) < FACTOR or not large:
        return {"conclusion": f"needs {FACTOR} steps of a torch optimizer without a closure"}
    one, many = fmean(small), fmean(large)
    signal = (FACTOR * many - one) / (FACTOR - 1)
    spread = (one - many) / (1 - 1 / FACTOR)
    error = pstdev(small) / math.sqrt(len(small))
    size = _batch_size(traces[0])
    if signal <= 0 or spread <= 0:
        said = "the gradient is all noise" if signal <= 0 else "the gradient has hardly any noise"
        return {
            "signal": rounded(signal),
            "noise": rounded(spread),
            "conclusion": f"{said} at this batch size",
        }
    scale = spread / signal
    return {
        "batch_size": size, "noise_scale_batches": rounded(scale), "relative_error": rounded(error / max(one, 1e-12)),
        "noise_scale_samples": rounded(scale * size) if size else None, "gradient_norm_squared": rounded(signal),
        "conclusion": f"the noise scale is about {number(scale)} times the batch in use, at the start of training",
    }  # fmt: skip


def _batch_size(trace: Trace) -> int | None:
    sizes = [t["shape"][0] for r in trace.of("forward") if r["grad"] for t in r["in"][:1] if t["shape"]]
    return int(sizes[0]) if sizes else None


def precision(traces: tuple[Trace, ...]) -> dict[str, Any]:
    """The script's precision against fp32 (autocast off): loss, skipped steps, and updates that changed nothing."""
    plain, full = traces[0], traces[1]
    kinds = {p.id: p.dtype for p in plain.parameters}
    unchanged: dict[str, list[float]] = {}
    for step in plain.steps:
        for parameter, (moved, _, changed) in step.updates.items():
            if moved >= 0:
                unchanged.setdefault(kinds.get(parameter, "?"), []).append(1 - changed)
    ends = tail(objective(plain)), tail(objective(full))
    autocast = sorted({str(r["autocast"]) for r in plain.of("forward") if r.get("autocast")})
    stalled = {kind: rounded(fmean(values)) for kind, values in unchanged.items()}
    shown = " and ".join(number(e) if e is not None else "none" for e in ends)
    return {"autocast": autocast, "weights": sorted(set(kinds.values())), "unchanged_share_by_dtype": stalled,
            "skipped_steps": len(plain.of("skip")), "loss_last": rounded(ends[0]) if ends[0] is not None else None,
            "loss_last_fp32": rounded(ends[1]) if ends[1] is not None else None,
            "conclusion": f"loss with the script's precision and without autocast: {shown}"}  # fmt: skip


def coord_check(traces: tuple[Trace, ...], widths: tuple[str, ...]) -> dict[str, Any]:
    """Activation scale per layer across widths after a few steps: flat under muP, growing under the standard
    parametrisation. Yang et al. (2022), "Tensor Programs V", section on implementing and checking muP.
    """
    tables = [_scales(t) for t in traces]
    layers = [name for name in tables[0] if all(name in t for t in tables)]
    rows = {name: [rounded(t[name]) for t in tables] for name in layers}
    growth = {n: tables[-1][n] / tables[0][n] for n in layers if tables[0][n] > 0}
    grown = [n for n, g in growth.items() if g > GROWING]
    said = (
        f"activations of {len(grown)} of {len(layers)} layers grow with the width"
        if grown
        else ("no activation grows with the width" if layers else "no layer was seen at every width")
    )
    return {"widths": list(widths), "activation_std": dict(list(rows.items())[:40]), "growing": grown[:12],
            "conclusion": said}  # fmt: skip


def _scales(trace: Trace) -> dict[str, float]:
    last = max((r["i"] for r in trace.of("act")), default=0)
    return {r["name"]: float(r["std"]) for r in trace.of("act") if r["i"] == last}
