"""# constant_input: inputs carry no information (all equal, zeros, wrong column)

**What it is.** What reaches the model is the same for every sample: an integer division, a cast, a clamp, a wrong
column or a broken reader has wiped out the data.

**Signal.** All inputs of the model have equal smallest and largest value on the measured steps, or its first one
does in a run that learns nothing, or every sample has the same fingerprint; while the targets differ. Or, in a run
that hardly learns, more than half of the samples are one and the same input with several labels (or, where no label
is known, with one number throughout); or all sequences of symbols are one symbol, up to where they are filled up.

**Why it matters.** The best possible answer is the class prior or the mean; no rate and no model gets below that.

**Remedy.** Print one batch right before the model; divide after casting to float; check the column and the clamp.

**When it stays silent.** Some constant columns among varying ones; models with several inputs of which the first
varies, or that learn from the others (beside a first one that varies, constants are masks, offsets, lengths); small
data sets whose few samples differ; targets that are all equal too.

**Confirming intervention.** `shuffle_labels`: targets drawn at random must be learned as well as the real ones, same
seed; they are, if the inputs say nothing.

**References.** Google, "Rules of machine learning" (rule 37 and following, on measuring what the model is given);
PyTorch documentation, integer division and casts.
"""

from __future__ import annotations

from typing import Any

from ..model import Evidence, Finding, Trace
from ..traces.measure import sampled_rows
from ..traces.padding import INTEGERS
from ..traces.progress import fitted
from ..traces.repeated import ALIKE, blank, commonest, nearly_constant
from ._evidence import data_site, loss_span
from .base import Rule, at, found, rounded

RULE = Rule(
    fault="constant_input",
    severity="critical",
    sheet="data-augmentation-strategies#broken-values",
    summary="Look at one batch right before the model: are the samples different at all?",
    remedy="Find where the values are lost (integer division, cast, clamp, wrong column) and print a batch after it.",
    structural=True,
    cures=False,
    interventions=({"name": "shuffle_labels"},),
    needs=("batches",),
    contraindications=("Do not tune the rate or the model: the inputs say nothing.",),
)

ROWS = 3  # measured training calls
SAMPLES = 20
MOST = 0.5  # more than half of the samples: no rule can tell their labels apart
ROUNDING = 1e-3  # of a recorded share
LEARNED = 0.2  # fit of the training data from which the other inputs hold something


def check(trace: Trace) -> Finding | None:
    rows = [r for r in sampled_rows(trace, "forward", grad=True) if any(t["shape"] for t in r["in"])]
    if not rows or not _targets_differ(trace):
        return None
    tensors = [t for r in rows for t in r["in"] if "min" in t and t.get("bad", 0.0) == 0]
    flat = len(rows) >= ROWS and bool(tensors) and all(t["min"] == t["max"] for t in tensors)
    known = sampled_rows(trace, "ids", grad=True)
    prints = [h for r in known for h in r["h"]]
    # of several calls in a step only one has its samples fingerprinted: then the prints are not those of all inputs
    sizes = {t["shape"][0] for r in rows for t in r["in"] if t["shape"]}
    single = max(len(r["in"]) for r in rows) == 1 and sizes <= {len(r["h"]) for r in known}
    first = [t for t in tensors if t.get("path") in ("", "0")]
    same = len(first) >= ROWS and all(t["min"] == t["max"] == first[0]["min"] for t in first)
    share = fitted(trace)
    if (
        same and not flat and share is not None and share < LEARNED
    ):  # the others may be masks, offsets, lengths
        flat, tensors = True, first
    alike = nearly_constant(trace)
    if alike is not None and share is not None and share < LEARNED:
        return _alike(trace, rows[0]["module"], *alike)
    symbol = _one_symbol(rows)
    if symbol is not None and share is not None and share < LEARNED:
        return _repeated(trace, rows[0]["module"], symbol, len(rows))
    usual, labels = commonest(trace)
    told = labels > 1 or (not labels and blank(trace) > MOST)
    if 1 > usual > MOST and told and share is not None and share < LEARNED:
        return _mostly(trace, rows[0]["module"], usual, labels)
    flat = flat and len(set(prints)) <= 1  # a call with one number is constant in itself: calls must be alike
    if not flat and not (single and len(prints) >= SAMPLES and len(set(prints)) == 1):
        return None
    value = f"all values are {tensors[0]['min']:.4g}" if flat and tensors else "all samples are equal"
    return found(
        RULE,
        0.95,
        f"Every input of the model is the same: {value}.",
        Evidence(quantity="different inputs among those measured", value=len(set(prints)) or 1, threshold=2),
        Evidence(quantity="samples measured", value=len(prints)),
        loss_span(trace),
        where=at(data_site(trace), module=rows[0]["module"]),
    )


def _one_symbol(rows: list[dict[str, Any]]) -> str | None:
    """The only symbol of the first input of every call, beside what fills up the ends of its rows."""
    symbols = {_symbol(r["in"][0]) for r in rows}
    return symbols.pop() if len(rows) >= ROWS and len(symbols) == 1 else None


def _symbol(tensor: dict[str, Any]) -> str | None:
    """The same of one call (N, T): None where another symbol stands before the end of a row."""
    hist, trail = tensor.get("hist") or {}, tensor.get("trail")
    if tensor["dtype"] not in INTEGERS or len(tensor["shape"]) != 2 or trail is None:
        return None
    others = [value for value in hist if value != str(trail[0])]
    filled = hist.get(str(trail[0]), 0) / max(1, sum(hist.values()))
    return others[0] if len(others) == 1 and abs(filled - trail[1]) < ROUNDING else None


def _repeated(trace: Trace, module: str, symbol: str, calls: int) -> Finding:
    return found(
        RULE,
        0.9,
        f"Every sequence is symbol {symbol} throughout; only their lengths differ. (A reader that knows no word?)",
        Evidence(quantity="different symbols before the filling of the ends", value=1, threshold=2),
        Evidence(quantity="batches measured", value=calls),
        loss_span(trace),
        where=at(data_site(trace), module=module),
    )


def _mostly(trace: Trace, module: str, usual: float, labels: int) -> Finding:
    return found(
        RULE,
        0.85,
        f"{100 * usual:.0f} % of the training samples are one and the same input"
        + (f", with {labels} different labels." if labels else ", one number throughout."),
        Evidence(quantity="share of the commonest input", value=rounded(usual), threshold=MOST),
        Evidence(quantity="labels that it comes with", value=labels or "unknown", threshold=2),
        loss_span(trace),
        where=at(data_site(trace), module=module),
    )


def _alike(trace: Trace, module: str, different: int, samples: int) -> Finding:
    return found(
        RULE,
        0.85,
        f"{samples} different samples give the model only {different} different inputs, each with several labels.",
        Evidence(
            quantity="different inputs among those measured",
            value=different,
            threshold=rounded(ALIKE * samples),
        ),
        Evidence(quantity="samples measured", value=samples),
        loss_span(trace),
        where=at(data_site(trace), module=module),
    )


def _targets_differ(trace: Trace) -> bool:
    """Unknown counts as different: only targets seen to be all equal make a constant input harmless."""
    targets = [r["target"] for r in trace.of("loss") if "min" in r["target"]]
    return not targets or min(t["min"] for t in targets) < max(t["max"] for t in targets)
