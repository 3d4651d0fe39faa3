"""The decision rule of interventions: did the one change remove the fault, or show it?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..detectors.base import MERE, TENTATIVE
from ..detectors.catalogue import apply, detectors, fault_ids, rule, shows
from ..detectors.causes import consequences
from ..model import Finding, Trace
from ..traces.measure import tail
from . import class_criteria, criteria, term_criteria
from .code.changing import CHANGE
from .code.origins import SIZES
from .continued import longer
from .criteria import Proof, Runs, until
from .evaluation_criteria import (
    DATA_GAIN,
    DATA_SHARE,
    ROUNDING,
    STOPPED,
    TURNED,
    better_evaluation,
    by_heart,
    errors_trimmed,
    harms,
    in_known_units,
    missed,
    missed_by_size,
    needless,
    no_better,
    worse_evaluation,
)
from .kept_criteria import found_again, released

CLEARLY_WORSE = 1.1  # the end loss of a lesser cure relative to that of the best one
# end loss after a ramp relative to that at a lower rate: far above 1 where the rate was too high at any time, far below
# where only the ramp was missing (benchmarks/thresholds/ramps.py)
FAR_BETTER = 1.5
CONFIRMED = 0.95  # confidence of a finding whose removal cured the run
# what leaves augmentation out, which is easier to fit by nature: without held-out samples it decides nothing
AUGMENTATION = ("no_augmentation", "settle_draws")
# changes that lower the training loss of sound runs too: what they did to held-out samples decides, where that is known
FOR_HELD_OUT = ("no_dropout", "no_weight_decay", "unfreeze", *AUGMENTATION)
LARGER = (CHANGE, "widen")  # what makes a model larger
HELD_OUT = better_evaluation(criteria.ACCURACY_GAIN, DATA_SHARE)
# training is the same to the last bit, so any gain in evaluation is theirs
OF_EVALUATION = better_evaluation(ROUNDING, 1 - ROUNDING)
OF_DATA = better_evaluation(DATA_GAIN, DATA_SHARE)
CRITERIA: dict[str, Callable[[Runs], Proof]] = {
    "eval_mode": OF_EVALUATION,
    "faster_ema": OF_EVALUATION,
    "vote_labels": OF_DATA,
    "trim_errors": errors_trimmed,
    "roll_labels": OF_DATA,
    "align_evaluation": OF_DATA,
    "reorder_evaluation": OF_DATA,
    "mask_padding": OF_DATA,
    "trim_evaluation": OF_DATA,
    "ignore_filling": OF_DATA,
    "every_sample": OF_DATA,
    "fresh_draws": better_evaluation(DATA_GAIN, TURNED),
    "stop_updates": better_evaluation(1.0, STOPPED),
    "balance_classes": class_criteria.rare_found,
    "loss_function_only": term_criteria.terms_lower,
    "boost_term": term_criteria.term_learned,
    "flip_actions": criteria.rewarded,
    "binary_loss": criteria.rewarded,
    "reparametrise": criteria.passes,
    "straight_through": criteria.passes,
    "inner_gradients": criteria.passes,
    "attach": criteria.passes,
    "without_feature": criteria.higher,
    "ignore_padding": criteria.elsewhere,
    "ignore_samples": worse_evaluation,
    "shuffle_labels": no_better,
    "train_on": longer,
    "drop_graphs": released,
    "impute": found_again,
    "detach_state": released,
}  # every other change: ``criteria.lower``, and ``criteria.faster`` for a slow script

LABELS = "label_misalignment"
IN_A_ROW = "exploding_gradient"
HIDDEN = ("label_noise", LABELS)  # by augmentation, behind which neighbours tell nothing
# changes of how axes are read, and of what becomes of a state: where they make a run worse, it had been right before
REREAD = frozenset(
    {"swap_axes", "reread_axes", "move_axis", "last_axis_softmax", "reset_state", "carry_state"}
)
BOUNDING = ("clip",)  # changes that hold any step back, whatever makes it large
# changes of settings that the script goes on to see as they were: their sign cannot go
SET_FOR_A_STEP = frozenset({"hyperparameters"})


@dataclass(frozen=True)
class Judgement:
    """A finding after its intervention, the loss (median at the end) that the changed run reached, and how sure it was
    before, the name of the change, whether held-out samples were answered clearly better with it, and which of the
    faults that the fault may bring about are not seen in the changed run.
    """

    finding: Finding
    end: float | None = None
    suspected: float = 1.0
    change: str = ""
    answers: bool = False
    removed: frozenset[str] = frozenset()

    @property
    def factual(self) -> bool:
        """Whether it rests on facts of the run's structure, which no other cure explains away."""
        return rule(self.finding.fault).structural and self.suspected > TENTATIVE


