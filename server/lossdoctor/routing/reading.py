"""A complaint in words -> class scores, told facts and whether it is about machine learning at all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lossdoctor.routing import cues, measures, tables, words
from lossdoctor.routing.facts import Facts
from lossdoctor.routing.lexicon import Hit, Hits

_ML_ENOUGH = 3.0
"""Weighted vocabulary that a complaint needs to count as machine learning when no class is recognised."""


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
        if self.foreign >= 3 and self.foreign > 0.6 * self.ml:
            return True
        return self.ml < _ML_ENOUGH and self.foreign >= self.ml or self.ml < 1


def read(text: str) -> Reading:
    hits = tables.matcher().find(words.split(text))
    numbers = measures.read_numbers(text)
    for name in measures.number_concepts(numbers):
        hits[name] = [Hit(0, 0)]
    return Reading(
        hits=hits,
        scores=cues.scores(tables.cues(), hits),
        facts=Facts(**dict(_told(hits, numbers))),
        ml=_weigh("ml", hits),
        foreign=_weigh("foreign", hits) + 3 * len(hits.get("sense", ())),
    )


def _weigh(side: str, hits: Hits) -> float:
    """Distinct places where the vocabulary of that side occurs, weighted 3, 2, 1."""
    seen: dict[int, float] = {}
    for weight in (1, 2, 3):
        for hit in (*hits.get(f"{side}{weight}", ()), *hits.get(f"!{side}{weight}", ())):
            seen[hit.start] = float(weight)
    return sum(seen.values())


_FLAGS = {
    "heavy_augmentation": ("aug_cost",),
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
    yield from _worded(hits)


def _worded(hits: Hits) -> Iterator[tuple[str, object]]:
    if "precision_fp8" in hits:
        yield "precision", "fp8"
    elif "precision_fp16" in hits:
        yield "precision", "fp16"
    if "resume_word" in hits:
        yield "onset", "after_resume"
    elif "early" in hits:
        yield "onset", "early"
    if "flat" in hits and "early" in hits:
        yield "loss_behaviour", "flat_from_start"
