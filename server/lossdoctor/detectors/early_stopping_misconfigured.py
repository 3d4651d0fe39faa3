"""# early_stopping_misconfigured: early stopping watches the wrong metric, mode or patience

**What it is.** The run stops itself although the model was still improving: accuracy is watched as if lower were
better, the least improvement that counts is never reached, the patience is shorter than the noise. Or the weights
that are put back are not the best ones.

**Signal.** The script says that it stops early (or holds a patience) and ended by itself, while the loss or accuracy
of the evaluations, recomputed by us, was at its best in the last ones; or a second evaluation after the last step,
on samples that were evaluated before, is worse than the best one. Without evaluations, a printed return,
ranking measure or held-out score that was still rising, or nothing printed of held-out samples that was ever better
than at the end. Of Lightning and transformers: an early stop that ended the run and waits for a score to fall.

**Why it matters.** The run looks finished, and the model is left half trained.

**Remedy.** Watch one quantity in its right direction, let a least improvement be small beside its changes, and be
patient for longer than its noise.

**When it stays silent.** Stops after the measured loss (or accuracy) has come to rest or got worse; runs that used
all their epochs; a final test on other samples; fewer than three evaluations; of several folds, all but the last.

**Confirming intervention.** `train_on` for a stop that came too early, same seed: from the weights that were reached
the script must end much better. None for weights that are put back: the curve of the evaluations is the proof.

**References.** Prechelt, "Early stopping - but when?" (1998).
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

from ..model import Evidence, Finding, Trace
from ..traces.evaluations import Point, again, improving, of_last_set, points, put_back
from ..traces.printed import EVALUATION, HIGHER, RANKED, REWARD, TRAINING, rewards, series
from ..traces.validation import printed_losses, validation_losses
from .base import Missing, Rule, at, found, number, rounded
from .falling import still_falling

RULE = Rule(
    fault="early_stopping_misconfigured",
    severity="warning",
    sheet="overfitting-prevention#early-stopping",
    summary="Watch one quantity in its right direction, with a patience longer than its noise.",
    remedy="Check what is watched, in which direction, the least improvement that counts, and the patience.",
    symptom="early_stopping",
    structural=True,
    interventions=({"name": "train_on"},),
)

STOPS = re.compile(r"early.?stop|stopp(ed|ing)|no improvement|out of patience", re.IGNORECASE)
# a framework that was told how long to train
OF_LENGTH = re.compile(r"max_?(epochs|steps|time)", re.IGNORECASE)
SOLVED = re.compile(r"solved|reached|target|threshold|goal|enough", re.IGNORECASE)  # a stop for success
LOSSES = re.compile(r"\b(loss|nll|n?r?mse|mae|error|err|wer|cer|perplexity|ppl)\b", re.IGNORECASE)
OF_SET = re.compile(r"valid(ation)?|val|test|held.?out|dev|eval(uation)?|final|best")
IN_A_ROW = 2  # evaluations in a row that each set a new best: noise does that in one of six cases, trends do
GAIN = 0.02  # least improvement over those evaluations, relative for a loss, absolute for an accuracy
WORSE_ONES = "evaluations that were worse than this one"
GAINED = "largest gain between those evaluations"
DIRECTION = "direction that counts as better"
SEVERAL, ROUNDING = 5, 1e-3  # evaluations of which one is the worst, and of losses that are the same
HALF = 0.5  # of the evaluations; the best one's weights are better than most
FAR = 0.25  # by which the loss of the restored weights exceeds that of others which are more accurate too
WORSE = 0.1  # accuracy that the restored weights lack; for a loss this share more


def check(trace: Trace) -> Finding | Missing | None:
    turned = _wrong_way(trace)
    if turned is not None:
        return turned
    trace = of_last_set(trace)
    curve = points(trace)
    ended = trace.end is not None and trace.end["stop"] == "script_end"
    lines = (p for p in reversed(trace.of("print")) if not OF_LENGTH.search(p["line"]))
    told = next((p for p in lines if STOPS.search(p["line"])), None)
    if ended and told is not None and len(curve) < IN_A_ROW + 1 and not SOLVED.search(told["line"]):
        rising = _still_rising(trace, told) or _best_at_the_end(trace, told)
        if rising is not None:
            return rising
    poorer = _scored_poorly(trace) if ended and len(curve) < IN_A_ROW + 1 else None
    if poorer is not None:
        return poorer
    if not ended or len(curve) < IN_A_ROW + 1:
        return Missing("three evaluations and the end of the script")
    line = None if told is None else told["line"]
    stopper = trace.site("stopper")
    if (line is None and stopper is None) or _told_otherwise(trace, curve):
        return None
    return (_too_early(trace, curve, line) if line else None) or _not_the_best(trace, curve)


def interventions(trace: Trace) -> tuple[dict[str, Any], ...]:
    """Training that goes on, where it was stopped too early."""
    finding = check(trace)
    told = {e.quantity for e in finding.evidence} if isinstance(finding, Finding) else set()
    return RULE.interventions if GAINED in told and DIRECTION not in told else ()


def _wrong_way(trace: Trace) -> Finding | None:
    """An early stop of a framework that ended the run and waits for a score to fall, or a loss to rise."""
    for row in trace.of("stopper"):
        name = str(row["monitor"])[:60]
        falls, rises = (p.search(name.replace("_", " ")) for p in (LOSSES, HIGHER))
        wrong = (row["mode"] == "min" and rises and not falls) or (
            row["mode"] == "max" and falls and not rises
        )
        if not (row["stopped"] and wrong):
            continue
        told = next((v for n, v in series(trace).items() if _same(n, name) and len(v) > 1), [])
        gained = abs(told[-1] - told[0]) if told else 0.0
        return found(
            RULE,
            0.9,
            f"The run was stopped early because {name!r} did not {'fall' if row['mode'] == 'min' else 'rise'}: it is"
            " watched in the wrong direction.",
            Evidence(quantity=DIRECTION, value=row["mode"], where=name),
            Evidence(quantity=GAINED, value=rounded(gained)),
            Evidence(quantity="printed, the first and the last ones",
                     value="; ".join(number(v) for v in (*told[:2], *told[2:][-2:])) or "nothing"),
            where=at(trace.site("stopper")),
        )  # fmt: skip
    return None


def _same(printed: str, watched: str) -> bool:
    """Whether two names are one but for their punctuation."""
    return re.sub(r"\W|_", "", printed).lower() == re.sub(r"\W|_", "", watched).lower()


def _told_otherwise(trace: Trace, curve: list[Point]) -> bool:
    """Whether the losses that the script prints had come to rest while those that were measured went on falling: it
    sees another loss (in the unit of the raw targets), and stopped for that.
    """
    told, measured = [v for _, v in printed_losses(trace)], [p.loss for p in curve if p.loss is not None]
    alone = len(told) > IN_A_ROW and not any(p.accuracy is not None for p in curve)
    return alone and improving(told[: len(measured)], True) == 0 and improving(measured, True) >= IN_A_ROW


def _too_early(trace: Trace, curve: list[Point], line: str) -> Finding | None:
    losses = [p.loss for p in curve if p.loss is not None]
    accuracies = [p.accuracy for p in curve if p.accuracy is not None]
    # what has come to rest, of the two, may be what is watched; what is at its very best cannot have stopped the run
    best = [improving(v, falling) > 0 for v, falling in ((losses, True), (accuracies, False)) if v]
    if not (_trend(losses, falling=True) or _trend(accuracies, falling=False)) or not all(best):
        return None
    return found(
        RULE,
        0.85,
        "The script stopped itself early although its last evaluations were each the best so far.",
        Evidence(quantity="evaluations, the last ones", value=_shown(curve), step=curve[-1].step),
        Evidence(quantity=GAINED, value=rounded(_gained(losses, accuracies))),
        Evidence(quantity="printed", value=line[:80]),
        where=at(trace.site("stopper")),
    )


def _still_rising(trace: Trace, told: dict[str, Any]) -> Finding | None:
    """A printed return or ranking measure that was rising when the script stopped itself."""
    before = _printed_before(trace, told)
    losses = [v for _, v in validation_losses(before)]
    if losses and not _trend(losses, falling=True):
        return None  # what is watched may be the loss
    for name, values in rewards(before).items():
        watched = (EVALUATION.search(name) or RANKED.search(name)) and not TRAINING.search(name)
        rises = _trend(values, falling=False)
        if watched and rises and values[-1] - values[-1 - IN_A_ROW] > WORSE * abs(values[-1]):
            return found(
                RULE,
                0.85,
                f"The script stopped itself early although the printed {name[:40]!r} was still rising.",
                Evidence(
                    quantity=f"printed {name}, the last ones", value=", ".join(number(v) for v in values[-4:])
                ),
                Evidence(quantity=GAINED, value=rounded(_gained(values))),
                Evidence(quantity="printed", value=told["line"][:80]),
                where=at(trace.site("stopper")),
            )
    return None


def _printed_before(trace: Trace, told: dict[str, Any]) -> Trace:
    """What was printed until the script said that it stops, and nothing else."""
    lines = trace.of("print")
    return trace.model_copy(update={"rows": {"print": lines[: lines.index(told)]}})


def _best_at_the_end(trace: Trace, told: dict[str, Any]) -> Finding | None:
    """What the script printed of held-out samples, losses and scores, was never better than at the end, when it stopped
    itself; and the loss of training was still falling steeply, or each of those had got better every time.
    """
    before = _printed_before(trace, told)
    losses = [v for _, v in printed_losses(before)]
    scores = [v for n, v in rewards(before).items() if not TRAINING.search(n)]
    watched = max((losses, *scores), key=len)
    best = (not losses or improving(losses, True) > 0) and all(improving(s, False) > 0 for s in scores)
    steady = all(_trend(v, down, SEVERAL) for v, down in ((losses, True), *((s, False) for s in scores)) if v)
    if len(watched) < SEVERAL or not best or (still_falling(trace) is None and not steady):
        return None
    return found(
        RULE,
        0.8,
        "The script stopped itself early although nothing that it printed of held-out samples was ever better.",
        Evidence(quantity="printed, the last ones", value="; ".join(number(v) for v in watched[-4:])),
        Evidence(quantity=GAINED, value=rounded(_gained(losses, *scores))),
        Evidence(quantity="printed", value=told["line"][:80]),
        where=at(trace.site("stopper")),
    )


def _trend(values: list[float], falling: bool, count: int = IN_A_ROW) -> bool:
    """Whether the last values set new bests in a row, so many of them, and gained a clear amount."""
    if improving(values, falling) < count:
        return False
    gain = abs(values[-1] - values[-1 - count])
    return gain > GAIN * (abs(values[-1 - count]) if falling else 1)


def _gained(*curves: list[float]) -> float:
    """The largest change between two of the last evaluations, over whichever quantities were measured."""
    last = [values[-1 - IN_A_ROW :] for values in curves]
    return max((abs(b - a) for values in last for a, b in pairwise(values)), default=0.0)


def _not_the_best(trace: Trace, curve: list[Point]) -> Finding | None:
    last, restored = curve[-1], again(trace) or put_back(trace)
    best = [p.accuracy for p in curve if p.accuracy is not None]
    lowest = [p.loss for p in curve if p.loss is not None]
    if restored is None:
        return None
    lost = bool(best) and restored.accuracy is not None and restored.accuracy < max(best) - WORSE
    risen = bool(lowest) and restored.loss is not None and restored.loss > (1 + WORSE) * min(lowest)
    outdone = sum(_outdoes(p, restored) for p in curve) >= IN_A_ROW or (risen and _worst(restored, curve))
    if not (lost and (risen or not lowest)) and not (risen and not best) and not outdone:
        return None
    return found(
        RULE,
        0.85,
        "The weights that are put back at the end are not the best ones.",
        Evidence(quantity="evaluations, the last ones", value=_shown(curve), step=last.step),
        Evidence(
            quantity="evaluation of the weights that are put back",
            value=_shown([restored]),
            step=restored.step,
        ),
        Evidence(quantity="best loss seen", value=rounded(min(lowest)) if lowest else "not measured"),
        Evidence(
            quantity=WORSE_ONES, value=sum(_worse(p, restored) for p in curve), threshold=f"of {len(curve)}"
        ),
        where=at(trace.site("stopper") or trace.site("load")),
    )


def _scored_poorly(trace: Trace) -> Finding | None:
    """The same by a printed ranking measure or score, told once more after weights were put back at the end: under its
    name, or, if far worse, of another held-out set.
    """
    last = trace.steps[-1].i if trace.steps else 0
    if not any(row["i"] == last and row.get("state") is not None for row in trace.of("load")):
        return None
    final = {name for row in trace.of("print") if row["i"] == last for name in row["v"]}
    told = rewards(trace)
    for name, values in told.items():
        watched = EVALUATION.search(name) and REWARD.search(name) and not TRAINING.search(name)
        elsewhere = [
            n
            for n in final & told.keys()
            if n != name and len(told[n]) == 1 and _measure(n) == _measure(name)
        ]
        again = name in final and not elsewhere
        if not watched or not (again or elsewhere) or len(values) < IN_A_ROW + 1 + again:
            continue
        before, restored = (values[:-1], values[-1]) if again else (values, told[elsewhere[0]][0])
        poorer = sum(v < restored for v in before)
        if restored < (1 - WORSE * (1 if again else 2)) * max(before) and poorer < HALF * len(before):
            return found(
                RULE, 0.85, f"The weights that are put back at the end have a poor {name[:40]!r}: not the best ones.",
                Evidence(quantity=f"printed {name}, best and last before",
                         value=f"{number(max(before))}, {number(before[-1])}"),
                Evidence(quantity="the same for the weights that are put back", value=rounded(restored)),
                Evidence(quantity=WORSE_ONES, value=poorer, threshold=f"of {len(before)}"),
                where=at(trace.site("stopper") or trace.site("load")),
            )  # fmt: skip
    return None


def _measure(name: str) -> str:
    """What is measured, without the set that it is measured on."""
    return re.sub(r"[^a-z0-9]", "", OF_SET.sub("", name.lower()))


def _worst(restored: Point, curve: list[Point]) -> bool:
    """Whether the loss of no evaluation was higher, and the accuracy of most was."""
    if len(curve) < SEVERAL or restored.loss is None or restored.accuracy is None:
        return False
    higher = sum(p.accuracy is not None and p.accuracy > restored.accuracy for p in curve)
    losses = [p.loss for p in curve if p.loss is not None]
    return higher > HALF * len(curve) and bool(losses) and restored.loss >= max(losses) * (1 - ROUNDING)


def _outdoes(one: Point, other: Point) -> bool:
    """Whether an evaluation is better by its accuracy and, by far, by its loss."""
    if one.loss is None or other.loss is None or one.accuracy is None or other.accuracy is None:
        return False
    return one.accuracy > other.accuracy and other.loss > (1 + FAR) * one.loss


def _worse(one: Point, other: Point) -> bool:
    if one.accuracy is not None and other.accuracy is not None:
        return one.accuracy < other.accuracy
    return one.loss is not None and other.loss is not None and one.loss > other.loss


def _shown(curve: list[Point]) -> str:
    return "; ".join(
        ", ".join(
            f"{name} {number(v)}" for name, v in (("loss", p.loss), ("accuracy", p.accuracy)) if v is not None
        )
        for p in curve[-4:]
    )
