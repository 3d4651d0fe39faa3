"""Numbers that the script prints: bounded, with the step at which they appeared."""

from __future__ import annotations

import re
import sys
from collections import Counter
from typing import Any, TextIO

from .session import Session

NUMBER = r"[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|nan|inf)"
NAMED = re.compile(
    rf"([A-Za-z][\w ./@-]{{0,24}}?)['\"]?\s*[:=]?\s+({NUMBER})(?![\w.])"
    rf"|([A-Za-z][\w@]{{0,24}})['\"]?[:=]({NUMBER})(?![\w.])"
)
CELLS = re.compile(r"[,;|\t]")
WORD = re.compile(r"[A-Za-z][\w ./-]{0,24}")
SPLIT = re.compile(
    r"(?<![a-z])(train(?:ing)?|val(?:i(?:d(?:ation)?)?)?|tests?|dev|eval(?:uation)?|held)(?![a-z])", re.I
)
MEASURED = re.compile(rf"(\w+) {SPLIT.pattern}", re.I)  # a measure, then the split that it is of
PARTS, LABEL = re.compile(r"[|;]"), re.compile(r"\s*([A-Za-z][\w ]{1,14}):\s")
STOPPING = re.compile(r"early.?stop|stopp(ed|ing)|no improvement|out of patience", re.IGNORECASE)
MAX_LINES = 400


class Tee:
    """Passes text on unchanged and records the named numbers of each whole line."""

    def __init__(self, stream: TextIO, session: Session) -> None:
        self._stream, self._session = stream, session
        self._line = ""
        self._lines = 0
        self._columns: list[str] = []

    def write(self, text: str) -> int:
        written = self._stream.write(text)
        if self._session.active and self._lines < MAX_LINES:
            self._session.safely(self._collect, text)
        return written

    def _collect(self, text: str) -> None:
        *lines, rest = (self._line + text[-4000:]).split("\n")
        self._line = rest[-400:]
        for line in lines[-20:]:
            values = named_numbers(line) or self._row(line)
            if (values or STOPPING.search(line[:400])) and self._lines < MAX_LINES:
                self._lines += 1
                self._session.add({"k": "print", "i": self._session.now, "v": values, "line": line[:160]})

    def _row(self, line: str) -> dict[str, float]:
        """Numbers of a table's row under the names of its last header line (comma, semicolon, tab or bar between)."""
        cells = [c.strip() for c in CELLS.split(line[:400].strip().strip("|"))]
        if len(cells) < 2:
            return {}
        if all(WORD.fullmatch(c) for c in cells):
            self._columns = cells[:12]
        elif len(cells) == len(self._columns) and all(re.fullmatch(NUMBER, c) for c in cells):
            return {name.lower()[:24]: float(c) for name, c in zip(self._columns, cells, strict=True)}
        return {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def named_numbers(line: str) -> dict[str, float]:
    """Names and numbers of a printed line: ``"epoch 3 loss: 0.42"`` -> ``{"epoch": 3.0, "loss": 0.42}``. A name that
    comes again in one line is told by the split that was named last, ``"train ... f1 0.9 | val ... f1 0.5"``, or by the
    words that a part of the line begins with, ``"those: f1 0.9 | others: f1 0.5"``; else the later ones are numbered.
    A split alone goes on with the measure before the split that was named first, ``"rmse train 0.2 val 0.9"``.
    """
    line = line[:400]
    told = [((m[1] or m[3]).strip().lower(), float(m[2] or m[4]), m.end()) for m in NAMED.finditer(line)][:12]
    count = Counter(name for name, _, _ in told)
    found: dict[str, float] = {}
    met: Counter[str] = Counter()
    measure = ""
    for name, value, end in told:
        measured = MEASURED.fullmatch(name)
        measure = measured[1] if measured else measure
        name = f"{measure} {name}" if measure and SPLIT.fullmatch(name) else name
        full = (_split_before(line[:end]) + name if count[name] > 1 else name)[:24]
        met[full] += 1
        found[full if met[full] == 1 else f"{full[:21]} {met[full]}"] = value
    return found


def _split_before(text: str) -> str:
    """The split that a line named last, with a blank behind it, unless a later part begins with other words; nothing
    where it named none.
    """
    *before, part = PARTS.split(text)
    label = LABEL.match(part) if before else None
    if label is not None and not SPLIT.search(part):
        return f"{label[1].strip().lower()} "
    return f"{words[-1].lower()} " if (words := SPLIT.findall(text)) else ""


def install(session: Session) -> None:
    sys.stdout = Tee(sys.stdout, session)  # type: ignore[assignment]
    sys.stderr = Tee(sys.stderr, session)  # type: ignore[assignment]  # the logging module writes there
