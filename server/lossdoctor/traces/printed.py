"""What the script printed about an evaluation, beside what the recorder measured during it. Pure functions."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any

from ..model import Trace
from .data import KNOWN

# whole words (``val_acc``, ``valid loss``), not parts of others (``value``, ``latest``, ``device``)
EVALUATION = re.compile(
    r"(?<![a-z])(val(i(d(ation)?)?)?|vld|tests?|eval(uation)?|dev|held|hold|holdout|heldout|unseen|oos)(?![a-z])",
    re.IGNORECASE,
)
RETURN = re.compile(r"\b(return|reward|profit|revenue)s?\b")
# of pairs in the right order: 0.5 by chance (0 for those of ORDERS)
ORDERS = r"kendall|spearman"
IN_ORDER = rf"au(ro)?c|c.?index|concordance|agreement|(pair\w*|rank\w*|order\w*).?acc(uracy)?|{ORDERS}"
# higher is better: told of held-out samples under whatever name, and told of either split
RANKS = rf"returns?|rewards?|profits?|revenues?|win.?rate|{IN_ORDER}"
SCORES = (
    r"b?acc|accuracy|recall|precision|f1|m?iou|jaccard|dice|kappa|mcc|bleu|rouge\w*|"
    r"m?ap|ndcg|mrr|hits?|[pr](?=@\d)|top.?\d+|nmi|ari|purity"
)
RANKED = re.compile(rf"(?<![a-z])({RANKS})(?![a-z])", re.IGNORECASE)
REWARD = re.compile(rf"(?<![a-z])({RANKS}|{SCORES})(?![a-z])", re.IGNORECASE)
# of the variance that is explained, the rest is a loss (Nash and Sutcliffe, 1970, say efficiency)
DETERMINATION = re.compile(
    r"(?<![a-z])(r2|r\^2|r.?squared|r2.?score|nse|explained.?var(iance)?)(?![a-z])", re.IGNORECASE
)
HIGHER = re.compile(rf"(?<![a-z])({RANKS}|{SCORES}|r2)(?![a-z])", re.IGNORECASE)
SPLITS = frozenset({"train", "training", "val", "valid", "validation", "test", "dev", "eval", "held", "out"})
# lower is better, whatever is trained: never what a script calls its loss
ERRORS = r"n?r?mse|n?mae|s?mape|mase|emd|wer|cer|crps|ppl|perplexity|bpc|deviance|error|err"
ERROR = re.compile(rf"(?<![a-z])({ERRORS})(?![a-z])", re.IGNORECASE)
ACCURACY = re.compile(r"(?<![a-z])acc(uracy)?(?![a-z])", re.IGNORECASE)
FITTING = re.compile(r"(?<![a-z])(tr|trn|train(ing)?|fit(ting)?)(?![a-z])", re.IGNORECASE)
TRAINING = re.compile(r"train", re.IGNORECASE)


def series(trace: Trace, last: int | None = None) -> dict[str, list[float]]:
    """Every printed number by its name, in order, up to a step."""
    found: dict[str, list[float]] = {}
    for row in trace.of("print"):
        for name, value in row["v"].items() if last is None or row["i"] <= last else ():
            found.setdefault(name, []).append(float(value))
    return found


def rewards(trace: Trace, last: int | None = None) -> dict[str, list[float]]:
    """Printed returns, rewards, ranking measures and scores (of runs whose losses say little), up to a step."""
    bare = _bare_scores(trace)
    told = {n: v for n, v in series(trace, last).items() if REWARD.search(n) or n in bare}
    finite = {n: [x for x in values if math.isfinite(x)] for n, values in told.items()}
    return {name: values for name, values in finite.items() if values}


def printed_accuracy(trace: Trace, last: int | None = None) -> float | None:
    """The last accuracy that was printed under a name of held-out samples, as a share, up to a step."""
    told = {n: v for n, v in series(trace, last).items() if ACCURACY.search(n) and EVALUATION.search(n)}
    values = max(told.values(), key=len, default=[])
    if not values or not all(math.isfinite(v) and 0 <= v <= 100 for v in values):
        return None
    return values[-1] / 100 if max(values) > 1 else values[-1]


def errors(trace: Trace, last: int | None = None) -> dict[str, list[float]]:
    """Printed errors (lower is better) that are not said to be of training, up to a step."""
    told = {n: v for n, v in series(trace, last).items() if ERROR.search(n) and not FITTING.search(n)}
    return {n: v for n, v in told.items() if len(v) > 1 and all(map(math.isfinite, v))}


def _bare_scores(trace: Trace) -> frozenset[str]:
    """Numbers named by nothing but their split (``train 0.61 val 0.54``) that are scores: between 0 and 1, and that of
    training rises while the run goes on.
    """
    split = {n: v for n, v in series(trace).items() if set(re.findall(r"[a-z]+", n.lower())) <= SPLITS}
    own = [values for name, values in split.items() if TRAINING.search(name)]
    if len(own) != 1 or not all(0 <= v <= 1 for values in split.values() for v in values):
        return frozenset()
    return frozenset(split) if gained(own[0]) > 0 else frozenset()


def gained(values: list[float]) -> float:
    """How far all of the last third lie above all of the first; negative where they meet, and below three values."""
    third = len(values) // 3
    return min(values[-third:]) - max(values[:third]) if third else -math.inf


def both_accuracies(trace: Trace) -> list[tuple[float, float]]:
    """(of training, held out) of every line that tells the two accuracies, as shares, in order."""
    found = []
    for row in trace.of("print"):
        told = {n: float(v) for n, v in row["v"].items() if ACCURACY.search(n)}
        own = [v for n, v in told.items() if FITTING.search(n)]
        held = [v for n, v in told.items() if not FITTING.search(n)]
        if len(own) == len(held) == 1 and math.isfinite(own[0] + held[0]):
            found.append((own[0], held[0]))
    percent = any(v > 1 for pair in found for v in pair)
    return [(a / 100, b / 100) if percent else (a, b) for a, b in found]


SEVERAL, ALIKE = 2, 2  # batches before the last one, and how much more one of them may hold than another
LAST_DIGIT = 6e-4  # half of the last of three printed digits


@dataclass(frozen=True)
class Pass:
    """One evaluation: values per batch, samples per batch, and the number that the script printed for it."""

    step: int
    values: tuple[float, ...]
    counts: tuple[int, ...]
    printed: float
    line: str
    whole: int = 0  # samples of the dataset behind the loader, where there is one
    positions: int = 0  # of sequences, those that the loss leaves out (padding) included

    @property
    def samples(self) -> int:
        return sum(self.counts)

    @property
    def total(self) -> float:
        return sum(v * n for v, n in zip(self.values, self.counts, strict=True))

    @property
    def mean(self) -> float:
        return self.total / self.samples


def accuracy_passes(trace: Trace) -> list[Pass]:
    """Evaluations whose accuracy was both measured and printed. Lines about training are left out."""
    return [p for row in trace.of("eval") for p in _passes(trace, row, *_accuracies(row), "acc")]


def loss_passes(trace: Trace) -> list[Pass]:
    """The same for the evaluation loss; the printed line or name must speak of an evaluation."""
    return [p for row in trace.of("eval") for p in _passes(trace, row, *_losses(row), "loss")]


def _accuracies(row: dict[str, Any]) -> tuple[list[float], list[int]]:
    if row["acc"]:
        return row["acc"], row["n"]
    return row.get("binary") or [], [n for n, _ in row.get("loss_of", [])]


def _losses(row: dict[str, Any]) -> tuple[list[float], list[int]]:
    return row["loss"], [n for n, _ in row.get("loss_of", [])]


def _passes(
    trace: Trace, row: dict[str, Any], values: list[float], counts: list[int], word: str
) -> list[Pass]:
    loaders = {r for _, r in row.get("loss_of", [])} | set(row.get("acc_of", []))
    sides = {
        s >= KNOWN for s in row.get("seen") or () if s is not None
    }  # samples that training was shown, or not
    if (
        len(values) < 2
        or len(values) != len(counts)
        or len(loaders) > 1
        or len(sides) > 1
        # what is cut into batches by hand has the smallest last
        or (loaders == {None} and max(counts) > counts[0] and not _ragged(row, counts))
        or _each_told(trace, row["i"], values)
    ):
        return []  # several splits in one pass: which number belongs to which is not known
    found, positions = _printed(trace, row["i"], word), sum(n for n, _ in row.get("loss_of", []))
    whole = next((int(r["len"] or 0) for r in trace.of("loader") if {r["id"]} == loaders), 0)
    return [
        Pass(row["i"], tuple(values), tuple(counts), value, line, whole, positions)
        for value, line in found[:1]
    ]


def _ragged(row: dict[str, Any], counts: list[int]) -> bool:
    """Whether batches of sequences are counted by the positions that are asked for: these vary from batch to batch, but
    not by as much as splits do.
    """
    positions, full = [n for n, _ in row.get("loss_of", [])], counts[:-1]
    longer = len(positions) == len(counts) and all(a > b for a, b in zip(positions, counts, strict=True))
    return longer and len(full) >= SEVERAL and max(full) <= ALIKE * min(full)


def told_as_training(trace: Trace, step: int, samples: int, call: int = 0) -> bool:
    """Whether the loss of an evaluation of so many samples (in calls of ``call``, the last of which may be shorter and
    is not counted) was printed there under a name of training: it is looked at beside a held-out one, on purpose. Or
    its accuracy, where no number of held-out samples is the same: both may be perfect. Losses also by their root.
    """
    fits = range(samples, samples + max(1, call))
    rows = [row for row in trace.of("eval") if row["i"] == step]
    losses = [
        v for row in rows for v, (n, _) in zip(row["loss"], row.get("loss_of", ()), strict=False) if n in fits
    ]
    losses += [math.sqrt(v) for v in losses if v >= 0]
    right = [v for row in rows for v, n in zip(row["acc"], row["n"], strict=False) if n in fits]
    printed = [item for row in trace.of("print") if row["i"] == step for item in row["v"].items()]
    fitting = [v for name, v in printed if FITTING.search(name)]
    held = [v for name, v in printed if EVALUATION.search(name) and not FITTING.search(name)]
    told = [v for v in right if not _is_one_of(v, held) and not _is_one_of(100 * v, held)]
    return any(_is_one_of(v, fitting) for v in (*losses, *told, *(100 * v for v in told)))


def _is_one_of(value: float, printed: list[float]) -> bool:
    return any(abs(value - v) <= LAST_DIGIT * max(1.0, abs(value)) for v in printed)


def _each_told(trace: Trace, step: int, values: list[float]) -> bool:
    """Whether at least two of the measured values were printed one by one: calls on different splits, no batches."""
    told = {v for row in trace.of("print") if row["i"] == step for v in row["v"].values()}
    return sum(_is_one_of(v, list(told)) for v in set(values)) >= 2


def _printed(trace: Trace, step: int, word: str) -> list[tuple[float, str]]:
    """(number, line) printed after this step for names that contain ``word``; those that say themselves that they are
    held out, where any do: a line may tell both sides.
    """
    found: list[tuple[float, str]] = []
    held: list[tuple[float, str]] = []
    for row in trace.of("print"):
        if row["i"] != step:
            continue
        for name, value in row["v"].items():
            told = EVALUATION.search(name) or (
                EVALUATION.search(row["line"]) and not TRAINING.search(row["line"])
            )
            if word in name and not TRAINING.search(name) and (told or word == "acc") and "top" not in name:
                (held if EVALUATION.search(name) else found).append((value, row["line"]))
    return held or found
