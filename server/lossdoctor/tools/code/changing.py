"""A number of the user's own project changed, for one run of its throw-away copy: the proof that needs no stand-in.

What a finding blames is looked up as for its place (``origins``); the line or the argument that sets it gets another
number. Any kind of model is made larger in this way, also one beside which nothing can run.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ...model import Finding, Trace
from .literals import loosely
from .origins import located

Written = tuple[int, Callable[[int], dict[str, Any]]]  # the number, and the change to another one

CHANGE = "change_setting"
WIDTH, BATCH = "width of the narrowest layer", "samples in a batch"
CALLS = "calls of the model on its own answers for one loss"
WIDER, LEAST = 8, 64  # times as wide, and at least so wide: also where it is to be shared among heads
SMALLER = 16  # times fewer samples in a batch, as ``split_batch`` makes them
SHORTER = 8  # times fewer calls in a row
# what is narrow on purpose in a model that reproduces its input
NARROW_ON_PURPOSE = re.compile(r"latent|bottleneck|code|rank|^z|_z$|embed|components|factors", re.IGNORECASE)


def own_change(finding: Finding, trace: Trace, root: Path, args: tuple[str, ...]) -> dict[str, Any] | None:
    """The change of the one argument, or of the one line, that sets what the finding blames: a width, the size of a
    batch, the number of calls in a row. None for other findings, and where no such place is known.
    """
    resized = RESIZED.get(finding.fault)
    if resized is None:
        return None
    place = located((finding,), trace, root, args)[0]
    name = place.where.parameter or ""
    written = _given(args, name) or _written(place.where.file, place.where.line, name)
    if not name or name == finding.where.parameter or written is None:
        return None
    was, put = written
    sized = resized(finding, name, was)
    return (
        None if sized is None else {"name": CHANGE, "setting": name, "was": was, **sized, **put(sized["now"])}
    )


def _wider(finding: Finding, name: str, was: int) -> dict[str, Any] | None:
    if was != _measured(finding, WIDTH) or NARROW_ON_PURPOSE.search(name):
        return None
    return {"now": max(LEAST, WIDER * was)}


def _fewer(finding: Finding, name: str, was: int) -> dict[str, Any] | None:
    """With as many more updates for the same number of passes; a batch may hold less than it might."""
    held = _measured(finding, BATCH)
    size = was if held is None else min(was, held)
    now = size // SMALLER
    return {"now": now, "pace": size / now} if now else None


def _shorter(finding: Finding, name: str, was: int) -> dict[str, Any] | None:
    now = was // SHORTER
    return {"now": now} if now and was == _measured(finding, CALLS) else None


RESIZED = {"underfitting_capacity": _wider, "batch_size_too_large": _fewer, "exploding_gradient": _shorter}


def _measured(finding: Finding, quantity: str) -> int | None:
    value = next((e.value for e in finding.evidence if e.quantity == quantity), None)
    return value if isinstance(value, int) else None


def _given(args: tuple[str, ...], name: str) -> Written | None:
    """The number that an option is given (``--width 4``, ``--width=4``, ``net.width=4``), and what gives it another."""
    option = re.compile(rf"-*[\w.]*{loosely(name)}", re.IGNORECASE)
    for position, argument in enumerate(args):
        key, equals, value = argument.partition("=")
        value = value if equals else "".join(args[position + 1 : position + 2])
        if not option.fullmatch(key) or not value.isdigit():
            continue
        before, after = args[:position], args[position + (1 if equals else 2) :]
        return int(value), lambda now: {
            "args": [*before, *([f"{key}={now}"] if equals else [key, str(now)]), *after]  # noqa: B023
        }
    return None


def _written(file: str | None, line: int | None, name: str) -> Written | None:
    """The first number after the name on a line, and what puts another in its place."""
    if file is None or line is None:
        return None
    try:
        text = Path(file).read_text(encoding="utf-8").split("\n")[line - 1]
    except (OSError, ValueError, IndexError):
        return None
    found = re.search(rf"{loosely(name)}\b[^\d]*?(?<![\w.])(\d+)(?![\w.])", text, re.IGNORECASE)
    if found is None:
        return None
    before, after = text[: found.start(1)], text[found.end(1) :]
    return int(found[1]), lambda now: {
        "lines": [{"file": file, "line": line, "text": f"{before}{now}{after}"}]
    }
