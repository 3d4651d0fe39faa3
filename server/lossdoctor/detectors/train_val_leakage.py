"""# train_val_leakage: validation samples are also in the training set

**What it is.** The split lets some samples into both sides: duplicates before splitting, a sampler over everything,
two splits with different seeds, oversampling before the split.

**Signal.** Every input that the model is shown gets a fingerprint; the share of distinct evaluation inputs that were
also training inputs, beyond the share of equal samples that this data has within one evaluation pass anyway (none,
where several features hardly ever have the same value twice). An evaluation of nothing but training inputs counts
when most evaluations are, and what is printed there is called held out. Pairs of indexes (a user and an item) count
where they come once, or always with the same answer, beyond what would meet by chance; a table of indexes that the
script holds under the name of a held-out one also where its rows are in another table that does not hold all of them;
windows of a series where most share runs of values with training windows that begin elsewhere; and held-out samples of
which most have one to three training samples far nearer than all others (copies with noise, made before the split).

**Why it matters.** The validation score counts what was learned by heart; the model is worse than it says.

**Remedy.** Remove duplicates first, split once by sample (or by patient, user, file), store the indices, and only
then oversample or augment.

**When it stays silent.** An evaluation of the training set next to one of held-out samples, or under the name
"train" (monitoring on purpose); inputs with few possible values, which coincide by themselves (as many as training
samples do with other labels, or as the shares of their categories foretell), or with other labels; augmented copies;
windows that reach over the cut where the series was cut in two; samples drawn anew for many calls on the way
(parameters that are searched without gradients).

**Confirming intervention.** `ignore_samples`: nothing is learned from the samples that are on both sides, same seed;
evaluation must get worse by what they had flattered it. None for windows: nearly all of training would be left out.

**References.** Kaufman et al., "Leakage in data mining" (2012); Kapoor and Narayanan, "Leakage and the reproducibility
crisis in machine-learning-based science" (2023).
"""

from __future__ import annotations

from typing import Any

from ..model import Evidence, Finding, Site, Trace
from ..traces.data import KNOWN
from ..traces.measure import acts
from ..traces.printed import EVALUATION, told_as_training
from ..traces.repeated import (
    labels_never_meet,
    made_of_measurements,
    mere_indexes,
    met_by_chance,
    pairs_by_chance,
)
from ..traces.streams import (
    Overlap,
    compares_with_training,
    drawn_from,
    known_shares,
    natural_repeats,
    overlaps,
    repeated_phrases,
    scores_everything,
)
from ._evidence import data_site
from .base import Missing, Rule, at, found, rounded, site_by_id

RULE = Rule(
    fault="train_val_leakage",
    severity="warning",
    sheet="overfitting-prevention#honest-splits",
    summary="A validation score counts only for samples that training has never seen.",
    remedy="Remove duplicates, split once before any oversampling, store the indices, assert that they are disjoint.",
    symptom="val_above_train",
    structural=True,
    cures=False,
    needs=("held_out",),
    contraindications=("Do not select a model or a setting by this validation score.",),
)

SHARE = 0.05  # of the distinct evaluation samples; chance coincidences are measured and allowed for
COUNT = 10  # and at least as many samples
FEW = 32  # in a call without a loader: the size of a batch that is looked at before it is trained on
ALL = 0.98  # from here on evaluation is on training samples as a whole
MOST = 0.7  # of the steps with an evaluation
# of the evaluated windows; drawn at random, each has neighbours in training unless these all went to evaluation too,
# cut in two only those at the cut have
OVERLAPPING = 0.7
# of the runs that windows end with, of so many at least: drawn at random, most are known as the windows are
NEW, EDGES = 0.5, 8
RELATED = 0.5  # of the held-out samples
Counts = dict[
    tuple[int, int | None], tuple[int, int]
]  # step and loader of an evaluation -> how many of how many


def check(trace: Trace) -> Finding | Missing | None:
    shared = _shared(trace)
    if shared is not None:
        return shared
    equal = _streams(trace)
    return equal if isinstance(equal, Finding) else _windows(trace) or _near(trace) or equal


def _shared(trace: Trace) -> Finding | None:
    """Rows of a held-out table of indexes that are in another table of the script, which does not hold all of them; or
    answers of a model that is shown everything at once, picked for both sides.
    """
    worst = _most_shared(trace)
    if worst is None:
        return None
    return found(
        RULE,
        0.8,
        f"{round(worst['share'] * worst['rows'])} of the {worst['rows']} rows of {worst['name']!r} are rows of"
        f" {'what is trained on' if 'both' in worst else repr(worst['other'])} too.",
        Evidence(quantity="share of the held-out rows that the other table holds", value=rounded(worst["share"]),
                 threshold=rounded(SHARE + 2 * worst["again"])),
        Evidence(quantity="share of the other table's rows that are there before", value=rounded(worst["again"])),
        where=at(data_site(trace) or trace.site("evaluation")),
    )  # fmt: skip


