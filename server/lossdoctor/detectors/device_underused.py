"""# device_underused: the batch or the kernels are too small to keep the device busy

**What it is.** The work of one step is cut into hundreds of tiny operations: a recurrent layer that is called for one
moment of one sample at a time, a Python loop over the samples of a batch.

**Signal.** Calls of one recurrent layer in one pass, with a single sample and a single moment each, although the batch
has more of them. The utilisation of an accelerator is not measured here: without such a layer this is not checked.

**Why it matters.** Starting an operation costs some microseconds whatever its size; a device that waits for the next
one does nothing meanwhile.

**Remedy.** Hand the whole batch and the whole sequence to the layer (`pack_padded_sequence` for unequal lengths); raise
the batch size; compile what cannot be joined.

**When it stays silent.** Batches of one sample; decoders that need their own last answer, one moment for the whole
batch at a time.

**Confirming intervention.** None: joining the calls is a change of the script.

**References.** PyTorch, "Performance tuning guide" (operator overhead, batching); PyTorch documentation,
`torch.nn.utils.rnn.pack_padded_sequence`.
"""

from __future__ import annotations

from typing import Any

from ..model import Evidence, Finding, Trace
from .base import Missing, Rule, at, found, site_by_id

RULE = Rule(
    fault="device_underused",
    severity="warning",
    sheet="batch-size-and-memory-tradeoffs#feeding-the-device",
    summary="Give the device whole batches and whole sequences; each tiny call costs its start-up.",
    remedy="Pass the whole batch and sequence to the layer in one call, and raise the batch size.",
    symptom="slow_training",
    structural=True,
    contraindications=("More data-loader workers do not help a step that is made of tiny operations.",),
)

CALLS = 32  # per pass; a two-layer decoder over a dozen moments stays below


def check(trace: Trace) -> Finding | Missing | None:
    rows = [r for r in trace.of("rnn") if r["grad"]]
    if not rows:
        return Missing("the utilisation of an accelerator, or a recurrent layer")
    row = next((r for r in rows if _tiny(r) and r["calls"] >= CALLS and (r.get("batch") or 1) > 1), None)
    if row is None:
        return Missing("the utilisation of an accelerator")
    return found(
        RULE,
        0.8,
        f"{row['class']} is called {row['calls']} times in one pass, with one moment of one sample each.",
        Evidence(quantity="calls in one pass", value=row["calls"], threshold=CALLS, step=row["i"]),
        Evidence(quantity="samples in the batch", value=row["batch"]),
        Evidence(quantity="shape of the input of one call", value=str(tuple(row["shape"]))),
        where=at(site_by_id(trace, row["site"])),
    )


def _tiny(row: dict[str, Any]) -> bool:
    """One sample, and one moment unless the layer is a cell, which has no more."""
    shape = row["shape"]
    if row["cell"]:
        return len(shape) == 1 or (len(shape) == 2 and shape[0] == 1)
    return len(shape) == 3 and shape[0] == shape[1] == 1
