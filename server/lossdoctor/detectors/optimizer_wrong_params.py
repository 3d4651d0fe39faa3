"""# optimizer_wrong_params: the optimizer holds tensors that are not the parameters of the model in use

**What it is.** The optimizer was built from another object: the model before it was copied or rebuilt, another
model of the script, a layer that was replaced later.

**Signal.** Identity, no threshold: the optimizer that steps holds tensors none of which ever has a gradient, while
trainable parameters that do have one are held by nobody; or two optimizers hold the very same tensors while another
model has no optimizer.

**Why it matters.** The model in use keeps its initial values although every call of the loop is in place.

**Remedy.** Build the optimizer last, from the very object that the loop calls.

**When it stays silent.** Some parameters are missing but others of the same model are held
(`optimizer_missing_params`); spare tensors in the optimizer beside the right ones; frozen models.

**Confirming intervention.** `add_parameters`: the parameters in use are added to the optimizer, same seed.

**References.** PyTorch documentation, `torch.optim` ("Constructing it": move or change the model before).
"""

from __future__ import annotations

from ..model import Evidence, Finding, Optimizer, Parameter, Trace
from ..traces.wiring import listed, with_gradient
from .base import Rule, at, found, site_by_id
from .optimizer_missing_params import missing_parameters

RULE = Rule(
    fault="optimizer_wrong_params",
    severity="critical",
    sheet="optimization-algorithms#what-the-optimizer-holds",
    summary="The optimizer moves only what it was given; compare its groups with the model's parameters.",
    remedy="Build the optimizer from the parameters of the object that the loop calls, after the last copy or rebuild.",
    structural=True,
    needs=("optimizer_steps",),
    interventions=({"name": "add_parameters"},),
    contraindications=("A higher learning rate cannot move a model that the optimizer does not know.",),
)


def check(trace: Trace) -> Finding | None:
    fed = with_gradient(trace)
    absent = [p for p in missing_parameters(trace) if p.id in fed]
    if not absent:
        return None
    stepped = {s.optimizer for s in trace.steps}
    held = {o.id: [p for p in trace.parameters if o.id in p.optimizers] for o in trace.optimizers}
    for optimizer in trace.optimizers:
        own = held[optimizer.id]
        if optimizer.id in stepped and own and not any(p.id in fed and p.used for p in own):
            return _finding(trace, optimizer, own, absent, "none of which the loss depends on")
    twins = [o for o in trace.optimizers if _doubled(o, held) and o.id in stepped]
    return _finding(trace, _culprit(trace, twins, absent), held[twins[0].id], absent,
                    "which another optimizer holds as well") if twins else None  # fmt: skip


def _doubled(optimizer: Optimizer, held: dict[int, list[Parameter]]) -> bool:
    own = {p.id for p in held[optimizer.id]}
    return bool(own) and any(own == {p.id for p in rest} for o, rest in held.items() if o != optimizer.id)


def _culprit(trace: Trace, twins: list[Optimizer], absent: list[Parameter]) -> Optimizer:
    """The optimizer before whose step the forgotten parameters first got their gradients."""
    numbers = {p.id for p in absent}
    first = next((s.optimizer for s in trace.steps if numbers & s.grads.keys()), None)
    return next((o for o in twins if o.id == first), twins[0])


def _finding(
    trace: Trace, optimizer: Optimizer, own: list[Parameter], absent: list[Parameter], what: str
) -> Finding:
    largest = max(absent, key=lambda p: p.numel)
    return found(
        RULE,
        0.97,
        f"The {optimizer.cls} made here holds {len(own)} tensors {what}; {listed(absent)} in use are held by none.",
        Evidence(quantity="tensors that this optimizer holds", value=len(own), where=listed(own)),
        Evidence(quantity="parameters in use that get gradients and are held by no optimizer", value=len(absent),
                 threshold=0, where=listed(absent)),
        where=at(site_by_id(trace, optimizer.site), parameter=largest.name),
    )  # fmt: skip
