"""# wrong_optimizer_hyperparameter: momentum, betas, eps or decay outside any sane range

**What it is.** A setting of the optimizer other than the rate is so far off that the optimizer no longer does what it
is named for: betas in the wrong order, a momentum whose memory is longer than the run, an eps larger than the
gradients, a decay that outweighs them.

**Signal.** The hyper-parameters of each group as the optimizer holds them, against the ranges in which its authors
and the reference implementations use it; and a run that did not get far.

**Why it matters.** Rates are tuned on top of such a setting for days; none fits.

**Remedy.** Go back to the documented default of that one setting, then retune the rate.

**When it stays silent.** Unusual but working values (beta1 of 0 or 0.5 in adversarial training, beta2 of 0.95 in
language models, eps of 1e-3), a strong decay in a run that fits well, and one of several that a script tries in
turn. Other settings of a run that fits well, and optimizers that are not torch's, are only tested.

**Confirming intervention.** `hyperparameters`: the optimizer's defaults for everything but the rate, same seed.

**References.** Kingma and Ba, "Adam" (2015), defaults and the condition on the betas; Sutskever et al., "On the
importance of initialization and momentum" (2013); PyTorch documentation, `torch.optim`; Google, "Deep learning
tuning playbook" (2023), on search ranges of momentum, betas and eps.
"""

from __future__ import annotations

from typing import Any

from ..model import Evidence, Finding, Optimizer, Trace
from ..traces.progress import learned_well
from ._evidence import TORCH_OPTIMIZERS, loss_span, searched
from .base import TENTATIVE, Rule, at, found, rounded, site_by_id

# Defaults of torch.optim, except momentum, whose default of 0 would be a change of another kind.
DEFAULTS: dict[str, Any] = {
    "momentum": 0.9, "dampening": 0.0, "betas": [0.9, 0.999], "alpha": 0.99, "eps": 1e-8,
    "lr_decay": 0.0, "weight_decay": 0.0, "initial_accumulator_value": 0.0,
}  # fmt: skip

RULE = Rule(
    fault="wrong_optimizer_hyperparameter",
    severity="critical",
    sheet="optimization-algorithms#sane-ranges",
    summary="Leave the optimizer's other settings at their defaults until there is a measured reason.",
    remedy="Set the named hyper-parameter back to its default and retune the learning rate afterwards.",
    needs=("optimizer_steps", "loss", "ten_steps"),
    interventions=({"name": "hyperparameters", **DEFAULTS},),
    contraindications=("Do not tune the learning rate around a broken momentum, beta or eps.",),
)

# Search ranges of the Google tuning playbook end at 1 - momentum = 1e-3, 1 - beta1 = 1e-3 and eps = 1 (log scale,
# for very long runs); in a run of n steps a memory of 1 / (1 - momentum) > n / 2 steps never settles.
MEMORY = 0.5  # of the run
LONG_MEMORY = 50.0  # steps: the memory of 0.98; shorter ones are usual
LOW_BETA2 = 0.8  # authors' range 0.9 .. 0.9999; below it the scale follows single batches
HIGH_EPS = 1e-2  # elements of gradients are 1e-5 .. 1e-2, and eps is meant to be far below them
DAMPING = 0.95  # what is left of a new gradient is 1 - dampening; momentum runs use 0
FADING = 0.1  # Adagrad's lr_decay: the rate is down to a tenth after 90 steps; the default is 0
SUM = 10.0  # Adagrad's initial sum of squares: PyTorch starts at 0, TensorFlow at 0.1; 10 divides every step by 3
DECAY = 1.0  # coupled decay: usual 1e-5 .. 1e-2; decoupled: up to 0.3
Problem = tuple[str, float, str]  # name, value, what is usual


def check(trace: Trace) -> Finding | None:
    well = learned_well(trace)
    for optimizer in trace.optimizers:
        steps = sum(s.optimizer == optimizer.id for s in trace.steps)
        for group in optimizer.groups if steps >= 10 else ():
            problem = _problem(group, steps)
            if problem is None or searched(trace, optimizer, problem[0].split()[0]):
                continue
            if not (well and problem[0] == "weight_decay"):  # the business of over_regularization
                return _finding(trace, optimizer, problem, mere=well)
    return None


def _finding(trace: Trace, optimizer: Optimizer, problem: Problem, mere: bool) -> Finding:
    name, value, usual = problem
    known = optimizer.cls in TORCH_OPTIMIZERS  # what is usual for another algorithm, nobody knows
    return found(
        RULE,
        TENTATIVE if mere or not known else 0.85,
        f"{optimizer.cls} runs with {name} = {value:g}; usual is {usual}.",
        Evidence(quantity=f"{optimizer.cls} {name}", value=rounded(value), threshold=usual),
        loss_span(trace),
        where=at(site_by_id(trace, optimizer.site)),
        remedy=f"Set {name} back to its usual value ({usual}).",
    )  # fmt: skip


def _problem(group: dict[str, Any], steps: int) -> Problem | None:
    return _memory(group, steps) or _second_moment(group) or _constants(group)


def _memory(group: dict[str, Any], steps: int) -> Problem | None:
    """The weight of the past in the direction of a step."""
    betas = group.get("betas")
    named = (("momentum", group.get("momentum")), ("beta1", betas[0] if isinstance(betas, list) else None))
    for name, value in named:
        if not isinstance(value, (int, float)):
            continue
        memory = 1 / (1 - value) if value < 1 else float("inf")
        if memory > LONG_MEMORY * 1.0001 and memory > min(MEMORY * steps, 999.0):
            return name, float(value), "0.9, at most 0.99"
    damping = group.get("dampening")
    if isinstance(damping, (int, float)) and damping > DAMPING and group.get("momentum", 0):
        return "dampening", float(damping), "0"
    return None


def _second_moment(group: dict[str, Any]) -> Problem | None:
    """The averages that the step is divided by."""
    betas, alpha = group.get("betas"), group.get("alpha")
    if isinstance(betas, list) and len(betas) >= 2:
        first, second = float(betas[0]), float(betas[1])
        if first >= second**0.5 and first > 0:
            return (
                "beta1 (against beta2 = " + f"{second:g})",
                first,
                "below the square root of beta2: 0.9 and 0.999",
            )
        if second < LOW_BETA2:
            return "beta2", second, "0.95 to 0.999"
    if isinstance(alpha, (int, float)) and "centered" in group and alpha < LOW_BETA2:
        return "alpha", float(alpha), "0.9 to 0.99"
    return None


def _constants(group: dict[str, Any]) -> Problem | None:
    eps, decay, fading = group.get("eps"), group.get("weight_decay"), group.get("lr_decay")
    total = group.get("initial_accumulator_value")
    if isinstance(eps, (int, float)) and eps >= HIGH_EPS:
        return "eps", float(eps), "1e-8"
    if isinstance(decay, (int, float)) and decay >= DECAY:
        return "weight_decay", float(decay), "0 to 0.1"
    if isinstance(fading, (int, float)) and fading >= FADING:
        return "lr_decay", float(fading), "0"
    if isinstance(total, (int, float)) and total >= SUM:
        return "initial_accumulator_value", float(total), "0 to 0.1"
    return None
