"""How much further held-out inputs lie from each other than training inputs, in every specimen that shows both.

Prints, per specimen: what it is, the two-sample statistic (0 mixed, 1 apart), the ratio of the spreads and that of the
distances to the nearest neighbour (``denser``). `COPIES` of preprocess_mismatch.py lies between the last of those of
other preprocessing and those of training sets that are near copies of a few inputs.

    python benchmarks/thresholds/copies.py tests/faults tests/faults_heldout --python .venv-with-torch
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "faults"))
from evaluate import cases, expected, interpreter
from record import run

from lossdoctor.detectors.preprocess_mismatch import _ratio
from lossdoctor.errors import LossDoctorError
from lossdoctor.traces.data import FEW, apart, denser, inputs
from lossdoctor.traces.reader import read_trace


def line(folder: Path, python: str | None) -> str | None:
    """What to print of a specimen; None where a side shows too few inputs, or inputs of another shape."""
    kind = expected(folder)
    with tempfile.TemporaryDirectory() as out:
        run(folder, Path(out), python, 60.0)
        trace = read_trace(Path(out))
    sides = inputs(trace, training=True), inputs(trace, training=False)
    if min(map(len, sides)) < FEW or len(sides[0][0]) != len(sides[1][0]):
        return None
    return f"{kind}: apart {apart(*sides):.2f}, spread {_ratio(*sides):.2f}, denser {denser(*sides):.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("roots", nargs="+", type=Path)
    parser.add_argument("--python", type=interpreter, help="interpreter with torch")
    parser.add_argument("--only", help="one fault alone")
    args = parser.parse_args()
    for folder in cases(args.roots):
        if args.only and expected(folder) != args.only:
            continue
        try:
            told = line(folder.resolve(), args.python)
        except (LossDoctorError, OSError) as error:
            told = str(error)[:80]
        if told:
            print(f"{folder.name:12}{told}", flush=True)


if __name__ == "__main__":
    main()
