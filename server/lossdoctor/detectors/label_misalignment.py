"""# label_misalignment: inputs and labels are paired wrongly

**What it is.** Each input gets the label of another sample: the two were shuffled, sorted, filtered or shifted
separately.

**Signal.** In the data as the script holds them, row by row, labels of near inputs agree only once they are moved by a
row or more, or put in another usual order of a file. Else, on the recorded samples, the labels of an input's five
nearest neighbours foretell its own label no better than the commonest class (or the mean) does, although they do so in
evaluation, where data are paired rightly; or the same input comes with a label drawn anew each time; or neighbours say
nothing anywhere and the model, whether it learns its training samples by heart or not, is at chance on held-out ones.
For masks and other targets of many numbers, and for the second input of a pair, likewise, the share of their variance
that near inputs explain. Answers that agree with the labels some places before or behind in the data set far more
often than these agree with their own are *tested*. Symbols to be foretold that stand two places on in the input, not
one, were shifted twice. In a run that does not learn, neighbours that say nothing anywhere are a suspicion to be
tested last.

**Why it matters.** The loss stays at chance or falls only by memorising; nothing in the model can mend it.

**Remedy.** Keep input and label in one object from the file on; permute and filter them with the same index, and
look at a few pairs right before the loss.

**When it stays silent.** Labels that neighbours cannot foretell but the model can (parity, phases, language), as its
class scores, their order or its loss on held-out samples show; inputs that augmentation has changed beyond
recognition; data whose evaluation is no better foretold, as long as the model is above chance there; a constant input.

**Confirming intervention.** `pair_again`, where another order was found: with labels in it, the loss must end clearly
lower. `roll_labels`, where answers agree with a neighbour's label, or a data set that augments its samples holds labels
some rows off: with labels put back in training alone, evaluation must end clearly better. `vote_labels`, where
evaluation is paired rightly: each training label becomes the vote of the nearest evaluation samples, and evaluation
must end clearly better. Else, where training samples are fitted, `shuffle_labels`: labels drawn at random must be as
good as the real ones for held-out samples.

**References.** Cover and Hart, "Nearest neighbor pattern classification" (1967); Zhang et al., "Understanding deep
learning requires rethinking generalization" (2017): random labels are memorised, held-out ones stay at chance.
"""

from __future__ import annotations

from statistics import pstdev
from typing import Any

from ..model import Evidence, Finding, Trace
from ..traces.data import (
    NEIGHBOURS,
    Agreement,
    Neighbourhood,
    held_out_lift,
    neighbourhood,
    samples,
)
from ..traces.dense import Foretold, coupled, foretold
from ..traces.measure import acts, bootstraps, first_nonfinite, optimizers_in_turn
from ..traces.progress import fitted
from ..traces.ranks import ranked_held_out
from ..traces.reordered import Order, reordered
from ..traces.repeated import bare_numbers, conflicts, fresh_inputs, labels_are_places
from ..traces.shifted import Shift, places_ahead, shifted
from ..traces.streams import called_at_every_step
from ..traces.validation import foretells, generalised
from ..traces.wiring import calls_per_loss
from ._evidence import data_site, loss_span, vote
from .base import TENTATIVE, Rule, at, found, rounded

RULE = Rule(
    fault="label_misalignment",
    severity="critical",
    sheet="data-augmentation-strategies#label-faults",
    summary="Labels that say nothing about their inputs mean that the two were ordered separately.",
    remedy="Shuffle, filter and shift inputs and labels with one common index; check a few pairs before the loss.",
    structural=True,
    cures=False,
    needs=("batches",),
    contraindications=("Do not tune the rate or the model: the labels say nothing about the inputs.",),
)

