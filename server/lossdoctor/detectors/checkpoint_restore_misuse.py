"""# checkpoint_restore_misuse: checkpoint or pretrained weights are silently not loaded, or are overwritten

**What it is.** `load_state_dict(strict=False)` with keys that match nothing (a prefix, one level of nesting too
many), a load into another object than the one that trains, a failed load that is swallowed, or an initialiser that
runs after the load.

**Signal.** Two counts, no threshold on values: how many keys of the checkpoint fit the module, and how many
parameters of the modules that ran still hold values of the checkpoint at the first backward pass.

**Why it matters.** The run looks like fine-tuning (small rate, few epochs) but starts from random weights.

**Remedy.** Load strictly, or look at what `load_state_dict` returns; load after initialising, into the final object.

**When it stays silent.** A new head on a loaded body (most keys fit); files that hold data instead of weights;
checkpoints of other shapes; loads after training has begun (best weights put back).

**Confirming intervention.** `match_keys`: the checkpoint is loaded under the names that fit; `load_again`, where an
initialiser ran over it: it is loaded once more before the first pass; same seed. Which tensors
arrived is a count: a run that is no better for them does not refute it.

**References.** PyTorch documentation, `torch.nn.Module.load_state_dict` (`strict`, missing and unexpected keys).
"""

from __future__ import annotations

from typing import Any

from ..model import Evidence, Finding, Trace
from .base import Missing, Rule, at, found, site_by_id

RULE = Rule(
    fault="checkpoint_restore_misuse",
    severity="critical",
    sheet="training-loop-architecture#checkpoint-and-resume",
    summary="Look at the missing and unexpected keys, and load after every initialisation.",
    remedy="Make the keys match (strip the prefix, take the inner state dict) and load with strict=True, last.",
    symptom="checkpoint_load",
    structural=True,
    interventions=({"name": "match_keys"},),
    contraindications=("Do not raise the fine-tuning rate to make up for weights that never arrived.",),
)

# A body with a new head keeps most of the checkpoint; a mismatch of names keeps nothing. Half lies in between.
HALF = 0.5


def check(trace: Trace) -> Finding | Missing | None:
    loads = [row for row in trace.of("load") if row["i"] == 0]
    restored = trace.of("restored")
    if not loads and not restored:
        return Missing("a checkpoint that is read")
    return _unmatched(trace, loads) or (_lost(trace, loads, restored[0]) if restored else None)


def interventions(trace: Trace) -> tuple[dict[str, Any], ...]:
    """Under the names that fit, or once more after the initialiser."""
    overwritten = any(row.get("overwriting") is not None for row in trace.of("restored"))
    return ({"name": "load_again" if overwritten else "match_keys"},)


def _unmatched(trace: Trace, loads: list[dict[str, Any]]) -> Finding | None:
    """A load of which little fits, unless another load of the same module went well."""
    good = {row["module"] for row in loads if not row.get("failed") and _fitting(row) >= HALF * row["keys"]}
    for row in loads:
        poor = not row.get("failed") and row["missing"] and _fitting(row) < HALF * row["keys"]
        if poor and row["module"] not in good:
            return _poor(trace, row)
    return None


def _fitting(row: dict[str, Any]) -> int:
    return int(row["keys"]) - int(row["unexpected"])


def _poor(trace: Trace, row: dict[str, Any]) -> Finding:
    fits = _fitting(row)
    return found(
        RULE,
        0.97 if not fits else 0.8,
        f"Of {row['keys']} keys of the checkpoint {fits} fit {row['module']}; the rest was dropped without an error.",
        Evidence(quantity="keys that fit", value=fits, threshold=f"of {row['keys']}"),
        Evidence(quantity="keys of the module that got nothing", value=row["missing"], threshold=f"of {row['own']}"),
        Evidence(quantity="examples", value=", ".join(str(e)[:48] for e in row["examples"][:6])),
        where=at(site_by_id(trace, row["site"])),
    )  # fmt: skip


def _lost(trace: Trace, loads: list[dict[str, Any]], row: dict[str, Any]) -> Finding | None:
    """The shapes fit, but no parameter that trains holds a value of the checkpoint; or few do, after an initialiser."""
    overwritten = row.get("overwriting") is not None and bool(loads)
    kept = row["same"] if not overwritten or row["same"] >= HALF * row["fits"] else 0
    if kept or not row["fits"] or row["fits"] < HALF * row["own"]:
        return None
    failed = next((r for r in loads if r.get("failed")), None)
    site = row["overwriting"] if overwritten else (failed or row)["site"]
    how = (
        "loading failed and the error was swallowed" if failed else "they never reached the model that trains"
    )
    how = "an initialiser ran over them" if overwritten else how
    return found(
        RULE,
        0.9,
        f"At the first backward pass {'few parameters hold' if row['same'] else 'no parameter holds'} a value of the"
        f" checkpoint that was read: {how}.",
        Evidence(quantity="parameters in use that hold values of the checkpoint", value=row["same"],
                 threshold=f"of {row['own']}"),
        Evidence(quantity="of these, with a tensor of the same shape in the checkpoint", value=row["fits"]),
        where=at(site_by_id(trace, site)),
    )  # fmt: skip
