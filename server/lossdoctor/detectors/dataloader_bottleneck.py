"""# dataloader_bottleneck: most of the wall time is spent waiting for data

**What it is.** The loop waits for the next batch longer than it computes.

**Signal.** Time inside the DataLoader's `next()` against the whole step, averaged over the recorded steps without
the first ones and without steps that contain an evaluation; and the wait per sample.

**Why it matters.** A faster accelerator, a larger model batch or mixed precision cannot help: the device idles.

**Remedy.** Move work out of `__getitem__` (decode once, cache), use `num_workers`, `persistent_workers`, larger
reads; measure again.

**When it stays silent.** The wait is short in absolute terms (small in-memory data sets spend their time in the
collate function, which no worker would make faster), or the data does not come from a DataLoader.

**Confirming intervention.** `repeat_batch` with the loader bypassed: the step time without loading.

**References.** PyTorch documentation, `torch.utils.data` ("Single- and multi-process data loading"); AWS SageMaker
Debugger, rule `CPUBottleneck` (50 % of the time waiting).
"""

from __future__ import annotations

from ..model import Evidence, Finding, Trace, Where
from ..traces.measure import time_shares
from .base import Missing, Rule, at, found, rounded, site_by_id

RULE = Rule(
    fault="dataloader_bottleneck",
    severity="warning",
    sheet="training-loop-architecture#waiting-for-data",
    summary="When the loop waits for data longer than it computes, speed up loading, not the model.",
    remedy="Take work out of the dataset's __getitem__ (decode or parse once, cache) and load with several workers.",
    symptom="slow_training",
    needs=("optimizer_steps", "loader"),
    interventions=({"name": "repeat_batch"},),
    contraindications=("A larger batch, AMP or a faster device does not help while the device waits.",),
)

MIN_SHARE = 0.5  # SageMaker Debugger's CPUBottleneck default
# A TensorDataset's item and its share of the collate function cost 27 to 48 us on a busy machine, text that is parsed
# per item 4,500 us (benchmarks/thresholds/loader_cost.py).
MIN_PER_SAMPLE_S = 200e-6
MIN_WAIT_S = 2e-3


def check(trace: Trace) -> Finding | Missing | None:
    parts = time_shares(trace)
    if parts is None:
        return Missing("five or more timed steps after the warm-up")
    loader = trace.of("loader")[0]
    wait, total = parts["mean_data"], parts["mean_total"]
    size = loader.get("batch_size") or 1
    if total <= 0 or wait < MIN_SHARE * total or wait < MIN_WAIT_S or wait / size < MIN_PER_SAMPLE_S:
        return None
    evidence = [
        Evidence(
            quantity="share of the step spent waiting for data",
            value=rounded(wait / total),
            threshold=MIN_SHARE,
        ),
        Evidence(quantity="wait per step", value=rounded(1e3 * wait), unit="ms"),
        Evidence(
            quantity="compute per step",
            value=rounded(1e3 * (parts["fwd"] + parts["bwd"] + parts["step"])),
            unit="ms",
        ),
        Evidence(
            quantity="DataLoader",
            value=f"{loader['workers']} workers, batch size {loader.get('batch_size')}, dataset {loader['dataset']}",
        ),
    ]
    where = at(site_by_id(trace, loader.get("site")))
    for row in [r for r in trace.of("hotspot") if r["what"] == "data"]:
        where = Where(file=row["file"], line=row["line"])
        evidence.insert(1, Evidence(quantity="line that runs for most of the wait", value=rounded(row["share"]),
                                    unit="of the samples", where=row["code"][:100]))  # fmt: skip
    why = f"{100 * wait / total:.0f} % of each step is spent waiting for the DataLoader."
    return found(RULE, min(0.95, 0.5 + wait / total / 2), why, *evidence, where=where)