def settled(findings: tuple[Finding, ...], judgements: tuple[Judgement, ...]) -> tuple[Finding, ...]:
    """Let the best cure win: of several confirmed causes, those whose cure leaves a clearly higher loss than the best
    one are only ways to live with it, and become its consequences. Structural findings stand for themselves, unless
    they were mere suspicions. Two sizes of one change are the same cure; the order of causes tells what of.
    """
    cured = {j.finding.fault: j for j in judgements if j.finding.status == "confirmed" and j.end is not None}
    rivals = {f: j for f, j in cured.items() if not j.factual}
    if len(rivals) < 2:
        return findings
    best = min(rivals.values(), key=lambda j: j.end or 0.0)
    if best.change in BOUNDING:
        best = next((j for j in rivals.values() if best.finding.fault in j.removed), best)
    others = {f: j for f, j in rivals.items() if j is not best and not (j.change and j.change == best.change)}
    worse = {f for f, j in others.items() if (j.end or 0.0) > CLEARLY_WORSE * (best.end or 0.0)} | (
        best.removed & others.keys()
    )
    kept = (f for f in findings if f.fault not in worse)
    return tuple(
        f.model_copy(update={"consequences": tuple(sorted({*f.consequences, *worse}))})
        if f.fault == best.finding.fault
        else f
        for f in kept
    )


def rivalled(
    findings: tuple[Finding, ...], judgements: tuple[Judgement, ...]
) -> tuple[tuple[Finding, ...], tuple[Judgement, ...]]:
    """Of a ramp that helped and a lower rate that was tried beside it the lower rate stands only where it does far
    better: any run that a ramp helps is helped by a lower rate too. What is left of both.
    """
    ends = {
        j.finding.fault: j.end for j in judgements if j.finding.status == "confirmed" and j.end is not None
    }
    ramp, lower = ends.get("warmup_missing"), ends.get("lr_too_high")
    if ramp is None or lower is None or lower < ramp / FAR_BETTER:
        return findings, judgements
    return tuple(f for f in findings if f.fault != "lr_too_high"), tuple(
        j for j in judgements if j.finding.fault != "lr_too_high"
    )


def belonging(findings: tuple[Finding, ...], judgements: tuple[Judgement, ...]) -> tuple[Finding, ...]:
    """Without labels that were thought to have nothing to do with the inputs because shuffled ones did no worse, where
    something else was proven by a change with which held-out samples are answered: then they belong together.
    """
    shuffled = any(j.finding.fault == LABELS and j.change == "shuffle_labels" for j in judgements)
    others = (j for j in judgements if j.finding.status == "confirmed" and j.finding.fault != LABELS)
    if not shuffled or not any(j.answers for j in others):
        return findings
    return tuple(f for f in findings if f.fault != LABELS)


def promising(
    findings: tuple[Finding, ...], changes: Callable[[Finding], tuple[dict[str, Any], ...]]
) -> list[tuple[Finding, tuple[dict[str, Any], ...]]]:
    """Findings that an intervention can confirm, in the given order, each with its interventions."""
    chosen = [(f, changes(f)) for f in findings if f.severity != "info" and f.status == "suspected"]
    return [(finding, changes) for finding, changes in chosen if changes]


def turns(
    suspects: list[tuple[Finding, tuple[dict[str, Any], ...]]],
) -> list[tuple[Finding, dict[str, Any]]]:
    """One suspect and one change at a time: those of firm findings first, then those of mere suspicions, and among each
    the first change of every suspect before the second of any, so that none spends the turns of the others.
    """
    each = [(finding, depth, change) for finding, changes in suspects for depth, change in enumerate(changes)]
    each.sort(key=lambda turn: (turn[0].confidence <= TENTATIVE, turn[1]))
    return [(finding, change) for finding, _, change in each]


def judge(finding: Finding, before: Trace, after: Trace, change: dict[str, Any]) -> Judgement:
    """The finding as ``judged`` says, with the loss that the changed run reached at the last common step, if that loss
    says how good the change was.
    """
    runs = Runs(before, after, change)
    end = None if change["name"] in CRITERIA else tail(until(after, runs.then))
    answers, told = bool(HELD_OUT(runs)[0]), judged(finding, before, after, change)
    brings = consequences().get(finding.fault, ()) if told.status == "confirmed" else ()
    removed = frozenset(f for f in brings if not shows(f, after))
    return Judgement(told, end, finding.confidence, change["name"], answers, removed)