def _most_shared(trace: Trace) -> dict[str, Any] | None:
    """The held-out table or choice of answers of which most is on the other side, beyond what comes again by nature."""
    rows = [
        r
        for r in trace.of("shared")
        if SHARE + 2 * r["again"] < r["share"] and r["share"] * r["rows"] >= COUNT
    ]
    return max(rows, key=lambda r: r["share"], default=None)


def _windows(trace: Trace) -> Finding | None:
    """Evaluation windows of the recordings that training windows were cut from, at other places."""
    counts = _counted(trace, "windows", "shared", OVERLAPPING)
    counts = {key: c for key, c in counts.items() if not _behind_a_cut(trace, *key)}
    return _met(
        trace, counts, OVERLAPPING, 0.8,
        "windows overlap with training windows: one recording is on both sides",
        "share of evaluation windows that hold runs of values of training windows",
    )  # fmt: skip


def _behind_a_cut(trace: Trace, step: int, loader: int | None) -> bool:
    """Whether the evaluated windows reach into what training was cut from on one side only: what each of them ends (or
    begins) with is new. Where the series was cut in two, long windows behind the cut hold much of what lies before it.
    """
    rows = [r for r in trace.of("windows") if (r["i"], r["loader"]) == (step, loader) and "ends" in r]
    for edge in ("begins", "ends"):
        known, asked = (sum(r[edge][k] for r in rows) for k in (0, 1))
        if asked >= EDGES and known < NEW * asked:
            return True
    return False


def _near(trace: Trace) -> Finding | None:
    """Held-out samples that have near copies in training."""
    return _met(
        trace, _counted(trace, "near", "related", RELATED), RELATED, 0.75,
        "inputs are near copies of training inputs",
        "share of evaluation inputs with one to three training inputs far nearer than all others",
    )  # fmt: skip


def _met(
    trace: Trace, counts: Counts, limit: float, confidence: float, what: str, share: str
) -> Finding | None:
    """The evaluation with the most samples that met training, where one has more than the limit."""
    if not counts or acts(trace):
        return None
    (step, loader), (some, whole) = max(counts.items(), key=lambda item: item[1][0])
    seen = Evidence(quantity=share, value=rounded(some / whole), threshold=limit, step=step)
    why = f"{some} of {whole} evaluation {what}."
    return found(RULE, confidence, why, seen, where=at(_site_of(trace, loader)))


def _counted(trace: Trace, kind: str, what: str, share: float) -> Counts:
    """Step and loader of the evaluations of which at least this share is so, with how many of how many; not of those
    that are told as training.
    """
    passes: dict[tuple[int, int | None], list[dict[str, Any]]] = {}
    for row in trace.of(kind):
        passes.setdefault((row["i"], row["loader"]), []).append(row)
    counts = {key: (sum(r[what] for r in rows), sum(r["n"] for r in rows)) for key, rows in passes.items()}
    leaking = {key: c for key, c in counts.items() if c[1] >= FEW and c[0] >= share * c[1]}
    return {k: c for k, c in leaking.items() if not told_as_training(trace, k[0] - 1, c[1])}


def _streams(trace: Trace) -> Finding | Missing | None:
    meeting = pairs_by_chance(trace)
    if mere_indexes(trace) and meeting is None:
        return Missing("inputs of more than three numbers (fewer coincide by themselves)")
    if meeting is not None and not _of_one_width(trace):
        return Missing("evaluations that are shown the same indexes as training")
    if acts(trace):
        return Missing("evaluations apart from the episodes that are trained on")
    if _selected(trace):
        return Missing("which of the model's answers are trained on and which are evaluated")
    streams = overlaps(trace)
    natural = _natural(trace) if meeting is None else meeting
    streams = [o for o in streams if o.loader is not None or o.distinct >= FEW]
    meet, told_apart = met_by_chance(trace), labels_never_meet(trace)

    def allowed(one: Overlap) -> float:
        """The share that a held-out set of this data has anyway; of inputs whose measured labels agree too, none."""
        return SHARE + max(2 * natural, 0.0 if one.unlike and told_apart else meet)

    leaking = [o for o in streams if o.share > allowed(o) and o.count >= COUNT]
    leaking = [o for o in leaking if not told_as_training(trace, o.step - 1, o.distinct, o.size)]
    leaking = [o for o in leaking if not _in_passing(trace, o, streams)]
    if leaking and all(scores_everything(trace, o) for o in leaking):
        return Missing("which of the answers to all samples are evaluated")
    fresh = any(o.share <= SHARE for o in streams)
    part = [o for o in leaking if o.share < ALL and not (fresh and _is_the_pool(trace, o))]
    chosen = part or (leaking if _is_whole_split(trace, leaking) else [])
    if not chosen:
        return None
    worst = max(chosen, key=lambda o: o.count)
    return found(
        RULE,
        0.9 if part else 0.7,
        f"{worst.count} of {worst.distinct} different evaluation inputs are training inputs too.",
        Evidence(quantity="share of evaluation inputs that training has seen", value=rounded(worst.share),
                 threshold=rounded(allowed(worst)), step=worst.step),
        Evidence(quantity="equal inputs within one evaluation pass", value=rounded(natural_repeats(trace))),
        where=at(_site_of(trace, worst.loader)),
    )  # fmt: skip


