"""# eval_mode_missing: evaluation in train mode, or training in eval mode

**What it is.** The model is measured while dropout drops and batch normalisation uses (and updates from) the batch at
hand; or `eval()` was called for a measurement and `train()` never again.

**Signal.** The `training` flag at every outermost call, with and without gradient, together with the layers of that
model whose output depends on it (dropout with p > 0, batch normalisation). Also calls of dropout functions
(`F.dropout` without `training=self.training`) while a model in eval mode is evaluated, unless the same samples come
several times (answers averaged over dropout). And batch norms that train in eval mode on statistics that nothing has
filled: their means are all zero, as they were made.

**Why it matters.** The reported metric is noisy and too low (or depends on the size and order of the evaluation
batches), and evaluation data leak into the running statistics. Training without dropout is another experiment.

**Remedy.** `model.eval()` (and `no_grad`) around every evaluation, `model.train()` before training goes on.

**When it stays silent.** Models whose layers do not depend on the mode; passes without a loss or a label (samples of a
generator, re-estimated batch statistics, Monte-Carlo dropout); single layers kept in eval mode on purpose.

**Confirming intervention.** `eval_mode` or `train_mode`: the passes run in the right mode, same seed; for an
evaluation the measured evaluation loss or accuracy is compared.

**References.** PyTorch documentation, `torch.nn.Module.eval`, `BatchNorm2d`, `Dropout`; Ioffe and Szegedy, "Batch
normalization" (2015), section 3.1.
"""

from __future__ import annotations

from collections import Counter
from statistics import median
from typing import Any

from ..model import Evidence, Finding, Trace
from ..traces.wiring import mode_layers
from .base import Missing, Rule, at, found, rounded, site_by_id

RULE = Rule(
    fault="eval_mode_missing",
    severity="warning",
    sheet="training-loop-architecture#train-and-eval-mode",
    summary="eval() and no_grad for measuring, train() for training; they are two switches.",
    remedy="Call model.eval() before each evaluation and model.train() before training goes on.",
    symptom="mode_issue",
    structural=True,
    interventions=({"name": "eval_mode"},),
    contraindications=("Do not remove dropout or batch normalisation because the metric is noisy.",),
)

MOST = 0.5  # share of an evaluation's calls in train mode: one stray call is not the evaluation
SEVERAL = 3  # passes over the same samples at the same step
MIN_STEPS = 5  # training steps in eval mode: fewer may belong to a probe of the script


def check(trace: Trace) -> Finding | Missing | None:
    if not trace.of("model"):
        return Missing("an nn.Module")
    dropped = [row for row in trace.of("eval") if row.get("dropped")]
    if dropped and not _several_times(trace):
        return _dropout(trace, dropped)
    training = _training_in_eval_mode(trace) or _on_blank_statistics(trace)
    measured = [row for row in trace.of("eval") if row["loss"] or row["acc"] or row.get("own")]
    if not measured and training is None:
        return Missing("an evaluation pass without gradients")
    wrong = [row for row in measured if row["modes"].get("train", 0) > MOST * sum(row["modes"].values())]
    if not wrong:
        return training
    root = wrong[0]["root"]
    known = any(model["used"] and model["class"] == root for model in trace.of("model"))
    layers = mode_layers(trace, root if known else None)  # another model's layers are not those of this one
    if not layers:
        return training
    return _evaluation(trace, wrong, measured, layers)


def _evaluation(
    trace: Trace, wrong: list[dict[str, Any]], measured: list[dict[str, Any]], layers: list[Any]
) -> Finding:
    calls = sum(row["modes"]["train"] for row in wrong)
    return found(
        RULE,
        0.95,
        f"{len(wrong)} of {len(measured)} evaluations ran in train mode, with {_classes(layers)} active.",
        Evidence(quantity="evaluation calls in train mode", value=calls, threshold=0, unit="calls",
                 step=wrong[0]["i"]),
        Evidence(quantity="layers that depend on the mode", value=len(layers), where=str(layers[0][0])),
        where=at(trace.site("train_override") or site_by_id(trace, wrong[0].get("site")), module=str(layers[0][0])),
    )  # fmt: skip


