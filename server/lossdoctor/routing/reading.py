"""A complaint in words -> class scores, told facts and whether it is about machine learning at all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lossdoctor.routing import cues, measures, tables, words
from lossdoctor.routing.facts import Facts
from lossdoctor.routing.lexicon import Hit, Hits

_ML_ENOUGH = 2.0
"""Weighted vocabulary below which nothing points to machine learning."""
_FOREIGN_ENOUGH = 3.0
_FOREIGN_SHARE = 0.75
"""A complaint belongs elsewhere when foreign vocabulary reaches this share of the machine-learning one."""


@dataclass(frozen=True)
class Reading:
    """What one complaint says."""

    hits: Hits
    scores: dict[str, float]
    facts: Facts
    ml: float
    foreign: float

    def has(self, *names: str) -> bool:
        return any(name in self.hits for name in names)

    @property
    def out_of_scope(self) -> bool:
        if self.foreign >= _FOREIGN_ENOUGH and self.foreign >= _FOREIGN_SHARE * self.ml:
            return True
        return self.ml < _ML_ENOUGH


def read(text: str) -> Reading:
    hits = tables.matcher().find(words.split(text))
    numbers = measures.read_numbers(text)
    for name in measures.number_concepts(numbers):
        hits[name] = [Hit(0, 0)]
    return Reading(
        hits=hits,
        scores=cues.scores(tables.cues(), tables.hints(), hits),
        facts=Facts(**dict(_told(hits, numbers))),
        ml=_weigh("ml", hits),
        foreign=_weigh("foreign", hits) + 3 * len(hits.get("sense", ())),
    )


def _weigh(side: str, hits: Hits) -> float:
    """Weights 3, 2, 1 of the words that the side's vocabulary covers, each word counted once."""
    covered: dict[int, float] = {}
    for weight in (1, 2, 3):
        names = [f"{side}{weight}", *(tables.anchors(weight) if side == "ml" else ())]
        for hit in (h for name in names for h in (*hits.get(name, ()), *hits.get(f"!{name}", ()))):
            covered[hit.start] = float(weight)
    return sum(covered.values())


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
    stuck = any(c in hits for c in ("flat", "!down", "!change", "!improve", "!up", "fail_verb", "chance"))
    if stuck and any(c in hits for c in ("early", "num_loss", "num_count", "num_lr", "num_chance")):
        yield "loss_behaviour", "flat_from_start"
