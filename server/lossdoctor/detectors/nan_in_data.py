"""# nan_in_data: NaN or infinity is already present in the inputs

**What it is.** A batch holds a value that is not finite before the model has touched it.

**Signal.** Share of non-finite values in the batches from the DataLoader, in the model's inputs and in the loss
targets, on the measured steps, and the step at which the loss first stopped being finite; or, behind a loss that stays
finite, backward passes that are not followed by an update, now after few and now after many of them.

**Why it matters.** One NaN input makes loss and gradients NaN; one step later all weights are NaN for good.

**Remedy.** Find the rows, then drop or impute them before training, and assert finiteness in the data set.

**When it stays silent.** All measured batches are finite, or the script replaces the values before the model
sees them (`nan_to_num`, masks) so that the loss stays finite.

**Confirming intervention.** `impute`: such values become the mean of their feature, those of targets ask for nothing,
same seed.

**References.** PyTorch documentation, `torch.isfinite`; IEEE 754 (NaN propagates through arithmetic).
"""

from __future__ import annotations

from math import isfinite
from statistics import median
from typing import Any

from ..model import Evidence, Finding, Trace
from ..traces.measure import first_nonfinite
from ._evidence import data_site
from .base import Rule, at, found, rounded

RULE = Rule(
    fault="nan_in_data",
    severity="critical",
    sheet="data-augmentation-strategies#broken-values",
    summary="Look at the data for missing values, infinities and constant columns before blaming the model.",
    remedy="Remove or impute the non-finite values in the data, and check torch.isfinite when loading.",
    symptom="nan_instability",
    structural=True,
    needs=("batches",),
    interventions=({"name": "impute"},),
    contraindications=(
        "Clipping, a lower learning rate or anomaly mode do not help: the input itself is NaN.",
    ),
)

PER_STEP = 2.0  # backward passes: as many as gradients that are not used
SEVERAL, SHARE = 3, 0.05  # steps with such batches, and losses that are left out: fewer are no loss


def check(trace: Trace) -> Finding | None:
    broken = first_nonfinite(trace)
    if broken is None and not trace.of("skip"):
        return _passed_over(trace) or _withheld(trace)
    lens = trace.of("nonfinite")
    if lens and not lens[0]["inputs_bad"]:
        return None
    for kind, row, tensor in _tensors(trace):
        if tensor.get("bad", 0.0) > 0 and (broken is None or row["i"] <= broken + 1):
            return _finding(trace, kind, row, tensor, broken)
    return None


def _finding(
    trace: Trace, kind: str, row: dict[str, Any], tensor: dict[str, Any], broken: int | None
) -> Finding:
    place = f"{kind} tensor {tensor['path'] or '0'} of shape {tensor['shape']}"
    return found(
        RULE,
        0.97,
        f"The {place} already holds NaN or infinity before the model computes anything.",
        Evidence(
            quantity="share of non-finite values",
            value=rounded(tensor["bad"]),
            threshold=0,
            step=row["i"],
            where=place,
        ),
        Evidence(quantity="first step with a non-finite loss or gradient", value=broken or "none"),
        where=at(data_site(trace), module=None if kind == "batch" else row.get("module")),
    )


def _passed_over(trace: Trace) -> Finding | None:
    """Batches with such values whose loss the script itself leaves out: what is sound in them is lost too."""
    rows, values = trace.of("spoilt"), [v for s in trace.steps for v in s.loss_values]
    lost = sum(not isfinite(v) for v in values)
    if len(rows) < SEVERAL or lost < SHARE * len(values):
        return None
    return found(
        RULE,
        0.95,
        f"{lost} of {len(values)} training losses are not finite and were passed over: batches hold NaN or infinity.",
        Evidence(quantity="losses that are not finite", value=lost, threshold=f"of {len(values)}"),
        Evidence(quantity="largest share of such values in an input", value=rounded(max(r["bad"] for r in rows)),
                 threshold=0, step=rows[0]["i"]),
        where=at(data_site(trace)),
    )  # fmt: skip


def _withheld(trace: Trace) -> Finding | None:
    """Batches with such values behind which the loss is finite (infinity has a sigmoid) but few updates are made: the
    gradient is not, and the script looks at that.
    """
    loaded = [
        (row, max(t.get("bad", 0.0) for t in row["tensors"])) for row in trace.of("batch") if row["tensors"]
    ]
    spoilt = [(row, bad) for row, bad in loaded if bad > 0]
    passes = [s.sequence.count("B") for s in trace.steps]
    if len(spoilt) < max(SEVERAL, SHARE * len(loaded)) or not passes:
        return None
    if median(passes) < PER_STEP or max(passes) - min(passes) <= PER_STEP:
        return None  # updates after as many passes each are meant (gradient accumulation)
    row, bad = max(spoilt, key=lambda found: found[1])
    return found(
        RULE,
        0.9,
        f"{len(spoilt)} of {len(loaded)} batches hold NaN or infinity, and most backward passes are not followed by an"
        " update.",
        Evidence(quantity="batches with such values", value=len(spoilt), threshold=f"of {len(loaded)} looked at"),
        Evidence(quantity="largest share of them in a batch", value=rounded(bad), threshold=0, step=row["i"]),
        Evidence(quantity="backward passes before an update: fewest, median, most",
                 value=f"{min(passes)}, {median(passes):g}, {max(passes)}", threshold=PER_STEP),
        where=at(data_site(trace)),
    )  # fmt: skip


def _tensors(trace: Trace) -> list[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Batches as loaded; without a loader, what the model and the loss were given."""
    loaded = [("batch", row, t) for row in trace.of("batch") for t in row["tensors"]]
    if loaded:
        return loaded
    given = [("model input", row, t) for row in trace.of("forward") for t in row["in"]]
    targets = [("target", row, {"path": "target", **row["target"]}) for row in trace.of("loss")]
    return given + targets
