"""# loss_shape_broadcast: prediction and target shapes broadcast silently in the loss

**What it is.** Predictions of shape (N, 1) meet targets of shape (N,): every prediction is compared with every target.

**Signal.** The shapes that a loss function is called with; for losses written by hand, the shape of each operation
next to the loss: an (N, N) result of an operation whose prediction has N elements.

**Why it matters.** The best answer to all targets at once is their mean, so the model learns a constant; the loss
falls to the variance of the targets and looks like a hard problem.

**Remedy.** Give both the same shape: `pred.squeeze(1)` or `target.unsqueeze(1)`, and assert equal shapes.

**When it stays silent.** Shapes that agree; a scalar or a smaller tensor that is spread over the other one; pairwise
losses whose two sides both come from the model or are unsqueezed on purpose.

**Confirming intervention.** `align_shapes`: targets take the shape of the predictions, same seed.

**References.** PyTorch documentation, "Broadcasting semantics" and `torch.nn.functional.mse_loss` (its warning).
"""

from __future__ import annotations

from math import prod
from typing import Any

from ..model import Evidence, Finding, Trace
from ._evidence import loss_span
from .base import Rule, at, found, site_by_id

RULE = Rule(
    fault="loss_shape_broadcast",
    severity="critical",
    sheet="loss-functions-and-objectives#shapes-and-axes",
    summary="Prediction and target must have equal shapes in an element-wise loss.",
    remedy="Make the shapes equal before the loss: pred.squeeze(1), or target.unsqueeze(1).",
    structural=True,
    needs=("loss",),
    interventions=({"name": "align_shapes"},),
    contraindications=("A larger model or another learning rate cannot help: the loss asks for the mean.",),
)

ELEMENTWISE = frozenset({"mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "binary_cross_entropy",
                         "binary_cross_entropy_with_logits", "poisson_nll_loss", "gaussian_nll_loss"})  # fmt: skip
MEETING = frozenset(
    {"Sub", "Mul", "Div", "Add", "Rsub", "SmoothL1Loss", "MseLoss"}
)  # operations of two tensors
# what is spread there is no prediction: axes that the script asked for, and parameters (an offset per feature)
ON_PURPOSE = frozenset({"Unsqueeze", "Expand", "Index", "None", "torch::autograd::AccumulateGrad"})


def check(trace: Trace) -> Finding | None:
    for row in trace.of("loss"):
        scores, target = row["in"]["shape"], row["target"]["shape"]
        spread = broadcast(scores, target)
        if row["fn"] in ELEMENTWISE and spread is not None and prod(spread) > max(prod(scores), prod(target)):
            return _finding(trace, row["fn"], scores, target, spread, site_by_id(trace, row["site"]))
    for row in trace.of("graph"):
        met = _by_hand(row)
        if met is not None:
            return _finding(trace, *met, trace.site("loss") or trace.site("backward"))
    return None


def _finding(
    trace: Trace, name: str, scores: list[int], target: list[int] | str, spread: list[int], site: Any
) -> Finding:
    return found(
        RULE,
        0.97,
        f"{name} spreads a prediction of shape {tuple(scores)} to {tuple(spread)}: each meets every target.",
        Evidence(quantity="shape of the prediction", value=str(tuple(scores))),
        Evidence(
            quantity="shape of the target", value=str(tuple(target)) if isinstance(target, list) else target
        ),
        Evidence(quantity="shape in the loss", value=str(tuple(spread)), threshold=str(tuple(scores))),
        loss_span(trace),
        where=at(site),
    )


def broadcast(a: list[int], b: list[int]) -> list[int] | None:
    """The shape that two shapes broadcast to; None when they do not."""
    length = max(len(a), len(b))
    left, right = [1] * (length - len(a)) + a, [1] * (length - len(b)) + b
    if any(x != y and 1 not in (x, y) for x, y in zip(left, right, strict=True)):
        return None
    return [max(x, y) for x, y in zip(left, right, strict=True)]


def _by_hand(row: dict[str, Any]) -> tuple[str, list[int], str, list[int]] | None:
    """An operation of a prediction of N elements with a constant whose result is (N, N)."""
    for name, (result, inputs, _, given) in zip(row["head"], row.get("ops", []), strict=False):
        if inputs != 1 or name not in MEETING or result is None:
            continue
        before, shape = given[0]
        square = shape is not None and len(result) == 2 and result[0] == result[1] == prod(shape) > 1
        if square and before not in ON_PURPOSE and len(shape) <= 2 and shape != result:
            return name.lower(), shape, "not in the graph", result
    return None