def _in_passing(trace: Trace, one: Overlap, streams: list[Overlap]) -> bool:
    """Whether samples are looked at on the way and never again, in one of many calls on as many samples that are drawn
    anew each time: part of training (parameters that are searched without gradients), no held-out set.
    """
    last = trace.steps[-1].i if trace.steps else 0
    drawn = any(
        o.size == one.size and o.step != one.step and o.distinct > 2 * o.size and o.share <= SHARE
        for o in streams
    )
    return one.loader is None and not one.again and one.step <= last and drawn


def _is_the_pool(trace: Trace, one: Overlap) -> bool:
    """Whether as many samples are evaluated as training draws from: the training set, some of which were not drawn."""
    return one.loader is None and one.distinct == drawn_from(trace)


def _of_one_width(trace: Trace) -> bool:
    """Whether evaluation is shown as many numbers per sample as training (a user and an item, not the user alone)."""
    train, held_out = (
        {tuple(r["shape"]) for r in trace.of("sample") if r["grad"] is side} for side in (True, False)
    )
    return not train or not held_out or bool(train & held_out)


def _natural(trace: Trace) -> float:
    """How many equal inputs this data has anyway: none where they are made of measurements."""
    phrases = repeated_phrases(trace)
    return phrases if made_of_measurements(trace) else max(natural_repeats(trace), phrases)


def interventions(trace: Trace) -> tuple[dict[str, Any], ...]:
    """Nothing is learned from the training samples that are evaluated, or from near copies of these. Of windows that
    overlap hardly any would be left.
    """
    shared = _most_shared(trace)
    if shared is not None:
        return ({"name": "ignore_samples", "rows": shared["both"]},) if "both" in shared else ()
    if isinstance(_streams(trace), Finding):
        seen = {h for r in trace.of("ids") if not r["grad"] for h in r["h"]}
        both = seen & {h for r in trace.of("ids") if r["grad"] for h in r["h"]}
        return ({"name": "ignore_samples", "prints": sorted(both)},)
    if _windows(trace) is not None or _near(trace) is None:
        return ()
    copies = {h for row in trace.of("near") for h in row["prints"]}
    return ({"name": "ignore_samples", "prints": sorted(copies)},)


def _selected(trace: Trace) -> bool:
    """Whether the model is shown everything at once and the loss only counts some of its answers (the labelled nodes of
    a graph): then the same input on both sides is how it is meant.
    """
    shown = {r["i"]: len(r["h"]) for r in trace.of("ids") if r["grad"] and r["y"] is None}
    counts = [(r["i"], r["target"]["shape"][0]) for r in trace.of("loss") if r["target"]["shape"]]
    counts += [(r["i"], r["n"]) for r in trace.of("compared")]
    counted = [(i, n) for i, n in counts if i in shown]
    return bool(counted) and all(n < shown[i] for i, n in counted)


def _is_whole_split(trace: Trace, leaking: list[Overlap]) -> bool:
    """Whether evaluations of nothing but training samples pass for held-out ones: at most of the steps that have any,
    by the names of what is printed there.
    """
    at_step = known_shares(trace)
    whole = [step for step, share in at_step.items() if share >= ALL]
    told = at_step.keys() | _fresh_steps(trace)
    if not leaking or not whole or len(whole) <= MOST * len(told) or _reconstructs(trace):
        return False
    if compares_with_training(trace):  # the nearest neighbour of a sample that is there is the sample itself
        return True
    rows = trace.of("print")
    there = [r for r in rows if r["i"] + 1 in whole] or rows
    return EVALUATION.search(" ".join(name for row in there for name in row["v"])) is not None


def _fresh_steps(trace: Trace) -> set[int]:
    """Steps with an evaluation of samples that training was not shown, whether their fingerprints were kept or not."""
    fresh = (
        r["i"] for r in trace.of("eval") if any(s is not None and s < KNOWN for s in r.get("seen") or ())
    )
    return {step + 1 for step in fresh}


def _reconstructs(trace: Trace) -> bool:
    """Whether the model answers with as many numbers as it gets: which of them were held out cannot be seen."""
    calls = [r for r in trace.of("forward") if r["grad"] and r["in"] and r.get("out")]
    shapes = [(r["in"][0]["shape"], r["out"][0]["shape"]) for r in calls]
    return any(given == answer and len(given) > 1 for given, answer in shapes)


def _site_of(trace: Trace, loader: int | None) -> Site | None:
    row = next((r for r in trace.of("loader") if r["id"] == loader), None)
    return site_by_id(trace, row["site"]) if row else trace.site("evaluation")