NONE = 0.1  # lift over chance; shifted real data sets stay within 0.06 of it (benchmarks/thresholds/data.py)
SOME = 0.25  # lift of evaluation, or of the data's own healthy twin, at least 0.3 in all of them
LEARNED = 0.2  # fit of the training samples from which something was learned by heart
LITTLE = 0.05  # the same where held-out answers are worse than a constant by as much
SIGMAS = 2.5
# share of the way to a loss of zero, or of the accuracy above chance, that only memorising explains
BY_HEART = 0.5
NEARLY_ALL = 0.9  # from there on evaluation with more of the rare classes says nothing about training
LOPSIDED = 0.7  # share of the commonest class; a lift above it says little from there on
# the same for the two inputs of a pair; none of 1,080 sound sets is called unrelated (benchmarks/thresholds/couples.py)
COUPLED = 0.15
COMPARED, SAMPLES = 3, 100  # comparisons of near inputs, and samples in each
CLEAR = 3.0  # standard errors above chance
REPEATS = 40
KIND = 30.0  # ratio of the spreads of two sets of targets from which they are not the same quantity
TOWERS = 2  # calls of a model for each of two inputs
APART = 0.3  # two-sample statistic of training and evaluation inputs, as in augmentation_destroys_signal


def check(trace: Trace) -> Finding | None:
    # what a critic is taught depends on the action that was drawn, and on what it knows by then
    if optimizers_in_turn(trace) or acts(trace) or bootstraps(trace):
        return None
    if labels_are_places(trace):  # of the other input of a pair
        pair = _coupled(trace)
        return pair and _found(trace, *pair)
    order = reordered(trace)
    if order is not None:
        return _found(trace, *_in_another_order(order))
    if (ahead := places_ahead(trace)) is not None:
        return _found(trace, *_skipped(*ahead))
    if (place := shifted(trace)) is not None:
        return _found(trace, *_of_the_neighbour(place))
    if (
        generalised(trace) or 0.0
    ) > SOME:  # labels that can be foretold on held-out samples belong to their inputs
        return None
    near = neighbourhood(trace)
    moved = near.apart is not None and near.apart > APART and fresh_inputs(trace)
    if moved:  # inputs that augmentation has changed beyond recognition are another fault
        return None
    sign = (
        _against_evaluation(trace)
        or _dense(trace)
        or _coupled(trace)
        or _anew(trace)
        or _by_heart(trace)
        or _measured_by_heart(trace)
    )
    if sign is None:
        return None
    return _found(trace, *sign)


def _found(trace: Trace, why: str, confidence: float, evidence: tuple[Evidence, ...]) -> Finding:
    return found(RULE, confidence, why, *evidence, loss_span(trace), where=at(data_site(trace)))


def interventions(trace: Trace) -> tuple[dict[str, Any], ...]:
    """Labels in the order that they seem to have; else by the vote of evaluation, where that is foretold; then, where
    real ones are fitted, labels at random.
    """
    order = reordered(trace)
    if places_ahead(trace) is not None:
        return ()  # any of them is learned
    if order is not None and order.placed and order.name.lstrip("-").isdigit():
        return ({"name": "roll_labels", "by": int(order.name), "start": order.start, "end": order.end},)
    if order is not None:
        change = {"name": "pair_again", "order": order.name, "start": order.start, "end": order.end}
        return ({**change, **({} if order.mark is None else {"mark": order.mark, "count": order.count})},)
    place = shifted(trace)
    if place is not None:
        return ({"name": "roll_labels", "by": place.by},)
    near = neighbourhood(trace)
    paired = near.within_evaluation is not None and near.within_evaluation.lift > SOME
    voted = vote(samples(trace, training=False, most=None), NEIGHBOURS) if paired else ()
    # a run that learns nothing from the real labels may have another fault: then random ones prove nothing
    learned = (fitted(trace) or 0.0) > BY_HEART or nothing_foretells(trace) or _learned_some(trace)
    return (*voted, {"name": "shuffle_labels"}) if learned else voted


def _skipped(ahead: int, share: float) -> Sign:
    why = f"The symbols asked for stand {ahead} places on in the input, and the next one is never asked for."
    return (
        why,
        0.9,
        (Evidence(quantity=f"symbols asked for that stand {ahead} places on", value=rounded(share)),),
    )


def _of_the_neighbour(place: Shift) -> Sign:
    """A mere suspicion: a series that is foretold from its last value answers so too."""
    plural = "s" if abs(place.by) > 1 else ""
    where = f"{abs(place.by)} place{plural} {'before' if place.by < 0 else 'behind'}"
    why = f"Training answers agree with the labels {where} far more often than those labels agree with their own."
    return why, TENTATIVE, (
        Evidence(quantity=f"answers that are the label {where}", value=rounded(place.agreed)),
        Evidence(quantity="labels that are", value=rounded(place.usual)),
        Evidence(quantity="answers that are the sample's own label", value=rounded(place.right)),
    )  # fmt: skip


