"""# loss_activation_mismatch: output activation and loss expect different things

**What it is.** A loss that applies its own softmax, sigmoid or exponential gets probabilities or rates, or a loss that
expects log-probabilities (or probabilities) gets raw scores.

**Signal.** What the loss function is called with, in the run: the autograd operation that made the input
(Softmax, Sigmoid, LogSoftmax, looked up through reshapes) and the values themselves (rows that are non-negative
and sum to 1 before `cross_entropy`; rows whose log-sum-exp is not 0 before `nll_loss`; outputs of an operation that
gives no negative numbers before `poisson_nll_loss`, which takes the logarithm of the rate unless `log_input=False`).
In the graph of a loss that the script writes out: a log-softmax of a softmax's output, a log-sigmoid of a sigmoid's.

**Why it matters.** Softmax twice squeezes the scores into [0, 1]: with C classes the loss cannot fall below
ln(e + C - 1) - 1, 1.46 for ten classes, and gradients shrink. Sigmoid twice keeps every probability between 0.5
and 0.73. `nll_loss` on raw scores is unbounded below.

**Remedy.** Hand raw scores (logits) to `cross_entropy` and `binary_cross_entropy_with_logits`; hand
`log_softmax` output to `nll_loss`; apply softmax or sigmoid only to read probabilities.

**When it stays silent.** `log_softmax` before `cross_entropy` (it changes nothing); a mixture's log-probabilities
before `nll_loss`; sums that are close to 1 by chance in one batch only.

**Confirming intervention.** `undo_activation`: the loss gets what it expects, same seed. The two losses are on
different scales when the fault bounds or unbounds the loss, so the accuracy of the batches decides as well.

**References.** PyTorch documentation, `torch.nn.CrossEntropyLoss`, `NLLLoss`, `BCEWithLogitsLoss` ("input:
unnormalized logits", "log-probabilities").
"""

from __future__ import annotations

import math
from typing import Any

from ..model import Evidence, Finding, Trace
from .base import Missing, Rule, at, found, rounded, site_by_id

RULE = Rule(
    fault="loss_activation_mismatch",
    severity="critical",
    sheet="loss-functions-and-objectives#logits-or-probabilities",
    summary="Each loss expects logits, log-probabilities or probabilities; check which one it gets.",
    remedy="Pass raw scores (logits) to the loss and remove the activation before it.",
    structural=True,
    interventions=({"name": "undo_activation"},),
)

# float32 softmax rows sum to 1 within a few ulp (1e-6); half precision within 1e-2. Raw scores of an untrained
# network can sum to about 1 in a row, never in every row of several batches and without a negative value.
SUM_TOLERANCE = 2e-2
# log-sum-exp of log-probabilities is 0 within rounding; raw scores of C classes give about ln C >= 0.69.
LOGSUM_TOLERANCE = 0.1
POSITIVE = frozenset(
    {"Softplus", "Exp", "Sigmoid", "Softmax", "Relu"}
)  # what makes rates, and no logarithms of rates
PASS_THROUGH = frozenset(
    {"View", "UnsafeView", "Squeeze", "Unsqueeze", "Select", "Slice", "T", "Transpose", "Permute", "Clone",
     "ToCopy", "Alias", "Reshape", "Index", "Expand", "ViewAs", "Flatten"}
)  # fmt: skip

TWICE = {"LogSoftmax": "Softmax", "LogSigmoid": "Sigmoid"}
LOGARITHMS = {"Softmax": "log_softmax", "Sigmoid": "logsigmoid"}
SLIGHT = frozenset({"Add", "Clamp", "ClampMin", "Mul", "Div"})


def check(trace: Trace) -> Finding | Missing | None:
    if not trace.of("loss") and not trace.of("graph"):
        return Missing("a call of a torch loss function, or the graph of a loss")
    by_site: dict[tuple[str, int | None], list[dict[str, Any]]] = {}
    for row in trace.of("loss"):
        by_site.setdefault((row["fn"], row["site"]), []).append(row)
    for (name, site), rows in by_site.items():
        problem = _problem(name, rows)
        if problem is not None:
            why, remedy, evidence = problem
            return found(RULE, 0.97, why, *evidence, where=at(site_by_id(trace, site)), remedy=remedy)
    return _twice(trace)


def _twice(trace: Trace) -> Finding | None:
    """A loss that the script writes out, whose log-softmax (log-sigmoid) gets what a softmax (sigmoid) returned."""
    found_in = [_activated(row) for row in trace.of("graph")]
    if not found_in or not all(found_in):
        return None
    kind, classes = found_in[0]  # type: ignore[misc]
    evidence = [Evidence(quantity=f"operation that made the input of {LOGARITHMS[kind]}", value=kind)]
    if kind == "Softmax":
        floor = math.log(math.e + classes - 1) - 1
        quantity = f"lowest loss that is reachable with {classes} classes"
        evidence.append(Evidence(quantity=quantity, value=rounded(floor)))
    what = kind.lower()
    return found(
        RULE,
        0.97,
        f"The {LOGARITHMS[kind]} of the loss gets the output of a {what}: activation applied twice.",
        *evidence,
        where=at(trace.site("loss_by_hand") or trace.site("backward")),
        remedy=f"Pass the raw scores to the loss; drop the {what} from the training path.",
    )


def _activated(row: dict[str, Any]) -> tuple[str, int] | tuple[()]:
    """The activation whose output a logarithm of the same kind gets, through operations that only move values, and the
    last size of its shape; empty for none.
    """
    head, ops = row["head"], row.get("ops") or []
    for start in (k for k, name in enumerate(head) if name in TWICE):
        given: int | None = start
        while given is not None:
            given = next((k for k, op in enumerate(ops) if op[2] == given), None)
            if given is not None and head[given] == TWICE[head[start]]:
                return head[given], int((ops[given][0] or [0])[-1])
            if given is not None and head[given] not in PASS_THROUGH:
                break
    return ()


