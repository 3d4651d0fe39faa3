"""Classes that are one class under several names. Pure functions of labels and answers."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

LIKE = (
    0.5  # common share of the answers to two classes; of two samples of 16 from one distribution over 4: 0.75
)
TOLD = 0.7  # share of the way from chance to 1 at which answers tell the groups
UNTOLD = 0.15  # the same for the classes within their groups
SEVERAL, MOSTLY = 2, 0.5  # groups of several names, and the share of the samples in them
LEAST = 8  # samples per class
Table = Counter[tuple[float, float]]  # (label, answer) -> samples


@dataclass(frozen=True)
class Synonyms:
    """Groups of classes that answers tell from each other but not within, with how far they tell both (0: as the best
    constant answer, 1: always right).
    """

    groups: tuple[tuple[int, ...], ...]
    between: float
    within: float


def synonyms(table: Table) -> Synonyms | None:
    """None where classes are told apart, where nothing is, or where only one pair is not."""
    labels = sorted({a for a, _ in table})
    counts = Counter(a for a, _ in table.elements())
    if len(labels) < 2 * SEVERAL or counts.total() < LEAST * len(labels):
        return None
    group = _groups(table, labels, counts)
    members: dict[float, list[float]] = {}
    for label in labels:
        members.setdefault(group[label], []).append(label)
    several = {name: found for name, found in members.items() if len(found) > 1}
    inside = sum(counts[label] for found in several.values() for label in found)
    if len(several) < SEVERAL or len(members) < 2 or inside < MOSTLY * counts.total():
        return None
    grouped = Counter(group[label] for label in counts.elements())
    right = sum(n for (a, b), n in table.items() if group.get(b) == group[a])
    between = _lift(right, grouped.most_common(1)[0][1], counts.total())
    # of the answers within the right group of several names: right ones, against those of the commonest name
    known = Counter({(a, b): n for (a, b), n in table.items() if group.get(b) == group[a] in several})
    exact = sum(n for (a, b), n in known.items() if a == b)
    best = sum(
        max(sum(n for (a, _), n in known.items() if a == label) for label in found)
        for found in several.values()
    )
    within = _lift(exact, best, known.total())
    if between < TOLD or within > UNTOLD:
        return None
    return Synonyms(tuple(tuple(map(int, found)) for found in several.values()), between, within)


def _lift(right: int, base: int, total: int) -> float:
    return (right - base) / (total - base) if total > base else 0.0


def _groups(table: Table, labels: list[float], counts: Counter[float]) -> dict[float, float]:
    """Label -> the first label of its group: those are joined whose answers are alike, directly or through others."""
    shares: dict[float, dict[float, float]] = {label: {} for label in labels}
    for (a, b), n in table.items():
        shares[a][b] = n / counts[a]
    group = {label: label for label in labels}
    for k, a in enumerate(labels):
        for b in labels[:k]:
            like = sum(min(share, shares[b].get(answer, 0.0)) for answer, share in shares[a].items())
            if like >= LIKE and group[a] != group[b]:
                old, new = max(group[a], group[b]), min(group[a], group[b])
                group = {label: new if first == old else first for label, first in group.items()}
    return group
