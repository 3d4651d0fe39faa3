"""# tensor_layout_bug: axes are interpreted wrongly

**What it is.** A recurrent or attention layer reads the batch axis as time (`batch_first` left at its default), a
reshape stands where a transpose is needed, a softmax runs over the batch: samples that have nothing to do with each
other are mixed.

**Signal.** Shapes at the call: the axis that the layer takes for time has the length of the batch, and the axis it
takes for the batch has that of the sequence (where both are equal, asked after the run: do the answers for the other
samples change when one sample does?); a reshape whose result leads with the batch size although another axis
led before it; one that makes rows (N * T, classes) of (N, classes, T), so of neighbours in time; a softmax over the
axis that has the length of the batch. And inputs (N, A, B) that jump along both axes, while the same memory read as
(N, B, A) runs smoothly; images (N, C, H, W) whose memory does so as (N, H, W, C).

**Why it matters.** Nothing fails: the shapes fit, the loss falls a little, and results change with the batch size.

**Remedy.** `batch_first=True` or a transpose; `permute`/`transpose` before any reshape that changes the order of
axes; softmax over the class axis.

**When it stays silent.** Time-major data; one long sequence whose state is carried on; axes of equal length; batches
folded with another axis; square similarity matrices; signals that are no smoother in the other order.

**Confirming intervention.** `swap_axes` for recurrent layers, `last_axis_softmax`, `move_axis` for reshapes within a
sample, `reread_axes` for inputs that are stored in the other order, same seed: the run must end clearly better. A
reshape that mixes samples is not undone from outside: there the shapes are the proof.

**References.** PyTorch documentation, `torch.nn.LSTM` (`batch_first`), `Tensor.view`; Karpathy, "most common neural
net mistakes" (2018), no. 6 (view and permute).
"""

from __future__ import annotations

from statistics import median
from typing import Any

from ..model import Evidence, Finding, Site, Trace
from .base import TENTATIVE, Missing, Rule, at, found, rounded, site_by_id

RULE = Rule(
    fault="tensor_layout_bug",
    severity="critical",
    sheet="loss-functions-and-objectives#shapes-and-axes",
    summary="Check which axis is batch, time and class at every call; reshape never moves an axis.",
    remedy="Name the axes at this call and bring them in order with transpose/permute, or set batch_first=True.",
    structural=True,
    needs=("optimizer_steps",),
    contraindications=("A larger model or a longer run cannot undo mixed samples.",),
)

# Neighbours in a signal are alike, neighbours in a mixture of signals are not: noise gives 1 for every reading.
# The smoother axis of the reading in use is never rougher than the other reading of the same numbers.
SMOOTHER = 0.85
SURELY = 0.6  # below it no test is needed
NAMES = {"fold": "reshape"}
MIXED = 1e-3  # change of the answers for other samples, in standard deviations: exactly 0, or rounding, where none mix


def check(trace: Trace) -> Finding | Missing | None:
    for row in trace.of("rnn"):
        if row["grad"] and _wrong_axis(trace, row):
            return _sequence(trace, row)
    first = _mixing(trace)
    return _mixed(trace, first) if first is not None else _stored_otherwise(trace)


def interventions(trace: Trace) -> tuple[dict[str, Any], ...]:
    """The axes of the call that is at fault in the right order."""
    if any(row["grad"] and _wrong_axis(trace, row) for row in trace.of("rnn")):
        return ({"name": "swap_axes"},)
    first = _mixing(trace)
    if first is None:
        return ({"name": "reread_axes"},) if trace.of("axes") else ()
    if first["what"] == "softmax":
        return ({"name": "last_axis_softmax"},)
    renamed = first["what"] == "fold" or first["from"][:1] == first["to"][:1]
    return ({"name": "move_axis"},) if renamed else ()


def _mixing(trace: Trace) -> dict[str, Any] | None:
    """The first operation that mixes what should stay apart, the surest kind first."""
    return min(trace.of("mix"), key=lambda row: row["what"] == "fold", default=None)