def maker(row: dict[str, Any], through: frozenset[str] = PASS_THROUGH) -> str | None:
    """The operation that made the scores, looked up through operations that only move values."""
    for name in row["maker"]:
        plain = name.rstrip("0123456789")
        if plain not in through:
            return str(plain)
    return None


def _problem(name: str, rows: list[dict[str, Any]]) -> tuple[str, str, list[Evidence]] | None:
    makers = {maker(r) for r in rows}
    check_call = {"cross_entropy": _cross_entropy, "nll_loss": _nll, "kl_div": _kl,
                  "binary_cross_entropy_with_logits": _bce_logits, "poisson_nll_loss": _poisson}.get(name)  # fmt: skip
    return check_call(rows, makers) if check_call else None


def _cross_entropy(
    rows: list[dict[str, Any]], makers: set[str | None]
) -> tuple[str, str, list[Evidence]] | None:
    sums = [r["rows"] for r in rows if r["rows"]]
    normalised = bool(sums) and all(s["min"] >= 0 and s["sum"] < SUM_TOLERANCE for s in sums)
    activation = next((m for m in makers if m in ("Softmax", "Sigmoid")), None)
    if not (normalised and len(sums) > 1) and not (activation and len(makers) == 1):
        return None
    what = activation.lower() if activation else "probabilities"
    classes = rows[0]["in"]["shape"][1]
    floor = math.log(math.e + classes - 1) - 1
    evidence = [
        Evidence(quantity="operation that made the input of cross_entropy", value=activation or "unknown")
    ]
    if sums:
        evidence.append(
            Evidence(
                quantity="largest distance of a row's sum from 1",
                value=rounded(max(s["sum"] for s in sums)),
                threshold=SUM_TOLERANCE,
            )
        )
    evidence.append(
        Evidence(quantity=f"lowest loss that is reachable with {classes} classes", value=rounded(floor))
    )
    why = f"cross_entropy applies log_softmax itself but gets the output of {what}: activation applied twice."
    return why, f"Pass the raw scores to cross_entropy; drop the {what} from the training path.", evidence


def _nll(rows: list[dict[str, Any]], makers: set[str | None]) -> tuple[str, str, list[Evidence]] | None:
    sums = [r["rows"]["logsum"] for r in rows if r["rows"]]
    if not sums or "LogSoftmax" in makers or min(sums) < LOGSUM_TOLERANCE:
        return None
    evidence = [
        Evidence(quantity="operation that made the input of nll_loss", value=next(iter(makers)) or "unknown"),
        Evidence(quantity="smallest over batches of max |log-sum-exp of a row| (0 for log-probabilities)",
                 value=rounded(min(sums)), threshold=LOGSUM_TOLERANCE),
    ]  # fmt: skip
    what = "probabilities" if "Softmax" in makers else "raw scores"
    return (f"nll_loss expects log-probabilities but gets {what}.",
            "Use cross_entropy on the raw scores, or log_softmax before nll_loss.", evidence)  # fmt: skip


def _kl(rows: list[dict[str, Any]], makers: set[str | None]) -> tuple[str, str, list[Evidence]] | None:
    if makers != {"Softmax"}:
        return None
    evidence = [Evidence(quantity="operation that made the input of kl_div", value="Softmax")]
    return ("kl_div expects log-probabilities as its first argument but gets probabilities.",
            "Pass log_softmax output as the first argument of kl_div.", evidence)  # fmt: skip


def _bce_logits(
    rows: list[dict[str, Any]], makers: set[str | None]
) -> tuple[str, str, list[Evidence]] | None:
    if makers - {"Sigmoid", "Softmax"} or None in makers:
        return None
    low, high = min(r["in"]["min"] for r in rows), max(r["in"]["max"] for r in rows)
    evidence = [
        Evidence(quantity="operation that made the input", value=sorted(str(m) for m in makers)[0]),
        Evidence(quantity="range of the input", value=f"{rounded(low)} .. {rounded(high)}"),
    ]
    return ("binary_cross_entropy_with_logits applies the sigmoid itself but gets probabilities.",
            "Pass raw scores to binary_cross_entropy_with_logits; keep the sigmoid for predictions only.",
            evidence)  # fmt: skip


def _poisson(rows: list[dict[str, Any]], makers: set[str | None]) -> tuple[str, str, list[Evidence]] | None:
    """The network answers with the rate, the loss takes exp of it once more: exp(rate) is at least 1."""
    # a small number that is added to a rate, or a bound, leaves it one
    rates = {maker(r, PASS_THROUGH | SLIGHT) for r in rows if r["in"]["min"] >= 0}
    known = makers if any(r["in"]["min"] < 0 for r in rows) else rates
    if not all(r.get("log_input") for r in rows) or not known or known - POSITIVE:
        return None
    made = sorted(str(m) for m in known)[0]
    low, high = min(r["in"]["min"] for r in rows), max(r["in"]["max"] for r in rows)
    evidence = [
        Evidence(quantity="operation that made the input of poisson_nll_loss", value=made),
        Evidence(quantity="range of the input", value=f"{rounded(low)} .. {rounded(high)}"),
        Evidence(quantity="lowest rate that the loss can be told", value=1.0),
    ]
    return (f"poisson_nll_loss expects the logarithm of the rate (log_input=True) but gets {made} output, a rate.",
            "Set log_input=False, or leave the last activation out and take exp only to read the rate.",
            evidence)  # fmt: skip
