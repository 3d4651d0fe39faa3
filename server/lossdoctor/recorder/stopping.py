"""Where the user's code decides to stop early, when it has something of the kind; and what frameworks watch for it."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from typing import Any

from .holders import written_at
from .session import Session

WORDS = r"(?i)patience|early_?stop"
# The most telling line first: the stopper being made, the comparison with the best value, the setting.
LOOP = r"^\s*for\s+\w*(epoch|step|iteration|update|round)\w*\b.*\bin\b"
PATTERNS = (r"(?<!class )\bEarlyStop\w*\(", r"^\s*(el)?if .*[<>]=?.*best", r"(?i)patience")


class Stopping:
    """Notes a line in the role ``stopper``, and the loop over epochs or steps, when the script ends. Writes a
    ``stopper`` row for each early stop of Lightning's or transformers': what it watches, in which direction, and
    whether it stopped the run.
    """

    def __init__(self, session: Session) -> None:
        self.s = session

    def install(self) -> None:
        self.s.on_stop.append(self._note)

    def _note(self) -> None:
        loop = written_at(self.s.sites, LOOP)
        if loop is not None:
            self.s.place("training_loop", loop)
        place = written_at(self.s.sites, *PATTERNS)
        if place is not None and written_at(self.s.sites, WORDS) is not None:
            self.s.place("stopper", place)
        for row in watched():
            self.s.write({"k": "stopper", "i": self.s.now, **row})


def watched() -> Iterator[dict[str, Any]]:
    """The early stops that exist, found by what their classes are called in libraries that were imported."""
    if not {"lightning", "pytorch_lightning", "transformers"} & sys.modules.keys():
        return
    named: dict[str, list[Any]] = {}
    for thing in gc.get_objects():
        name = type(thing).__name__
        if name in ("EarlyStopping", "EarlyStoppingCallback", "TrainerState") or name.endswith(
            "TrainingArguments"
        ):
            named.setdefault(name, []).append(thing)
    for stop in named.get("EarlyStopping", ()):
        if getattr(stop, "mode", None) in ("min", "max") and isinstance(getattr(stop, "monitor", None), str):
            stopped = bool(getattr(stop, "stopped_epoch", 0))
            yield {"monitor": stop.monitor, "mode": stop.mode, "patience": stop.patience, "stopped": stopped}
    options = [t for n, found in named.items() if n.endswith("TrainingArguments") for t in found]
    states = named.get("TrainerState", [])
    if "EarlyStoppingCallback" in named and len(options) == len(states) == 1:
        greater, state = options[0].greater_is_better, states[0]
        yield {"monitor": str(options[0].metric_for_best_model), "mode": "max" if greater else "min",
               "patience": named["EarlyStoppingCallback"][0].early_stopping_patience,
               "stopped": state.global_step < state.max_steps}  # fmt: skip
