"""Which line of the user's code is running while the loop waits for a slow batch."""

from __future__ import annotations

import sys
import threading
import time
from types import CodeType, FrameType
from typing import TYPE_CHECKING, Any

from .sites import Site, Sites, source_line

if TYPE_CHECKING:
    from .session import Session

INTERVAL_S = 0.002
SLOW_S = 0.004  # a batch that takes longer than this is worth a look
MAX_SAMPLES = 2000
FEWEST = 5  # samples
LEAST = 0.2  # of the samples: functions with less are not told


class Hotspot:
    """Samples the main thread's stack from a helper thread, only while ``watching`` is set."""

    def __init__(self, sites: Sites, thread: int) -> None:
        self._sites, self._main = sites, thread
        self._watching = threading.Event()
        self._thread: threading.Thread | None = None
        self._counts: dict[Site, int] = {}
        self._functions: dict[Site, CodeType] = {}  # of each line that was seen
        # the line of each running function that led to the last update
        self._update: dict[CodeType, int] = {}
        self._after: dict[Site, int] = {}  # samples of a line that ran below that
        self._total = 0

    def __enter__(self) -> None:
        if self._total >= MAX_SAMPLES:
            return
        if self._thread is None:
            self._thread = threading.Thread(target=self._loop, name="lossdoctor-hotspot", daemon=True)
            self._thread.start()
        self._watching.set()

    def after_update(self) -> None:
        """Start to watch where an update has just been made: remember by which lines the script came there."""
        self._update = {}
        for frame in self._sites.frames():
            self._update.setdefault(frame.f_code, frame.f_lineno)
        self.__enter__()

    def __exit__(self, *_: object) -> None:
        self._watching.clear()

    def _loop(self) -> None:
        while self._total < MAX_SAMPLES:
            self._watching.wait()
            time.sleep(INTERVAL_S)
            if self._watching.is_set():
                self._look()

    def _look(self) -> None:
        frame = sys._current_frames().get(self._main)
        while frame is not None and not self._sites.is_user(frame.f_code):
            frame = frame.f_back
        if frame is not None:
            place = frame.f_code.co_filename, frame.f_lineno
            self._counts[place] = self._counts.get(place, 0) + 1
            self._functions[place] = frame.f_code
            self._after[place] = self._after.get(place, 0) + self._below_update(frame)
            self._total += 1

    def _below_update(self, frame: FrameType | None) -> bool:
        """Whether what runs stands further down than the update in the innermost function that both came through: what
        is done with a step's results, and not for the next step.
        """
        while frame is not None and frame.f_code not in self._update:
            frame = frame.f_back
        return frame is not None and frame.f_lineno > self._update[frame.f_code]

    def hottest(self) -> tuple[Site, float] | None:
        """The line seen most often and its share of the samples; None with fewer than five samples."""
        if self._total < FEWEST:
            return None
        place = max(self._counts, key=lambda p: self._counts[p])
        return place, self._counts[place] / self._total

    def functions(self) -> list[tuple[CodeType, Site, float]]:
        """Functions with several hot lines: each with the hottest one, and the share of samples in all of them."""
        shares: dict[CodeType, int] = {}
        for place, count in self._counts.items():
            code = self._functions[place]
            shares[code] = shares.get(code, 0) + count
        told = []
        for code, count in shares.items():
            own = [place for place in self._counts if self._functions[place] is code]
            if len(own) > 1 and count / self._total >= LEAST:
                told.append((code, max(own, key=lambda p: self._counts[p]), count / self._total))
        return sorted(told, key=lambda f: -f[2])

    def report(self, session: Session, what: str) -> None:
        """Write a ``hotspot`` row: the line that ran for most of the time that was watched."""
        found = self.hottest()
        if found is not None:
            self._write(session, what, *found, after=self._share_after([found[0]]))

    def report_functions(self, session: Session) -> None:
        """Write a ``hotspot`` row of a ``function`` for each whose lines together ran for much of the time that was
        watched, with the first and the last line that it reaches over (``lines``); ``after`` as in ``_share_after``.
        """
        for code, place, share in self.functions() if self._total >= FEWEST else ():
            last = max((n for _, _, n in code.co_lines() if n is not None), default=code.co_firstlineno)
            own = [p for p in self._counts if self._functions[p] is code]
            after = self._share_after(own)
            self._write(session, "function", place, share, lines=[code.co_firstlineno, last], after=after)

    def _share_after(self, places: list[Site]) -> float:
        """Of the samples on these lines, the share that ran below the update."""
        return round(sum(self._after[p] for p in places) / sum(self._counts[p] for p in places), 3)

    def _write(self, session: Session, what: str, place: Site, share: float, **more: Any) -> None:
        file, line = place
        session.write({"k": "hotspot", "what": what, "file": session.real(file), "line": line,
                       "share": round(share, 3), "code": source_line(place), **more})  # fmt: skip