def _stored_otherwise(trace: Trace) -> Finding | None:
    """Inputs that jump along both of their axes, and run smoothly when the same memory is read in the other order."""
    rows = trace.of("axes")
    if not rows:
        return None
    along, across, other = (median(r[name] for r in rows) for name in ("along", "across", "other"))
    ratio = other / max(min(along, across), 1e-12)
    if ratio > SMOOTHER:
        return None
    shape = rows[0]["shape"]
    read = (shape[0], *shape[2:], shape[1])
    return found(
        RULE,
        0.85 if ratio < SURELY else TENTATIVE,
        f"Inputs of shape {tuple(shape)} jump more along both axes than the same memory read as {read}: they seem to be"
        " stored in that order.",
        Evidence(quantity="change from one value to the next over that between far ones, along the last axis",
                 value=rounded(along)),
        Evidence(quantity="the same, along the axis before it", value=rounded(across)),
        Evidence(quantity="the same, read in the other order", value=rounded(other),
                 threshold=rounded(SMOOTHER * min(along, across))),
        where=at(trace.site("forward")),
    )  # fmt: skip


def _wrong_axis(trace: Trace, row: dict[str, Any]) -> bool:
    """Whether the layer's time axis has the batch's length and its batch axis has another one.

    The batch is the leading axis of the model's input when the targets have as many entries.
    """
    shape, batch = row["shape"], row.get("batch")
    if row["cell"] or row["batch_first"] is None or len(shape) != 3 or not batch or batch < 2:
        return False
    if batch not in {
        (t["target"]["shape"] or [0])[0] for t in trace.of("loss") if t["i"] == row["i"]
    } and not _loaded(trace, batch):
        return False
    time, samples = (1, 0) if row["batch_first"] else (0, 1)
    if shape[samples] == 1 and any(r["carried"] for r in trace.of("rnn") if r["site"] == row["site"]):
        return False  # one long sequence, piece by piece: the state goes on from one to the next
    return bool(shape[time] == batch != shape[samples]) or (
        shape[time] == shape[samples] == batch and not row["batch_first"] and _samples_mix(trace)
    )


def _samples_mix(trace: Trace) -> bool:
    """Whether the answer for a sample depends on the others of its batch, as asked after the run."""
    return any(r["what"] == "samples" and r["change"] > MIXED for r in trace.of("probe"))


def _loaded(trace: Trace, batch: int) -> bool:
    """Whether that is how many samples a loader hands out at a time."""
    return any(t["shape"][:1] == [batch] for row in trace.of("batch") for t in row["tensors"])


def _sequence(trace: Trace, row: dict[str, Any]) -> Finding:
    order = "(batch, time, features)" if row["batch_first"] else "(time, batch, features)"
    return found(
        RULE,
        0.93,
        f"{row['class']} expects {order} but gets {tuple(row['shape'])} for a batch of {row['batch']}: it walks"
        " through the samples as if they were moments.",
        Evidence(quantity="shape that the layer was given", value=str(tuple(row["shape"]))),
        Evidence(quantity="samples in the batch", value=row["batch"]),
        Evidence(
            quantity="batch_first" if row["batch_first"] else "batch_first, not set",
            value=bool(row["batch_first"]),
        ),
        where=at(_maker(trace, row) or site_by_id(trace, row["site"])),
    )


def _maker(trace: Trace, row: dict[str, Any]) -> Site | None:
    """The line that makes the layer, also where copies of it are what runs (``nn.TransformerEncoder``): if layers of
    its class are made in one place.
    """
    made = {r["site"] for r in trace.of("made") if r["class"] == row["class"]}
    only = made.pop() if row["made"] is None and len(made) == 1 else row["made"]
    return site_by_id(trace, only)


def _mixed(trace: Trace, row: dict[str, Any]) -> Finding:
    if row["what"] == "softmax":
        why = f"A softmax over the first axis of {tuple(row['from'])} normalises across the {row['batch']} samples."
    elif row["what"] == "fold":
        moved = f"{tuple(row['from'])} -> {tuple(row['to'])}"
        why = f"reshape {moved} makes rows of neighbours along the last axis, not of axis 1's {row['to'][1]}."
    elif row["from"][:1] == row["to"][:1]:
        moved = f"{tuple(row['from'])} -> {tuple(row['to'])}"
        why = f"reshape {moved} renames the axes of each sample; its values stay where they were."
    else:
        why = f"reshape {tuple(row['from'])} -> {tuple(row['to'])} makes another axis the batch: samples are mixed."
    # rows may be meant as pieces of the last axis
    aside = row["what"] == "fold" and row["from"][-1] % row["to"][1] == 0
    return found(
        RULE,
        TENTATIVE if aside else 0.93,
        why,
        Evidence(
            quantity=f"shape before and after {NAMES.get(row['what'], row['what'])}",
            value=f"{row['from']} -> {row['to']}",
        ),
        Evidence(quantity="samples in the batch", value=row["batch"]),
        where=at(site_by_id(trace, row["site"])),
    )