def nothing_foretells(trace: Trace) -> bool:
    """Whether near inputs say nothing of a label within either side nor across, and held-out answers are no better than
    a constant: of a run that does not learn, the labels may be why.
    """
    near, held_out = neighbourhood(trace), generalised(trace)
    sides = () if bare_numbers(trace) else (near.within_train, near.within_evaluation, near.across)
    known = [a for a in sides if a is not None]
    silent = len(known) == COMPARED and all(a.n >= SAMPLES and _silent(a) for a in known)
    return silent and held_out is not None and held_out <= 0


Sign = tuple[str, float, tuple[Evidence, ...]]


def _in_another_order(order: Order) -> Sign:
    rows = f"rows {order.start} to {order.end} of {order.count}"
    how = {"reversed": "from the end", "as text": "sorted as text", "as numbers": "sorted as numbers"}
    name = next((how[k] for k in how if order.name.startswith(k)), f"{order.name} row(s) further on")
    why = f"In {rows}, as they were read, labels do not belong to their inputs, but to those {name}."
    return why, 0.9, (
        Evidence(quantity="labels that near inputs foretell, as paired (0 chance, 1 all)", value=order.before,
                 threshold=NONE),
        Evidence(quantity=f"the same with labels {name}", value=order.after, threshold=SOME),
    )  # fmt: skip


def _against_evaluation(trace: Trace) -> Sign | None:
    near = neighbourhood(trace)
    inner, other, across = near.within_train, near.within_evaluation, near.across
    if inner is None or other is None or across is None or inner.lift > SOME * other.lift:
        return None
    known = (held_out_lift(trace) or 0.0) > SOME
    lopsided = (
        near.train.classes and inner.chance > NEARLY_ALL
    )  # neighbours of a rare class are of the other anyway
    if (
        known or lopsided or across.score > across.chance + CLEAR * across.error
    ):  # a relation that neighbours outvote: noise
        return None
    if (
        not _of_one_kind(near)
        or other.lift < SOME
        or across.lift > SOME * other.lift
        or near.train.classes != near.evaluation.classes
    ):
        return None
    return "Near inputs have unrelated labels in training, but related ones in evaluation.", 0.9, (
        _evidence("training", inner), _evidence("evaluation", other), _evidence("evaluation by training", across),
    )  # fmt: skip


def _dense(trace: Trace) -> Sign | None:
    """The same for masks and other targets of many numbers."""
    evidence = _unrelated(foretold(trace), "targets'")
    why = "Near inputs have unrelated targets in training, but like ones in evaluation."
    return None if evidence is None else (why, 0.9, evidence)


def _coupled(trace: Trace) -> Sign | None:
    """The same for the two inputs of a model, as pictures and their captions."""
    meant = called_at_every_step(trace) or _negatives(trace)
    evidence = None if meant else _unrelated(coupled(trace), "second inputs'", COUPLED)
    why = "The two inputs of a sample have no relation in training: near first ones come with unlike second ones; in "
    return None if evidence is None else (why + "evaluation they have one.", 0.9, evidence)


def _negatives(trace: Trace) -> bool:
    """Whether training may show pairs that do not belong together on purpose: told so by a label of 0, or in calls of
    their own beside those that do.
    """
    labels = {str(y) for r in trace.of("ids") if r["grad"] for y in r.get("y") or ()}
    return labels in ({"0", "1"}, {"0.0", "1.0"}) or calls_per_loss(trace) > TOWERS


def _unrelated(seen: Foretold | None, what: str, least: float = SOME) -> tuple[Evidence, ...] | None:
    if seen is None or seen.evaluation < least or max(seen.train, seen.across) > SOME * seen.evaluation:
        return None
    return (
        Evidence(quantity=f"share of the {what} variance that near inputs explain, training",
                 value=rounded(seen.train), threshold=rounded(SOME * seen.evaluation)),
        Evidence(quantity="the same, evaluation", value=rounded(seen.evaluation)),
        Evidence(quantity="the same, evaluation by training", value=rounded(seen.across)),
    )  # fmt: skip


