"""Where the user's code decides to stop early, when it has something of the kind."""

from __future__ import annotations

from .holders import written_at
from .session import Session

WORDS = r"(?i)patience|early_?stop"
# The most telling line first: the stopper being made, the comparison with the best value, the setting.
LOOP = r"^\s*for\s+\w*(epoch|step|iteration|update|round)\w*\b.*\bin\b"
PATTERNS = (r"(?<!class )\bEarlyStop\w*\(", r"^\s*(el)?if .*[<>]=?.*best", r"(?i)patience")


class Stopping:
    """Notes a line in the role ``stopper``, and the loop over epochs or steps, when the script ends."""

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
