"""The decision rule of interventions: did the one change remove the fault?"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from ..detectors.base import TENTATIVE, number
from ..detectors.catalogue import interventions, rule, shows
from ..model import Finding, Trace
from ..traces.evaluations import points as evaluation_points
from ..traces.measure import accuracy_curve, chance_loss, finite, noise, objective, tail, time_shares, window
from ..traces.validation import validation_losses

SIGMAS = 3.0  # the difference must exceed three standard errors of the two medians that are compared
GAIN = 0.1  # and a tenth of the unchanged run's loss
ACCURACY_GAIN = 0.1
CLEARLY_WORSE = 1.1  # the end loss of a lesser cure relative to that of the best one
CONFIRMED = 0.95  # confidence of a finding whose removal cured the run
ROUNDING = 0.005  # gain in accuracy, or share of the loss, of an evaluation that nothing else has changed
HELD_BACK = 0.5  # evaluation loss with the change relative to without
# changes that lower the training loss of sound runs too: what they did to held-out samples decides, where that is known
FOR_HELD_OUT = ("no_dropout", "no_weight_decay", "no_augmentation", "unfreeze")
# changes that touch the evaluation alone: training is the same to the last bit, so any gain is theirs
OF_EVALUATION = ("eval_mode", "faster_ema")
OTHER_UNITS = ("standardise_targets",)  # losses are compared relative to that of the best constant prediction
FASTER = 0.7  # step time with the change relative to without


Pair = tuple[float | None, float | None]


@dataclass(frozen=True)
class Judgement:
    """A finding after its intervention, and the loss (median at the end) that the changed run reached."""

    finding: Finding
    end: float | None = None


def settled(findings: tuple[Finding, ...], judgements: tuple[Judgement, ...]) -> tuple[Finding, ...]:
    """Let the best cure win: of several confirmed causes, those whose cure leaves a clearly higher loss than the best
    one are only ways to live with it, and become its consequences. Structural findings stand for themselves.
    """
    cured = {j.finding.fault: j for j in judgements if j.finding.status == "confirmed" and j.end is not None}
    rivals = {f: j for f, j in cured.items() if not rule(f).structural}
    if len(rivals) < 2:
        return findings
    best = min(rivals.values(), key=lambda j: j.end or 0.0)
    worse = {
        f for f, j in rivals.items() if j is not best and (j.end or 0.0) > CLEARLY_WORSE * (best.end or 0.0)
    }
    kept = (f for f in findings if f.fault not in worse)
    return tuple(
        f.model_copy(update={"consequences": tuple(sorted({*f.consequences, *worse}))})
        if f.fault == best.finding.fault
        else f
        for f in kept
    )


def promising(
    findings: tuple[Finding, ...], trace: Trace
) -> list[tuple[Finding, tuple[dict[str, Any], ...]]]:
    """Findings that an intervention can confirm, in the given order, each with its interventions."""
    chosen = [
        (f, interventions(f.fault, trace))
        for f in findings
        if f.severity != "info" and f.status == "suspected"
    ]
    return [(finding, changes) for finding, changes in chosen if changes]


def judge(finding: Finding, before: Trace, after: Trace, change: dict[str, Any]) -> Judgement:
    """The finding as ``judged`` says, with the loss that the changed run reached at the last common step."""
    last = _common(before, after, pace(change))[1]
    return Judgement(judged(finding, before, after, change), tail(_until(after, last)))


def pace(change: dict[str, Any]) -> float:
    """Updates of the changed run per update of the unchanged one, where the change is one of the batch size."""
    factor = float(change.get("factor", 1))
    return {"split_batch": factor, "accumulate": 1 / factor}.get(change["name"], 1.0)


def _common(before: Trace, after: Trace, speed: float) -> tuple[int, int]:
    """The last step of either run after which both have seen equally much."""
    last = min(_last(before), round(_last(after) / speed))
    return last, round(last * speed)


def judged(finding: Finding, before: Trace, after: Trace, change: dict[str, Any]) -> Finding:
    """The finding with its status and the measured effect of ``change``.

    Confirmed when the changed run ends clearly better: its median loss over the last tenth of the common steps is
    lower by more than three standard errors of the medians (step-to-step noise of both runs) and by more than a
    tenth of the unchanged loss; or the batch accuracy is higher by 0.1; or the evaluation loss is halved; or, for
    throughput, a step takes less
    than 0.7 of the time. Mere suspicions whose change also makes sound runs fit their training data better (no dropout,
    decay or augmentation, nothing frozen) count by the evaluation alone. Refuted when it is not better although the
    fault's own sign is gone; a change that did not remove the sign has not reached the fault and decides nothing. A
    structural fault is never refuted.
    """
    name = described(change)
    if finding.symptom == "slow_training":
        better, proof = _faster(before, after)
    else:
        better, proof = _lower(finding, before, after, change)
    if better is None:
        return finding
    if better:
        return finding.model_copy(
            update={
                "status": "confirmed",
                "confidence": max(finding.confidence, CONFIRMED),
                "proof": f"same seed, {name}: {proof}",
            }
        )
    if rule(finding.fault).structural:
        return finding.model_copy(
            update={"proof": f"same seed, {name}: {proof}; no clear effect in this many steps"}
        )
    if shows(finding.fault, after):
        return finding.model_copy(
            update={"proof": f"same seed, {name}: {proof}; the fault's sign was still there"}
        )
    return finding.model_copy(update={"status": "refuted", "proof": f"same seed, {name}: {proof}"})


def described(change: dict[str, Any]) -> str:
    """The change in words: ``scale_lr factor=0.1``."""
    return " ".join([change["name"], *(f"{k}={v}" for k, v in change.items() if k != "name")])


def _faster(before: Trace, after: Trace) -> tuple[bool | None, str]:
    was, now = time_shares(before), time_shares(after)
    if was is None or now is None or not was["mean_total"] > 0:
        return None, ""
    proof = f"step time {1e3 * was['mean_total']:.3g} -> {1e3 * now['mean_total']:.3g} ms"
    return now["mean_total"] < FASTER * was["mean_total"], proof


def _lower(finding: Finding, before: Trace, after: Trace, change: dict[str, Any]) -> tuple[bool | None, str]:
    last, then = _common(before, after, pace(change))
    if min(last, then) < 5:
        return None, ""
    old, new = _until(before, last), _until(after, then)
    if change["name"] in OTHER_UNITS:
        old, new = _relative(before, old), _relative(after, new)
    ends = tail(old), tail(new)
    if ends[1] is None or _broke(new):
        return False, f"loss at step {last} {_shown(ends[0], old)} -> {_shown(ends[1], new)}"
    proof = f"loss at step {last} {_shown(ends[0], old)} -> {number(ends[1])}"
    if ends[0] is None or _broke(old):
        return True, proof
    held = _held_back(before, last), _held_back(after, then)
    right = _held_accuracy(before, last), _held_accuracy(after, then)
    if change["name"] in OF_EVALUATION:
        return _any_better(held, right, proof)
    unsure = change["name"] in FOR_HELD_OUT and finding.confidence <= TENTATIVE
    if unsure and (None not in held or None not in right):
        return _held_out(held, right, proof)
    error = math.hypot(noise(old) / math.sqrt(window(old)), noise(new) / math.sqrt(window(new)))
    gain = ends[0] - ends[1]
    if gain > SIGMAS * error and gain > GAIN * abs(ends[0]):
        return True, proof
    accuracies = _accuracy(before, last), _accuracy(after, then)
    if (
        accuracies[0] is not None
        and accuracies[1] is not None
        and accuracies[1] - accuracies[0] > ACCURACY_GAIN
    ):
        return True, f"accuracy at step {last} {accuracies[0]:.2f} -> {accuracies[1]:.2f}"
    if _halved(*held):
        return _held_out(held, (None, None), proof)
    return False, proof


def _halved(was: float | None, now: float | None) -> bool:
    return was is not None and now is not None and 0 < now < HELD_BACK * was


def _held_out(held: Pair, right: Pair, proof: str) -> tuple[bool, str]:
    """Judged by evaluation: a loss that is halved, or an accuracy that is higher by 0.1."""
    if held[0] is not None and held[1] is not None:
        proof = f"evaluation loss {number(held[0])} -> {number(held[1])}"
    if right[0] is not None and right[1] is not None and right[1] - right[0] > ACCURACY_GAIN:
        return True, f"evaluation accuracy {right[0]:.2f} -> {right[1]:.2f}"
    return _halved(*held), proof


def _any_better(held: Pair, right: Pair, proof: str) -> tuple[bool, str]:
    """Evaluations that differ by the change alone: better by more than rounding."""
    if right[0] is not None and right[1] is not None and right[1] - right[0] > ROUNDING:
        return True, f"evaluation accuracy {right[0]:.3f} -> {right[1]:.3f}"
    if held[0] is not None and held[1] is not None:
        return held[1] < (1 - ROUNDING) * held[0], f"evaluation loss {number(held[0])} -> {number(held[1])}"
    return False, proof


def _held_accuracy(trace: Trace, last: int) -> float | None:
    """The last evaluation accuracy up to a step."""
    seen = [p.accuracy for p in evaluation_points(trace) if p.accuracy is not None and p.step <= last]
    return seen[-1] if seen else None


def _held_back(trace: Trace, last: int) -> float | None:
    """The last evaluation loss up to a step."""
    return next((v for i, v in reversed(validation_losses(trace)) if i <= last), None)


def _last(trace: Trace) -> int:
    points = objective(trace)
    return points[-1][0] if points else 0


def _until(trace: Trace, last: int) -> tuple[tuple[int, float], ...]:
    return tuple(p for p in objective(trace) if p[0] <= last)


def _relative(trace: Trace, points: tuple[tuple[int, float], ...]) -> tuple[tuple[int, float], ...]:
    """Losses divided by that of the best constant prediction, where it is known."""
    level = chance_loss(trace)
    return tuple((i, v / level) for i, v in points) if level is not None and level > 0 else points


def _broke(points: tuple[tuple[int, float], ...]) -> bool:
    return len(finite(points[-5:])) < len(points[-5:])


def _shown(value: float | None, points: tuple[tuple[int, float], ...]) -> str:
    return "not finite" if value is None or _broke(points) else number(value)


def _accuracy(trace: Trace, last: int) -> float | None:
    return tail(tuple(p for p in accuracy_curve(trace) if p[0] <= last))