def judged(finding: Finding, before: Trace, after: Trace, change: dict[str, Any]) -> Finding:
    """The finding with its status and the measured effect of ``change``.

    Confirmed when the changed run ends clearly better: its median loss over the last tenth of the common steps is
    lower by more than three standard errors of the medians (step-to-step noise of both runs) and by more than a tenth
    of the unchanged loss; or the batch accuracy is higher by 0.1; or the evaluation loss is halved; or, for
    throughput, a step takes less than 0.7 of the time. Changes that touch the evaluation alone count by any gain in
    it beyond rounding; other changes of ``CRITERIA`` by what is said there. Mere suspicions whose change also makes
    sound runs fit their training data better (no dropout, decay, augmentation or frozen part, a wide network) count
    by the evaluation alone; other mere suspicions do not count if held-out answers get clearly worse, or stay those
    of a constant, or get no better in a run that fits well. Refuted when it is not better although the fault's own
    sign is gone, or when the training loss ends clearly higher; otherwise a change that did not remove the sign has
    not reached the fault and decides nothing. A structural fault is refuted only where axes that are read in another
    order, or a state that is reset, make the run worse, or a run that goes on gets worse in evaluation, or where a
    column that holds the answer is not used at all, or where a rare class is not found with even shares either, or
    only along with about as many others; evaluation in train mode that does it no harm is mere information.
    """
    name, runs, criterion = described(change), Runs(before, after, change), _criterion(finding, change)
    better, proof = criterion(runs)
    if better is None and change["name"] in FOR_HELD_OUT and change["name"] not in AUGMENTATION:
        better, proof = criteria.lower(runs)
    unsure = finding.confidence <= TENTATIVE and criterion in (criteria.lower, missed)
    if better is None or (better and unsure and (harms(runs) or by_heart(runs) or needless(runs))):
        return finding
    if better:
        return finding.model_copy(
            update={
                "status": "confirmed",
                "confidence": max(finding.confidence, CONFIRMED),
                "proof": f"same seed, {name}: {proof}",
            }
        )
    if change["name"] == "eval_mode" and not shows(finding.fault, after):
        text = f"same seed, {name}: {proof}; it does no harm here"
        return finding.model_copy(update={"proof": text, "severity": "info"})
    harmed = criterion is criteria.lower and criteria.higher(runs)[0]
    unread = change["name"] == "without_feature" and not shows(finding.fault, after)
    if unread and criteria.untouched(runs):
        text = f"same seed, {name}: {proof}; the model does not use it"
        return finding.model_copy(update={"status": "refuted", "proof": text})
    against = class_criteria.speaks_against(runs) if change["name"] == "balance_classes" else None
    if against is not None:
        text = f"same seed, {name}: {proof}{against}"
        return finding.model_copy(update={"status": "refuted", "proof": text})
    if change["name"] == "train_on" and harms(runs):
        return finding.model_copy(update={"status": "refuted", "proof": f"same seed, {name}: {proof}"})
    if rule(finding.fault).structural and not (harmed and change["name"] in REREAD):
        return finding.model_copy(
            update={"proof": f"same seed, {name}: {proof}; no clear effect in this many steps"}
        )
    if not harmed and change["name"] not in SET_FOR_A_STEP and shows(finding.fault, after):
        return finding.model_copy(
            update={"proof": f"same seed, {name}: {proof}; the fault's sign was still there"}
        )
    return finding.model_copy(update={"status": "refuted", "proof": f"same seed, {name}: {proof}"})


def uncovered(change: dict[str, Any], known: tuple[Finding, ...], after: Trace) -> tuple[Finding, ...]:
    """Faults of the labels that show once augmentation is left out: with new inputs in every epoch nothing can hold one
    label against another.
    """
    if change["name"] not in AUGMENTATION:
        return ()
    faults = {f.fault for f in known}
    seen = (
        apply(detectors()[fault], after) for fault in HIDDEN if fault in fault_ids() and fault not in faults
    )
    return tuple(f for f in seen if isinstance(f, Finding) and f.confidence > TENTATIVE)


def described(change: dict[str, Any]) -> str:
    """The change in words: ``scale_lr factor=0.1``; recorded samples that it was given are left out."""
    told = (f"{k}={v}" for k, v in change.items() if k != "name" and not isinstance(v, (list, dict)))
    return " ".join([change["name"], *told])


def _criterion(finding: Finding, change: dict[str, Any]) -> Callable[[Runs], Proof]:
    if finding.symptom == "slow_training":
        return criteria.faster
    if finding.fault in SIZES and change["name"] in LARGER and finding.confidence <= TENTATIVE:
        return missed_by_size
    shorter = finding.fault == IN_A_ROW and change["name"] == CHANGE  # fewer calls are easier to fit
    if shorter or (change["name"] in FOR_HELD_OUT and finding.confidence <= TENTATIVE):
        return HELD_OUT
    by_itself = missed if finding.confidence <= MERE else criteria.lower
    if change["name"] in criteria.OTHER_UNITS:
        return in_known_units(by_itself)
    return CRITERIA.get(change["name"], by_itself)