def _dropout(trace: Trace, dropped: list[dict[str, Any]]) -> Finding:
    return found(
        RULE,
        0.95,
        f"In {len(dropped)} of {len(trace.of('eval'))} evaluations a dropout function was on in a model in eval mode.",
        Evidence(quantity="calls of dropout functions that eval mode did not switch off",
                 value=sum(row["dropped"] for row in dropped), threshold=0, unit="calls", step=dropped[0]["i"]),
        where=at(trace.site("stray_dropout")),
    )  # fmt: skip


def _several_times(trace: Trace) -> bool:
    """Whether evaluations show the same samples again and again: answers averaged over dropout, on purpose."""
    counts: Counter[tuple[int, float]] = Counter()
    for row in trace.of("ids"):
        if not row["grad"]:
            counts.update((row["i"], h) for h in row["h"])
    return bool(counts) and median(counts.values()) >= SEVERAL


def _training_in_eval_mode(trace: Trace) -> Finding | None:
    """Steps in eval mode after others in train mode: an ``eval()`` that was never taken back."""
    modes = [s.training for s in trace.steps if s.training is not None]
    if True not in modes or modes[-1]:
        return None
    last = len(modes) - modes[::-1].index(True)
    layers = mode_layers(trace)
    if len(modes) - last < MIN_STEPS or not layers or _kept_as_they_are(trace, layers):
        return None
    return found(
        RULE,
        0.9,
        f"From step {last + 1} on the model trains in eval mode: {_classes(layers)} no longer act as in training.",
        Evidence(quantity="training steps in eval mode", value=len(modes) - last, threshold=0, step=last + 1),
        Evidence(quantity="share of all steps", value=rounded((len(modes) - last) / len(modes))),
        where=at(_evaluation_site(trace), module=str(layers[0][0])),
    )


def interventions(trace: Trace) -> tuple[dict[str, Any], ...]:
    """The mode that is missing: that of training where blank statistics are what was found."""
    blank = _on_blank_statistics(trace)
    return ({"name": "train_mode"},) if blank is not None and check(trace) == blank else RULE.interventions


def _on_blank_statistics(trace: Trace) -> Finding | None:
    """Nobody keeps a batch norm in eval mode on purpose before it has seen a batch: it then does nothing at all."""
    rows = [r for r in trace.of("forward") if r["grad"]]
    blank = [r.get("blank_norms", 0) for r in rows]
    if len(rows) < MIN_STEPS or not min(blank):
        return None
    return found(
        RULE,
        0.9,
        f"{blank[-1]} batch norms train in eval mode on statistics that nothing has filled, so they normalise nothing.",
        Evidence(quantity="batch norms in eval mode whose running means are all zero", value=blank[-1], threshold=0,
                 unit="layers", step=rows[-1]["i"]),
        Evidence(quantity="training calls looked at", value=len(rows)),
        where=at(trace.site("forward"), module=rows[0]["module"]),
    )  # fmt: skip


def _kept_as_they_are(trace: Trace, layers: list[Any]) -> bool:
    """Whether the optimizer that makes the last steps holds no parameter of these layers, though others did: a part
    that was trained before and is used from now on, in eval mode with good reason.
    """
    last, paths = trace.steps[-1].optimizer, {str(path) for path, *_ in layers}
    own = [p for p in trace.parameters if p.name.rpartition(".")[0] in paths]
    return bool(own) and all(last not in p.optimizers for p in own) and any(p.optimizers for p in own)


def _evaluation_site(trace: Trace) -> Any:
    return trace.site("evaluation") or trace.site("backward")


def _classes(layers: list[Any]) -> str:
    return " and ".join(sorted({cls for _, cls, _ in layers})[:3])
