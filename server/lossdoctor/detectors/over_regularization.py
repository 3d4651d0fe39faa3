"""# over_regularization: dropout or decay so strong that the model cannot fit

**What it is.** Dropout removes most of the signal, or weight decay pulls the weights to zero faster than the gradient
moves them, and the training loss itself stays high.

**Signal.** The dropout rates of the layers that ran; the weights' norms over the run (decay wins when they shrink to
a fraction, or to nothing by whatever decay) and the decay that the optimizer holds; with a training loss that comes to
rest far from zero, or, under strong dropout, has gone less than half of the way (a mere suspicion). A decay of 0.01 or
more that is added to the gradient is *tested* where the fit is not nearly full.

**Why it matters.** Training and validation are equally poor, which looks like a model that is too small.

**Remedy.** First fit the training set without regularisation, then add it back in small steps.

**When it stays silent.** Strong regularisation in a run that fits; a training loss above the validation loss because
of ordinary dropout.

**Confirming intervention.** `no_dropout`, `no_weight_decay`: the training loss (of a mere suspicion: the held-out
loss) must end clearly lower, same seed.

**References.** Srivastava et al., "Dropout" (2014), retention 0.5 to 0.8; Loshchilov and Hutter, "Decoupled weight
decay regularization" (2019); Goodfellow, Bengio and Courville, "Deep learning" (2016), chapter 7.
"""

from __future__ import annotations

from statistics import median
from typing import Any

from ..model import Evidence, Finding, Trace
from ..traces.measure import need_not_fall, objective, stalled
from ..traces.progress import fitted, learned_well
from ..traces.wiring import dropouts
from ._evidence import TORCH_OPTIMIZERS, loss_span, made_site, optimizer_site, searched
from .base import TENTATIVE, Rule, at, found, rounded

RULE = Rule(
    fault="over_regularization",
    severity="warning",
    sheet="overfitting-prevention#too-much-regularisation",
    summary="Fit the training set first; add dropout and decay afterwards, in small steps.",
    remedy="Lower the dropout rate (0.1 to 0.5) or the weight decay until the training loss falls.",
    needs=("moving_steps", "loss", "ten_steps"),
    interventions=({"name": "no_dropout"}, {"name": "no_weight_decay"}),
    contraindications=(
        "A larger model does not help while its signal is dropped or its weights are decayed.",
    ),
)

STRONG_DROPOUT = 0.6  # Srivastava et al. (2014) use 0.2 (inputs) and 0.5 (hidden layers)
EXTREME_DROPOUT = 0.85
POOR = 0.5  # fit of the training data
STRONG_DECAY = 0.05  # decoupled decay goes up to 0.1 in language models; coupled decay is usually below 0.01
COUPLED = 0.01  # added to the gradient; worth a test in a run that does not fit nearly all
FAIR = 0.95  # fit of the training data that such a decay would not leave
GONE = 0.05  # norm of the weights at the end relative to the start: only decay brings all of them to nothing
SHRUNK = 0.5  # norm of the weights at the end relative to the start; healthy runs grow or keep it


def check(trace: Trace) -> Finding | None:
    share = fitted(trace)
    heavy = _decay(trace) >= COUPLED and _coupled(trace) and share is not None and share < FAIR
    if (learned_well(trace) and not heavy) or need_not_fall(trace):
        return None
    dropout, layer, kind = _dropout(trace)
    decay, kept = _decay(trace), _kept(trace)
    resting = stalled(objective(trace))
    gone = kept is not None and kept < GONE and share is not None and share < POOR
    shrinks = decay >= STRONG_DECAY / 10 and kept is not None and kept < SHRUNK
    # slow, whether it rests or not; below the extreme held-out answers must tell
    starved = dropout >= STRONG_DROPOUT and share is not None and share < POOR
    if not (resting or shrinks or starved or heavy or gone) or (
        dropout < STRONG_DROPOUT and decay < STRONG_DECAY and not (shrinks or heavy or gone)
    ):
        return None
    sure = dropout >= EXTREME_DROPOUT or shrinks or gone
    by_dropout = dropout >= STRONG_DROPOUT and not (shrinks or gone)
    why = (
        f"Dropout removes {100 * dropout:.0f} % of the signal"
        if by_dropout
        else f"A weight decay of {decay:g} holds the weights down"
        if decay
        else "The weights shrink to nothing"
    )
    finding = found(
        RULE,
        0.85 if gone else 0.7 if sure else TENTATIVE,
        f"{why}, and the training loss stays high.",
        Evidence(quantity="largest dropout rate", value=dropout, threshold=STRONG_DROPOUT, where=layer),
        Evidence(quantity="largest weight decay", value=decay, threshold=STRONG_DECAY),
        Evidence(quantity="norm of the weight matrices, end / start",
                 value=rounded(kept) if kept is not None else "unknown", threshold=SHRUNK),
        loss_span(trace),
        where=at(made_site(trace, kind), module=layer) if by_dropout else at(optimizer_site(trace)),
    )  # fmt: skip
    return finding.model_copy(update={"severity": "critical"}) if gone else finding


def interventions(trace: Trace) -> tuple[dict[str, Any], ...]:
    """Of the two changes those that there is something to change for: usual dropout costs every run some of its fit."""
    decay = _decay(trace) > 0
    present = (_dropout(trace)[0] >= (STRONG_DROPOUT if decay else 1e-9), decay)
    return tuple(change for change, there in zip(RULE.interventions, present, strict=True) if there)


def _dropout(trace: Trace) -> tuple[float, str | None, str]:
    """The largest rate of the dropout layers, the layer and its class."""
    return max([(0.0, None, "Dropout"), *dropouts(trace)], key=lambda r: r[0])


def _decay(trace: Trace) -> float:
    """The strongest decay of the run; of a search, the weakest that it tries."""
    found = [(o, g.get("weight_decay", 0.0)) for o in trace.optimizers for g in o.groups]
    values = [(o, float(v)) for o, v in found if isinstance(v, (int, float))]
    tried = [v for o, v in values if searched(trace, o, "weight_decay")]
    return min(tried) if tried else max((v for _, v in values), default=0.0)


def _coupled(trace: Trace) -> bool:
    """Whether the decay is added to the gradient, as by every optimizer of torch's that does not say otherwise."""
    return all(o.cls in TORCH_OPTIMIZERS and not o.cls.endswith("W") for o in trace.optimizers)


def _kept(trace: Trace) -> float | None:
    """Median over weight matrices of the last recorded norm relative to the first; a column is no matrix: biases that a
    table holds, say.
    """
    shapes = {p.id: p.shape for p in trace.parameters}
    sizes: dict[int, list[float]] = {}
    for step in trace.steps:
        for number, (_, size, _) in step.updates.items():
            if sum(n > 1 for n in shapes.get(number, ())) >= 2 and size > 0:
                sizes.setdefault(number, []).append(size)
    ratios = [v[-1] / v[0] for v in sizes.values() if len(v) > 2]
    return median(ratios) if ratios else None
