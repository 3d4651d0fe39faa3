"""Which setting of an early stop is wrong: the least improvement that counts, or the direction.

A run that stops although each of its last evaluations was the best so far was not short of patience: either no gain
was as large as the one that is asked for, or the best is looked for at the wrong end; so it is where the worst weights
of all are put back. Settings are known by their usual names (Keras, Lightning and scikit-learn use ``min_delta``,
``mode``, ``tol``); where none is written, the line of the stop stays the place.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ...detectors.early_stopping_misconfigured import GAINED, WORSE_ONES
from ...model import Finding
from .literals import CONFIGURATIONS, FLAGS, NUMBERS, Origin
from .project import Project

LEAST = ("min_delta", "delta", "min_improvement", "improvement", "min_gain", "tol", "tolerance")
MODES = ("mode", "direction", "goal")
TOWARDS = {"max": 1.0, "maximize": 1.0, "higher": 1.0, "min": -1.0, "minimize": -1.0, "lower": -1.0}
BETTER = (
    "maximize",
    "higher_is_better",
    "greater_is_better",
    "larger_is_better",
    "minimize",
    "lower_is_better",
)


def wrong(finding: Finding, project: Project) -> tuple[Origin, str] | None:
    """Where the setting is written that made this stop, and its name; None where it cannot be told."""
    told = {e.quantity: e.value for e in finding.evidence}
    gained = told.get(GAINED)
    turned = told.get(WORSE_ONES) == 0  # the worst of all was kept
    if not isinstance(gained, (int, float)) and not turned:
        return None
    looks: list[tuple[tuple[str, ...], dict[str, float], Callable[[float], bool]]] = [
        (MODES, TOWARDS, lambda value: True),
        (BETTER, FLAGS, lambda value: True),
    ]
    if isinstance(gained, (int, float)):
        looks.insert(0, (LEAST, dict(NUMBERS), partial(float.__lt__, float(gained))))
    for names, words, accepted in looks:
        written = ((o, name) for name in names for o in project.origins(name, words))
        candidates = [
            (o, name) for o, name in written if (not words or o.value in words.values()) and accepted(o.value)
        ]
        configured = [(o, name) for o, name in candidates if o.file.suffix in CONFIGURATIONS]
        # an entry of a configuration file goes before defaults in code
        for chosen in (candidates, configured):
            if len(chosen) == 1:
                return chosen[0]
    return None
