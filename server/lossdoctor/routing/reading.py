"""A complaint in words -> class scores, told facts and whether it is about machine learning at all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from lossdoctor.routing import cues, measures, series, tables, weights, words
from lossdoctor.routing.facts import Facts
from lossdoctor.routing.lexicon import Hit, Hits


@dataclass(frozen=True)
class Reading:
    """What one complaint says. ``ranking`` is class -> score; only differences mean anything.
    ``foreign``: another field's vocabulary is at least as strong as machine learning's.
    """

    hits: Hits
    ranking: dict[str, float]
    facts: Facts
    foreign: bool = False

    def has(self, *names: str) -> bool:
        return any(name in self.hits for name in names)


def read(text: str) -> Reading:
    said = words.split(text)
    hits, numbers = _hits(said, text)
    seen = _features(said, hits)
    ranking = weights.ranking(seen)
    told = dict(_told(hits, numbers))
    if top(ranking) == "not_learning" and any(name in hits for name in _SINCE_WHEN):
        told["loss_behaviour"] = "flat_from_start"
    foreign = (
        seen["foreign"] >= 1.0 and 3 * seen["foreign"] >= 6 * seen["ml"]
    )  # undoing the scales of weights.features
    return Reading(hits=hits, ranking=ranking, facts=Facts.model_validate(told), foreign=foreign)


def top(ranking: Mapping[str, float]) -> str | None:
    """The class with the highest score; ties go to the first name, so that the same words give the same route."""
    return max(sorted(ranking), key=lambda name: ranking[name], default=None)


def features_of(text: str) -> dict[str, float]:
    """The model's input for one complaint (used by the fit)."""
    said = words.split(text)
    return _features(said, _hits(said, text)[0])


def _hits(said: Sequence[words.Word], text: str) -> tuple[Hits, measures.Numbers]:
    hits = tables.matcher().find(said)
    numbers = measures.read_numbers(text)
    for name in (*measures.number_concepts(numbers), *series.series_concepts(words.fold(text[:4000]))):
        hits[name] = [Hit(0, 0)]
    return hits, numbers


def _features(said: Sequence[words.Word], hits: Hits) -> dict[str, float]:
    ml, foreign = _weigh(_ml(hits)), _weigh(_foreign(hits)) + 3 * len(hits.get("sense", ()))
    scored = cues.scores(tables.cues(), tables.hints(), hits)
    stems = [word.stem for word in said if not word.filler]
    return weights.features(stems, hits, scored, ml, foreign)


def _ml(hits: Hits) -> Iterator[tuple[float, Hit]]:
    for weight in (1, 2, 3):
        for name in (f"ml{weight}", *tables.anchors(weight)):
            yield from ((float(weight), hit) for hit in (*hits.get(name, ()), *hits.get(f"!{name}", ())))


def _foreign(hits: Hits) -> Iterator[tuple[float, Hit]]:
    """Dogs, cars and houses are what data sets are made of: next to plain machine learning they say little."""
    subjects = _SUBJECT if any(name in hits for name in _PLAINLY_ML) else 1.0
    for weight in (2, 3):
        factor = subjects if weight == 2 else 1.0
        yield from ((factor * weight, hit) for hit in hits.get(f"foreign{weight}", ()))


def _weigh(seen: Iterator[tuple[float, Hit]]) -> float:
    """Sum of the weights of the words that a vocabulary covers, each word counted once."""
    covered = {hit.start: weight for weight, hit in seen}
    return sum(covered.values())


_SUBJECT = 0.25
_PLAINLY_ML = ("ml3", "one_class", "overfit", "underfit", "val_better", "num_gap", "perfect_train")
_SINCE_WHEN = ("early", "num_loss", "num_count", "num_lr", "num_chance", "chance", "no_update", "duration")
"""A flat loss told with any of these is no vague complaint: since when, at which value, with which rate."""
_LOW, _HIGH = 25.0, 95.0
"""Per cent that stand for utilisation told in words only."""
_FLAGS = {
    "has_evidence": ("evidence",),
    "names_parameters": ("specific_hp",),
    "memory_limited": ("memory_limit",),
}
_NUMERIC = ("gpu_utilization", "learning_rate", "train_metric", "val_metric", "dataset_size", "gpus")


def _told(hits: Hits, numbers: measures.Numbers) -> Iterator[tuple[str, object]]:
    for name in _NUMERIC:
        if name in numbers:
            yield name, numbers[name]
    for name, concepts in _FLAGS.items():
        if any(c in hits for c in concepts):
            yield name, True
    if "num_chance" in hits or "chance" in hits:
        yield "loss_at_chance", True
    if "aug_cost" in hits or ("aug" in hits and any(c in hits for c in ("slow", "gpu_util", "cpu"))):
        yield "heavy_augmentation", True
    yield from _worded(hits, numbers)


def _worded(hits: Hits, numbers: measures.Numbers) -> Iterator[tuple[str, object]]:
    if "precision_fp8" in hits:
        yield "precision", "fp8"
    elif "precision_fp16" in hits:
        yield "precision", "fp16"
    if "gpu_low" in hits and "gpu_utilization" not in numbers:
        yield "gpu_utilization", _LOW
    elif "gpu_high" in hits and "gpu_utilization" not in numbers:
        yield "gpu_utilization", _HIGH
    if "resume_word" in hits:
        yield "onset", "after_resume"
    elif "early" in hits:
        yield "onset", "early"
