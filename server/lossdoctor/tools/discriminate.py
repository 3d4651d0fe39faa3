"""The discriminating set: what to try when a run does not learn and nothing in it says why.

The same flat curve has many causes; each of these changes would cure a different one, so the answers tell them
apart. Nothing is reported unless its cure worked.
"""

from __future__ import annotations

import math

from ..detectors._evidence import data_site, loss_span, optimizer_site
from ..detectors.base import TENTATIVE, at, found
from ..detectors.catalogue import fault_ids, rule
from ..detectors.label_misalignment import nothing_foretells
from ..detectors.learning import learned
from ..model import Finding, Site, Trace
from ..traces.measure import need_not_fall, objective, tail, training_chance
from ..traces.movement import typical_update_ratio
from ..traces.printed import REWARD, gained, rewards

SET = ("input_not_normalized", "lr_too_high", "lr_too_low", "bad_initialization")
LAST = "label_misalignment"
# typical |update| / |weight| from which a rate is not too low, up to which it is not too high: sound runs take 3e-3
# (benchmarks/thresholds/movement.py), and no power of ten between the two is ruled out
NOT_LOW, NOT_HIGH = 3e-2, 3e-4
POOR = 0.9  # share of the chance level above which a run that fell a little still counts as not learning
ENOUGH_STEPS = 10
TOLD, RISEN = 6, 0.02  # scores of a run, and the gap between those of its first and its last third


def discriminating(trace: Trace, findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """Tentative findings to be tested, when nothing else is suspected and the run does not learn."""
    standing = [f for f in findings if f.status != "refuted" and f.severity != "info"]
    suspected = any(f.confidence > TENTATIVE or f.status == "confirmed" for f in standing)
    if suspected or len(trace.steps) < ENOUGH_STEPS or not _poor(trace) or _scores(trace):
        return ()
    known = {f.fault for f in findings}
    evidence = loss_span(trace)
    why = "The run does not learn; of the changes that were tried, the one named here makes it learn."
    out = _ruled_out(trace)
    chosen = [fault for fault in SET if fault in fault_ids() and fault not in known | out]
    tried = tuple(
        found(rule(fault), TENTATIVE, why, evidence, where=at(_place(fault, trace))) for fault in chosen
    )
    return (*tried, *_unrelated(trace, known))


def _unrelated(trace: Trace, known: set[str]) -> tuple[Finding, ...]:
    """Labels that have nothing to do with their inputs, to be held against labels at random when all else failed."""
    if LAST in known or not nothing_foretells(trace):
        return ()
    why = "The run does not learn, near inputs say nothing of a label, and labels at random would do as well."
    return (found(rule(LAST), TENTATIVE, why, loss_span(trace), where=at(data_site(trace))),)


def rival(trace: Trace, findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """A rate that is too high at any time, beside a ramp that helped: it may only have postponed the trouble."""
    helped = any(f.fault == "warmup_missing" and f.status == "confirmed" for f in findings)
    if not helped or any(f.fault == "lr_too_high" for f in findings):
        return ()
    why = "A lower rate for the whole run does far better than a ramp to the one that is used."
    return (found(rule("lr_too_high"), TENTATIVE, why, loss_span(trace), where=at(optimizer_site(trace))),)


def _ruled_out(trace: Trace) -> set[str]:
    """What need not be tried, since tests are few: the one of the two faults of the rate that the size of the updates
    speaks against, the scale of inputs that are symbols.
    """
    ratio = typical_update_ratio(trace)
    out: set[str] = set()
    # steps of that size may leave nothing alive for later ones to be small
    thrown = _largest(trace) > NOT_LOW
    if ratio is not None and (ratio > NOT_LOW or thrown):
        out.add("lr_too_low")
    if ratio is not None and ratio < NOT_HIGH and not thrown:
        out.add("lr_too_high")
    if _symbols(trace):
        out.add("input_not_normalized")
    return out


def _largest(trace: Trace) -> float:
    """The largest |update| / |weight| of any recorded step, over all weights together."""
    largest = 0.0
    for step in trace.steps:
        update, weight = (math.hypot(*(u[part] for u in step.updates.values())) for part in (0, 1))
        if weight > 0 and math.isfinite(update):
            largest = max(largest, update / weight)
    return largest


def _symbols(trace: Trace) -> bool:
    """Whether the model reads whole numbers alone."""
    kinds = [t["dtype"] for r in trace.of("forward") if r["grad"] for t in r["in"]]
    return bool(kinds) and all(kind.startswith(("int", "uint")) for kind in kinds)


def _place(fault: str, trace: Trace) -> Site | None:
    """Where the change that cured the run would be made for good."""
    if fault.startswith("lr_"):
        return optimizer_site(trace)
    if fault == "bad_initialization":
        return trace.site("init") or trace.site("init_by_hand")
    return data_site(trace)


def _scores(trace: Trace) -> bool:
    """Whether a printed score rose over the run, where the loss is the script's own and its level says little (the
    difference of two energies).
    """
    if training_chance(trace) is not None:
        return False
    told = (v for name, v in rewards(trace).items() if REWARD.search(name) and len(v) >= TOLD)
    return any(gained(values) > RISEN for values in told)


def _poor(trace: Trace) -> bool:
    if need_not_fall(trace):
        return False  # real and generated samples that cannot be told apart cost what a constant does
    end, chance = tail(objective(trace)), training_chance(trace)
    return not learned(trace) or (end is not None and chance is not None and end > POOR * chance)