def _of_one_kind(near: Neighbourhood) -> bool:
    """Whether measurements of both sides are of one size; sample weights taken for targets are not."""
    if near.train.classes or near.evaluation.classes:
        return True
    spreads = pstdev(near.train.y), pstdev(near.evaluation.y)
    return min(spreads) * KIND > max(spreads)


def _silent(agreement: Agreement) -> bool:
    """Whether neighbours foretell nothing: no lift, and none hidden by the error of its estimate."""
    return agreement.lift < NONE and agreement.score < agreement.chance + SIGMAS * agreement.error


def _evidence(side: str, agreement: Agreement) -> Evidence:
    return Evidence(quantity=f"labels that near inputs foretell, {side}", value=rounded(agreement.score),
                    threshold=rounded(agreement.chance))  # fmt: skip


def _anew(trace: Trace) -> Sign | None:
    share, repeated, independent = conflicts(trace)
    near = neighbourhood(trace).within_train
    if not independent or repeated < REPEATS or fresh_inputs(trace) or near is None or not _silent(near):
        return None
    return "The same input comes with another label each time.", 0.9, (
        Evidence(quantity="repeated inputs with different labels", value=rounded(share)),
        Evidence(quantity="inputs seen more than once", value=repeated),
    )  # fmt: skip


def _by_heart(trace: Trace) -> Sign | None:
    near, held_out = neighbourhood(trace), held_out_lift(trace)
    inner, other, share = near.within_train, near.within_evaluation, fitted(trace)
    if inner is None or not near.train.classes or held_out is None or share is None or not _silent(inner):
        return None
    if first_nonfinite(trace) is not None:  # a broken model's answers say nothing about the labels
        return None
    # noisy labels are seldom foretold, yet told apart
    if (ranked_held_out(trace) or 0.0) > CLEAR or foretells(trace):
        return None
    if inner.chance > LOPSIDED:  # where one class rules, a sound model is hardly above it either
        return None
    if (
        held_out > NONE
        or (other is not None and not _silent(other))
        or len(set(near.train.x)) < len(near.train)
    ):
        return None
    learned = share > BY_HEART
    why = "Labels have no relation to inputs: near ones differ and held-out answers are at chance"
    return f"{why}, though training samples are fitted." if learned else f"{why}.", 0.8 if learned else 0.6, (
        _evidence("training", inner),
        Evidence(quantity="held-out accuracy above the commonest class", value=rounded(held_out), threshold=NONE),
    )  # fmt: skip


def _learned_some(trace: Trace) -> bool:
    """Whether a part of the training samples was learned of which held-out answers show next to nothing."""
    share, held_out = fitted(trace), generalised(trace)
    if share is None or held_out is None:
        return False
    return share > LEARNED > NONE > held_out or min(share, -held_out) > LITTLE


def _measured_by_heart(trace: Trace) -> Sign | None:
    """The same for measurements: near ones say nothing anywhere, and what was learned makes held-out answers worse than
    a constant. Where the training samples are fitted it may be mere overfitting, which only the intervention tells; so
    it must where held-out answers are as good as a constant and a part of the training samples was learned.
    """
    near, held_out = neighbourhood(trace), generalised(trace)
    known = (near.within_train, near.within_evaluation, near.across)
    if near.train.classes or None in known or held_out is None or held_out > NONE:
        return None
    no_worse = held_out > -NONE
    if no_worse and not _learned_some(trace):
        return None
    if first_nonfinite(trace) is not None or any(a is not None and a.score > NONE for a in known):
        return None
    if not _of_one_kind(near) or len(set(near.train.x)) < len(near.train):
        return None
    learned = (fitted(trace) or 0.0) > BY_HEART
    held = "no better" if no_worse else "worse"
    why = f"Targets have no relation to inputs: near ones differ, and held-out answers are {held} than a constant."
    return why, TENTATIVE if learned or no_worse else 0.6, (
        Evidence(quantity="share of the targets' variance that near inputs explain, training",
                 value=rounded(known[0].score if known[0] else 0.0), threshold=NONE),
        Evidence(quantity="held-out gain over a constant answer", value=rounded(held_out),
                 threshold=NONE if no_worse else -NONE),
    )  # fmt: skip
