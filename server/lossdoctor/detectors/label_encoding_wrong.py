"""# label_encoding_wrong: labels corrupted by encoding or preprocessing

**What it is.** The numbers that the loss gets are not the classes that were meant: another numbering in training than
in evaluation, several classes cast, clipped or overflowed into one, all labels rounded to 0, or {1, 2}, {-1, 1} and
{0, 255} where a probability is expected.

**Signal.** Targets of a binary loss outside [0, 1]; one single label in all training batches while the model has
several outputs or evaluation has several labels; labels of evaluation that training never has, with one training class
far larger than the others; or a renaming of classes that turns the votes of near training inputs into the evaluation
labels; or training labels that lie on one side only of the numbers that near evaluation inputs have (each file numbers
the classes that occur in it); or a reported accuracy at chance for answers that near training samples confirm; or a
class of which training has far more inputs than labels, or far fewer; or groups of classes that are told from each
other, but not at all within (one class under several spellings); or a class of masks that evaluation has many labels
of, and training none; or labels without a gap in every batch, of however many classes, that are others for the same
input next time; or amounts that are whole numbers of eight bits, dense up to the last one, in a run that does not
learn them; or no class beyond eight bits although classes are symbols of the input too, many of which are; or grades
that near inputs foretell far better once they are counted in the order of numbers, not of their text.

**Why it matters.** Training looks fine, because the wrong classes can be learned, and the evaluation says the opposite.

**Remedy.** Fit one encoder on the training labels, store it, and use it everywhere; print label counts before and
after.

**When it stays silent.** Unused outputs with otherwise even classes; soft targets; label smoothing; classes that are
merely rare; a poor accuracy where one class rules, or where the labels of several classes are as the model says.

**Confirming intervention.** None: the label counts and their votes are the fault.

**References.** PyTorch documentation, `BCEWithLogitsLoss` (targets between 0 and 1) and `CrossEntropyLoss` (class
indices); scikit-learn documentation, `LabelEncoder`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import median

from ..model import Evidence, Finding, Trace
from ..traces.data import (
    MIXED,
    answers_like_neighbours,
    last_scored,
    neighbourhood,
    recalls,
    relabelled,
)
from ..traces.exchanged import exchange
from ..traces.measure import BINARY, CLASSIFICATION, chance_accuracy, label_prior
from ..traces.repeated import conflicts, fresh_inputs
from ..traces.shares import TIMES, misstated
from ..traces.streams import reported_accuracy
from ..traces.synonyms import TOLD, UNTOLD, synonyms
from ._eight_bits import of_eight_bits
from ._evidence import data_site, loss_span
from ._grades import of_text_order
from ._numbered import of_parts
from .base import Rule, at, found, rounded, site_by_id

RULE = Rule(
    fault="label_encoding_wrong",
    severity="critical",
    sheet="data-augmentation-strategies#label-faults",
    summary="Count the labels that the loss gets, in training and in evaluation.",
    remedy="Encode labels once, with one mapping for training and evaluation, and check their counts before the loss.",
    structural=True,
    needs=("loss_function",),
)

EXPLAINED = 0.8  # share of the votes that a renaming must make right, relative to evaluation's own agreement
SCARCE = 0.25  # share of a class in training, relative to evaluation
CHANGED = 0.3  # share of evaluation labels that the renaming changes
ROOM = 0.02  # by how much smoothing and rounding may leave [0, 1]
SWOLLEN = 2.5  # size of the class that swallowed others, relative to the median class
SURE = 0.7  # share of held-out answers that near training labels foretell
LOPSIDED = 0.7  # share of the commonest class from which agreement with neighbours says nothing
AT_CHANCE = 0.1  # share of the way from the commonest class to 1
RARE = 0.25  # of a class's share if all came equally often
ABSENT = 0.05  # of the labels of evaluation: what a split of a few images may leave out of training is less
BATCHES, SIZES = 8, 3
COUNTED = 20  # training labels per output that must have been seen before an absent one means anything


Sign = tuple[str, float, tuple[Evidence, ...]]


def check(trace: Trace) -> Finding | None:
    sign = (
        _outside(trace)
        or _single(trace)
        or _numbered_anew(trace)
        or _renamed(trace)
        or of_parts(trace)
        or _swallowed(trace)
        or _absent(trace)
        or _misstated(trace)
        or _synonyms(trace)
        or _contradicted(trace)
        or of_eight_bits(trace)
        or of_text_order(trace)
    )
    if sign is None:
        return None
    why, confidence, evidence = sign
    rows = trace.of("loss")
    site = site_by_id(trace, rows[0].get("site")) if rows else None
    return found(
        RULE,
        confidence,
        why,
        *evidence,
        loss_span(trace),
        where=at(data_site(trace) or site),
    )


def _outside(trace: Trace) -> Sign | None:
    rows = [r["target"] for r in trace.of("loss") if r["fn"] in BINARY and "min" in r["target"]]
    if not rows:
        return None
    low, high = min(t["min"] for t in rows), max(t["max"] for t in rows)
    if low >= -ROOM and high <= 1 + ROOM:
        return None
    why = f"A binary loss gets targets from {rounded(low)} to {rounded(high)}; it is only defined between 0 and 1."
    ends = Evidence(quantity="smallest and largest target", value=f"{rounded(low)}, {rounded(high)}")
    return why, 0.95, (ends,)


def _counts(trace: Trace) -> tuple[Counter[int], Counter[int]]:
    """Labels of the different inputs of training and of evaluation."""
    sides = Counter[int](), Counter[int]()
    seen: set[tuple[float, bool]] = set()
    for row in trace.of("ids"):
        for h, y in zip(row["h"], row.get("y") or (), strict=False):
            if float(y).is_integer() and (h, row["grad"]) not in seen:
                seen.add((h, row["grad"]))
                sides[0 if row["grad"] else 1][int(y)] += 1
    return sides


def _some_unlabelled(trace: Trace) -> bool:
    """Whether the labels of some training batches are not known: what is absent may be there."""
    return any(row["grad"] and row.get("y") is None for row in trace.of("ids"))


def _outputs(trace: Trace) -> int:
    shapes = [r["in"]["shape"] for r in trace.of("loss") if r["fn"] in CLASSIFICATION]
    return shapes[0][1] if shapes and len(shapes[0]) == 2 else 0


def _single(trace: Trace) -> Sign | None:
    train, evaluation = _counts(trace)
    prior = label_prior(trace)
    outputs = _outputs(trace)
    if prior is None or len(prior) != 1 or len(train) > 1 or sum(train.values()) < COUNTED:
        return None
    if outputs < 2 and len(evaluation) < 2:
        return None
    if any("Cat" in r.get("maker", ()) for r in trace.of("loss")):
        return (
            None  # scores of one positive beside its negatives: the first place is the answer by construction
        )
    only = next(iter(prior))
    seen = Evidence(quantity="different training labels", value=1, threshold=2)
    return f"Every training label is {only}, although there are {outputs or 2} classes.", 0.9, (seen,)


def _numbered_anew(trace: Trace) -> Sign | None:
    """Labels that count through from 0 without a gap in every batch, however many classes it has, while the same input
    gets other labels in other batches: each batch was encoded by itself.
    """
    found = [{int(y) for y in r["y"]} for r in trace.of("ids") if r["grad"] and r.get("y") and _whole(r["y"])]
    sizes = {len(labels) for labels in found}
    share, repeated, _ = conflicts(trace)
    through = all(max(labels) + 1 == len(labels) for labels in found)
    if len(found) < BATCHES or len(sizes) < SIZES or not through or repeated < COUNTED or share < CHANGED:
        return None
    why = (
        "Every batch numbers its own classes from 0 on, so that a class has another number in another batch."
    )
    return why, 0.9, (
        Evidence(quantity="training batches whose labels have no gap", value=len(found), threshold=BATCHES),
        Evidence(quantity="different numbers of classes in them", value=len(sizes), threshold=SIZES),
        Evidence(quantity="repeated inputs with different labels", value=rounded(share), threshold=CHANGED),
    )  # fmt: skip


def _whole(labels: list[float]) -> bool:
    return all(float(y).is_integer() and y >= 0 for y in labels)


def _renamed(trace: Trace) -> Sign | None:
    near = neighbourhood(trace)
    inner, other, across = near.within_train, near.within_evaluation, near.across
    if (
        inner is None
        or other is None
        or across is None
        or not near.train.classes
        or not near.evaluation.classes
    ):
        return None
    if exchange(trace) is not None:  # inputs in another order lie among those of other classes
        return None
    explained, mapping = relabelled(across.table)
    labels = Counter(a for a, _ in across.table.elements())
    swallowed = {a for a, b in mapping.items() if mapping.get(b) == b and _rare(a, near.train.y, labels)}
    renamed = {a for a, b in mapping.items() if a != b} - swallowed
    changed = sum(labels[a] for a in renamed) / sum(labels.values())
    faithful = (
        explained >= EXPLAINED * min(inner.score, other.score)
        and len(set(mapping.values())) > len(mapping) / 2
    )
    if changed < CHANGED or not faithful or across.score > explained - CHANGED or inner.lift < CHANGED:
        return None
    shown = ", ".join(f"{int(a)} -> {int(b)}" for a, b in sorted(mapping.items()) if a != b)[:80]
    why = f"Evaluation numbers its classes differently than training ({shown})."
    return why, 0.9, (
        Evidence(quantity="evaluation labels foretold by near training inputs", value=rounded(across.score)),
        Evidence(quantity="the same after renaming the classes", value=rounded(explained)),
    )  # fmt: skip


def _rare(label: float, training: Sequence[object], evaluation: Counter[float]) -> bool:
    """Whether training has so much less of a class than evaluation that its samples have no neighbours of their own."""
    share = sum(v == label for v in training) / len(training)
    return bool(share < SCARCE * evaluation[label] / sum(evaluation.values()))


def _absent(trace: Trace) -> Sign | None:
    """A class of masks that evaluation has a good share of and training has not once, though the model has an output
    for it.
    """
    rows = [r for r in trace.of("loss") if r["fn"] in CLASSIFICATION and len(r["target"]["shape"]) > 2]
    train, held = Counter[int](), Counter[int]()
    for row in rows:
        train.update({int(float(v)): n for v, n in row["target"].get("hist", {}).items()})
    for row in trace.of("eval"):
        held.update({int(v): n for v, n in row.get("classes", {}).items()})
    outputs = rows[0]["in"]["shape"][1] if rows else 0
    total = sum(n for v, n in held.items() if 0 <= v < outputs)
    lacking = [v for v, n in held.items() if 0 <= v < outputs and n > ABSENT * total and not train[v]]
    if not lacking or train.total() < COUNTED * outputs / ABSENT:
        return None
    worst = max(lacking, key=lambda v: held[v])
    why = f"Class {worst} is {100 * held[worst] / total:.0f} % of the labels of evaluation and none of training."
    return why, 0.85, (
        Evidence(quantity=f"labels of class {worst} among those of training that were counted", value=0),
        Evidence(quantity="labels of training that were counted", value=train.total()),
        Evidence(quantity="its share of those of evaluation", value=rounded(held[worst] / total), threshold=ABSENT),
    )  # fmt: skip


def _misstated(trace: Trace) -> Sign | None:
    """A class that training inputs hold far more of than its labels tell, or far less: some are called another one."""
    near = neighbourhood(trace)
    if not (near.train.classes and near.evaluation.classes) or fresh_inputs(trace):
        return None
    if near.apart is None or near.apart > MIXED or exchange(trace) is not None or _some_unlabelled(trace):
        return None
    share = misstated(near)
    if share is None:
        return None
    fewer = share.told < share.inferred
    why = f"By their inputs {100 * share.inferred:.0f} % of the training samples are of class {int(share.label)}, but"
    limit = share.inferred / TIMES if fewer else share.inferred * TIMES
    return f"{why} {'only ' if fewer else ''}{100 * share.told:.0f} % are labelled so.", 0.85, (
        Evidence(quantity=f"share of class {int(share.label)} by near evaluation samples",
                 value=rounded(share.inferred)),
        Evidence(quantity="share of its labels in training", value=rounded(share.told), threshold=rounded(limit)),
        Evidence(quantity="the same, evaluation",
                 value=rounded(near.evaluation.y.count(share.label) / len(near.evaluation))),
    )  # fmt: skip


def _synonyms(trace: Trace) -> Sign | None:
    """Classes that held-out answers and near inputs confuse within groups as if the groups were the classes."""
    near, rows = neighbourhood(trace), last_scored(trace)
    if near.within_train is None or not near.train.classes or fresh_inputs(trace):
        return None
    last = [r for r in rows if r["i"] == rows[-1]["i"]]
    told = synonyms(
        Counter((y, p) for r in last for y, p in zip(r["y"], r["p"], strict=False) if isinstance(p, int))
    )
    if told is None or synonyms(near.within_train.table) is None:
        return None
    count = sum(map(len, told.groups))
    shown = "; ".join("/".join(map(str, group)) for group in told.groups)[:80]
    why = f"{count} classes are {len(told.groups)} under several numbers each: nothing tells {shown} apart."
    return why, 0.8, (
        Evidence(quantity="held-out answers in the right group (0 chance, 1 all)", value=rounded(told.between),
                 threshold=TOLD),
        Evidence(quantity="of those, in the right class of it (0 as the commonest, 1 all)", value=rounded(told.within),
                 threshold=UNTOLD),
    )  # fmt: skip


def _contradicted(trace: Trace) -> Sign | None:
    """The script reports an accuracy at chance for inputs on which the model answers as their neighbours would."""
    reported, base = reported_accuracy(trace), chance_accuracy(trace)
    answered = answers_like_neighbours(trace)
    if reported is None or answered is None or base is None:
        return None
    agreeing = sum(r.recall > SURE for r in recalls(trace)) if last_scored(trace) else 0
    if agreeing > 1:  # the labels of these classes are as the model knows them
        return None
    if base > LOPSIDED or answered < max(SURE, (1 + base) / 2) or reported > base + (1 - base) * AT_CHANCE:
        return None
    why = "Reported held-out accuracy is at chance, yet the model answers there as near training samples are labelled."
    return why, 0.75, (
        Evidence(quantity="held-out answers equal to the labels of near training inputs", value=rounded(answered),
                 threshold=SURE),
        Evidence(quantity="accuracy that the script reports", value=rounded(reported)),
        Evidence(quantity="accuracy of the commonest class", value=rounded(base)),
    )  # fmt: skip


def _swallowed(trace: Trace) -> Sign | None:
    """Outputs without a label, and one class that has grown as if it had taken theirs."""
    train, evaluation = _counts(trace)
    outputs, total = _outputs(trace), sum(train.values())
    if _some_unlabelled(trace):
        return None
    if len({tuple(r["in"]["shape"][1:]) for r in trace.of("loss")}) > 1:
        return None  # several heads, or phases with classes of their own
    if outputs < 3 or total < COUNTED * outputs or len(train) < 2:
        return None
    absent = set(range(outputs)) - set(train)
    (largest, size), (_, second) = train.most_common(2)
    usual = median(train.values())
    rare = (
        RARE * sum(evaluation.values()) / outputs
    )  # rare words and characters are missed by any sample of a text
    missing = sorted(c for c in set(evaluation) - set(train) if evaluation[c] >= rare)
    alone = size > SWOLLEN * usual >= second  # several large ones are a natural tail
    if len(absent) < 2 or not (missing or alone):
        return None
    if not missing and largest not in (min(train), max(train)):
        return None
    why = f"{len(absent)} of {outputs} classes never occur in training"
    more = (
        f", but in evaluation ({missing[:5]})"
        if missing
        else f", and label {largest} is {rounded(size / usual)} times the usual one"
    )
    return why + more + ".", 0.85 if missing else 0.65, (
        Evidence(quantity="classes without a training label", value=len(absent), threshold=1),
        Evidence(quantity="largest class relative to the median one", value=rounded(size / usual), threshold=SWOLLEN),
    )  # fmt: skip
