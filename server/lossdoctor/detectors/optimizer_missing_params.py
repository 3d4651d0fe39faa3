"""# optimizer_missing_params: some trainable parameters were never handed to the optimizer

**What it is.** The model's forward pass uses parameters that require a gradient and receive one, but no
optimizer holds them, so they keep their initial values for ever.

**Signal.** Identity, no threshold: the set of parameters of the modules that ran, against the set of tensors in
all optimizers' groups, at every step (so parameters that are created late or added later are seen).

**Why it matters.** Part of the network stays random. The rest learns around it, so the loss falls, only less.

**Remedy.** Build the optimizer from `model.parameters()` (or groups that together cover it), after the model is
complete and after lazy modules have run once.

**When it stays silent.** Parameters with `requires_grad=False`; parameters whose values were loaded from a
checkpoint and that are left out as a whole part (a frozen backbone): that is reported as `info` only; parameters
that get no gradient.

**Confirming intervention.** `add_parameters`: the same optimizer with the missing parameters as a further group.

**References.** PyTorch documentation, `torch.optim` ("Constructing it"), `torch.nn.modules.lazy`.
"""

from __future__ import annotations

from ..model import Evidence, Finding, Parameter, Trace
from .base import Rule, at, found, rounded, site_by_id

RULE = Rule(
    fault="optimizer_missing_params",
    severity="critical",
    sheet="optimization-algorithms#what-the-optimizer-holds",
    summary="The optimizer moves only what it was given; compare its groups with the model's parameters.",
    remedy="Give the optimizer every trainable parameter, for example model.parameters(), once the model is complete.",
    structural=True,
    needs=("optimizer_steps",),
    interventions=({"name": "add_parameters"},),
    contraindications=(
        "A higher learning rate or more epochs cannot move parameters that the optimizer lacks.",
    ),
)


def check(trace: Trace) -> Finding | None:
    absent = missing_parameters(trace)
    held = [p for p in trace.parameters if p.optimizers]
    if not absent or not any(p.used for p in held):
        return None
    norms = {p.id: [s.grads[p.id] for s in trace.steps if p.id in s.grads] for p in absent}
    absent = [p for p in absent if any(n > 0 for n in norms[p.id])]
    if not absent:
        return None
    largest = max(absent, key=lambda p: p.numel)
    total = sum(p.numel for p in trace.parameters if p.requires_grad and p.used)
    share = sum(p.numel for p in absent) / max(1, total)
    intended = all(p.loaded for p in absent)
    optimizer = trace.optimizers[0] if trace.optimizers else None
    names = ", ".join(p.name for p in absent[:4]) + (
        f" and {len(absent) - 4} more" if len(absent) > 4 else ""
    )
    return found(
        RULE,
        0.6 if intended else 0.97,
        f"{names} receive gradients but no optimizer holds them.",
        Evidence(quantity="trainable parameters that no optimizer holds", value=len(absent),
                 threshold=0, unit="tensors", where=names),
        Evidence(quantity="share of the trainable elements that never move", value=rounded(share)),
        Evidence(quantity=f"gradient norm of {largest.name}, first step", value=rounded(norms[largest.id][0])),
        where=at(site_by_id(trace, optimizer.site) if optimizer else None, parameter=largest.name),
        severity="info" if intended else None,
    )  # fmt: skip


def missing_parameters(trace: Trace) -> list[Parameter]:
    """Trainable parameters of modules that ran, held by no optimizer."""
    return [p for p in trace.parameters if p.requires_grad and p.used and not p.optimizers]
