"""# graph_detached: the autograd graph is cut between the loss and the parameters

**What it is.** `detach()`, `.data`, a trip through NumPy or Python numbers, a new tensor made from values, or a
`no_grad` block separates the loss from parameters that the optimizer is to train.

**Signal.** Identity: parameters of modules that ran in training mode and that the optimizer holds (any, where the
script moves parameters by hand), that never have a gradient, and that the graph of no recorded loss leads to. Either
all of them, or a part that includes the layers which run first (a head that is left out on purpose comes after
layers that are reached). Derivatives by inputs (`torch.autograd.grad`) that are taken without `create_graph=True` in
every step are *tested*: a loss that rests on them does not train the model through them. So are draws from
distributions of the model without reparametrisation (`sample` instead of `rsample`), modules that run without
gradients, and blocks of a model's code under `no_grad`, where a later module works on the result: what comes before
gets a gradient from other terms alone. So is a `detach()` in the model's code, where a trained parameter is behind it
and nothing else that the model returns leads there.

**Why it matters.** Everything before the cut stays as it was initialised. PyTorch does not complain as long as
something behind the cut, or the cut tensor itself, requires a gradient.

**Remedy.** Stay with torch operations from input to loss; `detach()` only what must not be trained.

**When it stays silent.** Parts whose values were loaded from a checkpoint (features computed without gradient on
purpose); outputs that no loss uses; targets and teachers; parameters that get their gradient in other steps.

**Confirming intervention.** For derivatives `keep_derivative_graph`, for draws `reparametrise`, for modules
`straight_through`, for blocks `inner_gradients`, for a `detach()` `attach`: the training loss must end lower, same
seed. Else none: a graph cannot be mended from outside, and the identities are the proof.

**References.** PyTorch documentation, "Autograd mechanics", `Tensor.detach` and `torch.distributions` (pathwise
derivative); Kingma and Welling, "Auto-encoding variational Bayes" (2014); Bengio, Leonard and Courville, "Estimating or
propagating gradients through stochastic neurons" (2013).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..model import Evidence, Finding, Parameter, Site, Trace
from ..traces.measure import need_not_fall
from ..traces.wiring import elements, listed, reached, trainable, with_gradient
from .base import TENTATIVE, Missing, Rule, at, found, rounded, site_by_id
from .loss_term_imbalance import check as term_left

RULE = Rule(
    fault="graph_detached",
    severity="critical",
    sheet="gradient-management#cut-graph",
    summary="Every trained parameter must be reachable from the loss through torch operations.",
    remedy="Remove the detach, .data, NumPy or no_grad step between these parameters and the loss.",
    structural=True,
    interventions=({"name": "keep_derivative_graph"},),
    contraindications=("A higher learning rate or clipping cannot reach parameters that get no gradient.",),
)


@dataclass(frozen=True)
class Severing:
    """What cuts a signal in the middle of the model, how that is mended, and the test of it."""

    why: str
    remedy: str
    change: str


ATTACH = "attach"
SEVERED = {
    "draw": Severing(
        "draws without a gradient, and the model goes on from there: what comes before learns nothing by it.",
        "Draw with rsample().",
        "reparametrise",
    ),
    "module": Severing(
        "runs without gradients in the middle of the model: what comes before learns nothing through it.",
        "Let it run with gradients, and detach() only what must not be trained; a discrete choice can pass them"
        " straight through.",
        "straight_through",
    ),
    "block": Severing(
        "computes under no_grad what the model goes on with: what comes before learns nothing through it.",
        "Take no_grad off what the model goes on with; detach() only what must not be trained.",
        "inner_gradients",
    ),
    "detach": Severing(
        "is behind a detach() in the model's code, and nothing else that the model returns leads there: only other"
        " terms of the loss reach it.",
        "detach() only what must not be trained: (hard - soft).detach() + soft passes gradients straight through.",
        ATTACH,
    ),
}
MIN_STEPS = 3  # one or two steps may belong to another phase
CUT = "does not require grad"  # torch's message when nothing at all is left of the graph


def check(trace: Trace) -> Finding | Missing | None:
    error = trace.error
    if error is not None and CUT in error["text"] and any(p.requires_grad for p in trace.parameters):
        return _failed(trace)
    if len(trace.steps) < MIN_STEPS or not trace.of("graph"):
        return Missing("the graph of a loss, and three steps")
    fed = with_gradient(trace) | reached(trace)
    by_hand = not trace.optimizers and any(s.moved for s in trace.steps)
    held = [p for p in trainable(trace) if (p.optimizers or by_hand) and not p.loaded]
    cut = [p for p in held if p.id not in fed]
    if not cut or not (len(cut) == len(held) or _runs_first(trace, cut)):
        return _derivative(trace) or _severed(trace) or _beside(trace)
    largest = max(cut, key=lambda p: p.numel)
    return found(
        RULE,
        0.95,
        f"The loss does not depend on {listed(cut)}: they ran in every forward pass and never got a gradient.",
        Evidence(quantity="trained parameters that the loss's graph does not lead to", value=len(cut),
                 threshold=f"of {len(held)}", where=listed(cut)),
        Evidence(quantity="share of the elements", value=rounded(elements(cut) / max(1, elements(held)))),
        where=at(_cut_site(trace), parameter=largest.name),
    )  # fmt: skip


def _derivative(trace: Trace) -> Finding | None:
    """Derivatives by inputs without a graph, in every one of the first steps: a part of the loss may rest on them, or
    they may be data (adversarial examples), which only a test can tell.
    """
    rows = trace.of("derivative")
    steps = {row["i"] for row in rows}
    if len(steps) < MIN_STEPS or need_not_fall(trace):
        return None
    return found(
        RULE,
        TENTATIVE,
        "A derivative by the inputs is taken without create_graph=True: what the loss makes of it has no gradient.",
        Evidence(
            quantity="steps with such a derivative, of the first ones", value=len(steps), threshold=MIN_STEPS
        ),
        where=at(site_by_id(trace, rows[0]["site"])),
        remedy="Take the derivative with create_graph=True, so that the model is trained through it.",
    )


def _severed(trace: Trace) -> Finding | None:
    """What in the middle of the model passes no gradient on, in every one of the first steps."""
    rows, lost = _cuts(trace)
    if not rows:
        return None
    name = listed(lost) if lost else str(rows[0]["name"])
    by, steps = SEVERED[rows[0]["how"]], {row["i"] for row in rows}
    return found(
        RULE,
        TENTATIVE,
        f"{name} {by.why}",
        Evidence(
            quantity="steps in which it did, of the first ones",
            value=len(steps),
            threshold=MIN_STEPS,
        ),
        where=at(site_by_id(trace, rows[0]["site"]), parameter=lost[0].name if lost else None),
        remedy=by.remedy,
    )


def _beside(trace: Trace) -> Finding | None:
    """A ``detach()`` in the model's code beside a term of the loss that is not learned: what that term needs may lie
    behind it, while another one goes on to train that part.
    """
    site = trace.site("cut_in_forward")
    unlearned = term_left(trace) if site is not None and trace.of("loss") else None
    if site is None or not isinstance(unlearned, Finding) or unlearned.confidence <= TENTATIVE:
        return None
    return found(
        RULE,
        TENTATIVE,
        "The model's code takes a tensor out of the graph, and a term of the loss is not learned.",
        *unlearned.evidence[:2],
        where=at(site),
        remedy="detach() only what this term must not train.",
    )


def _cuts(trace: Trace) -> tuple[list[dict[str, Any]], list[Parameter]]:
    """The rows of the first kind of cut that happens in enough steps, and the parameters that a ``detach()`` leaves
    without a way to what the model returns, of those that are trained and not loaded.
    """
    held = {p.id: p for p in trainable(trace) if p.optimizers and not p.loaded}
    for how in SEVERED:
        rows = [row for row in trace.of("severed") if row["how"] == how]
        lost = [held[i] for i in (rows[0].get("p") or () if rows else ()) if i in held]
        if len({row["i"] for row in rows}) >= MIN_STEPS and (lost or how != "detach"):
            return rows, lost
    return [], []


def interventions(trace: Trace) -> tuple[dict[str, Any], ...]:
    """The derivative's graph is kept; else gradients pass the draw, the module, the block or the ``detach()``."""
    rows, _ = _cuts(trace)
    if trace.of("derivative"):
        return RULE.interventions
    if not rows:
        return RULE.interventions if _beside(trace) is None else _attached(trace.site("cut_in_forward"))
    change = SEVERED[rows[0]["how"]].change
    return _attached(site_by_id(trace, rows[0]["site"])) if change == ATTACH else ({"name": change},)


def _attached(site: Site | None) -> tuple[dict[str, Any], ...]:
    return () if site is None else ({"name": ATTACH, "file": Path(site.file).name, "line": site.line},)


def _runs_first(trace: Trace, cut: list[Parameter]) -> bool:
    """Whether the first layer with parameters that ran is among those cut off, or they ran without gradient."""
    owners = {p.name.rsplit(".", 1)[0] for p in cut}
    known = {p.name.rsplit(".", 1)[0] for p in trace.parameters if p.used}
    order = [row["name"] for row in trace.of("act") if row["name"] in known]
    return not order or order[0] in owners or not owners & set(order)


def _cut_site(trace: Trace) -> Site | None:
    return trace.site("cut_in_forward") or trace.site("cut") or trace.site("loss") or trace.site("backward")


def _failed(trace: Trace) -> Finding:
    error = trace.error or {}
    where = at(_cut_site(trace))
    return found(
        RULE,
        0.9,
        "backward() fails: the loss has no history, although the model's parameters require gradients.",
        Evidence(quantity="error of the script", value=str(error["text"])[:160]),
        where=where if where.line else where.model_copy(update={k: error.get(k) for k in ("file", "line")}),
    )
