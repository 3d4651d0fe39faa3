"""One thing changed in sound specimens, the harm measured, ``diagnose`` asked: what settings.py and files.py share.

Both runs are recorded with the same seed; a change counts as harmful where the loss on held-out samples (of training,
where nothing is held out) gives back at least ``HARM`` of what the sound run had won over its start, or is not finite.
Changes that harm nothing are not counted: most do not.
"""

from __future__ import annotations

import argparse
import json
import math
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import anyio
from evaluate import Outcome, cases, chosen_of, evaluate, expected, options
from record import traced

from lossdoctor.errors import LossDoctorError
from lossdoctor.model import Trace
from lossdoctor.traces.measure import head, objective, tail
from lossdoctor.traces.validation import validation_losses

HARM = 0.3  # of what the sound run has won: beyond what another seed does


@dataclass(frozen=True)
class Change:
    """One thing that can be changed in a specimen, and what an expert would call the result.

    ``make`` copies the specimen to a new folder with the change and says what it was; None where it does not apply.
    """

    name: str
    make: Callable[[Path, Path], str | None]
    faults: frozenset[str]
    other_units: bool = False  # the loss is measured in other units: each run is held against its own start
    always: bool = False  # harmful by what it is: the reported numbers are wrong, however good they look


@dataclass(frozen=True)
class Changed:
    """One specimen with one change."""

    case: str
    change: str
    what: str
    harm: float
    told: bool = False
    named: bool = False
    outcome: Outcome | None = None


def level(trace: Trace) -> float:
    """The loss that counts at the end of a run: on held-out samples, else of training."""
    held = validation_losses(trace)
    end = held[-1][1] if held else tail(objective(trace))
    return math.nan if end is None else end


def harm(sound: Trace, other: Trace, other_units: bool = False) -> float:
    """Share of what the sound run won over its start that the other run gives back; 1 where it is not finite, 0 where
    it never trained (a width that no longer fits the code).
    """
    start, begun, good, bad = head(objective(sound)), head(objective(other)), level(sound), level(other)
    if start is None or not math.isfinite(good) or not start > good or not other.steps:
        return 0.0
    if not math.isfinite(bad):
        return 1.0
    if other_units:
        return (bad / begun - good / start) / (1 - good / start) if begun and start > 0 else 0.0
    return (bad - good) / (start - good)


async def sweep(folders: list[Path], changes: Sequence[Change], chosen: argparse.Namespace) -> list[Changed]:
    """Every change of every sound specimen, ``chosen.jobs`` at a time; prints each harmful one as it ends."""
    outcomes: list[Changed] = []
    limiter = anyio.CapacityLimiter(chosen.jobs)

    async def one(folder: Path, number: int, change: Change, sound: Trace, scratch: Path) -> None:
        out = scratch / f"{folder.name}_{number}"
        what = change.make(folder, out)
        if what is None:
            return
        async with limiter:
            try:
                lost = harm(sound, await traced(out, chosen.python, chosen.seconds), change.other_units)
            except LossDoctorError:  # nothing was recorded: nothing is known of its harm
                lost = 0.0
            made = Changed(str(folder), change.name, what, harm=round(lost, 2))
            if lost >= HARM or change.always:
                outcome = await evaluate(out, chosen.python, chosen.seconds)
                told = outcome.verdict == "faulty"
                named = told and bool(outcome.found) and outcome.found[0] in change.faults
                made = replace(made, told=told, named=named, outcome=outcome)
                print(described(made), flush=True)
            outcomes.append(made)

    async def specimen(folder: Path, scratch: Path) -> None:
        try:
            async with limiter:
                sound = await traced(folder, chosen.python, chosen.seconds)
        except LossDoctorError as error:
            print(f"{folder}: not recorded: {error}", flush=True)
            return
        async with anyio.create_task_group() as group:
            for number, change in enumerate(changes):
                group.start_soon(one, folder, number, change, sound, scratch)

    with tempfile.TemporaryDirectory() as scratch:
        async with anyio.create_task_group() as group:
            for folder in folders:
                group.start_soon(specimen, folder, Path(scratch))
    return outcomes


def described(changed: Changed) -> str:
    assert changed.outcome is not None
    mark = "ok  " if changed.named else "told" if changed.told else "MISS"
    said = ", ".join(changed.outcome.found) or changed.outcome.error or changed.outcome.verdict
    took = changed.outcome.seconds
    return f"{mark} {changed.case}: {changed.change}, {changed.what}, harm {changed.harm:.2f}: {said[:110]} ({took} s)"


def table(outcomes: list[Changed], names: Sequence[str]) -> str:
    """Counts per change as a Markdown table."""
    rows = ["| change | made | did harm | called faulty | cause first |", "|---|---|---|---|---|"]
    for name in names:
        mine = [o for o in outcomes if o.change == name]
        harmful = [o for o in mine if o.outcome is not None]
        counts = (len(mine), len(harmful), sum(o.told for o in harmful), sum(o.named for o in harmful))
        rows.append(f"| {name} | {' | '.join(map(str, counts))} |")
    return "\n".join(rows)


def run(about: str | None, changes: Sequence[Change]) -> None:
    """The whole of a script that makes ``changes`` in the sound specimens below the folders it is given."""
    parser = options(about, seconds=60)
    names = list(dict.fromkeys(c.name for c in changes))
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--only", nargs="*", choices=names, metavar="CHANGE", help=", ".join(names))
    parser.add_argument("--sample", type=int, help="take so many of the specimens, drawn with seed 0")
    chosen = parser.parse_args()
    sound = [f.resolve() for f in cases(chosen.folders) if expected(f) == "healthy"]
    sound = chosen_of(sound, chosen.sample)
    wanted = [c for c in changes if not chosen.only or c.name in chosen.only]
    outcomes = anyio.run(sweep, sound, wanted, chosen)
    if chosen.json:
        chosen.json.write_text(json.dumps([asdict(o) for o in outcomes], indent=1), encoding="utf-8")
    print(table(outcomes, names))
