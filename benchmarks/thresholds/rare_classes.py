"""What even weights do to classes that are ignored for being rare: what TOLD_APART of class_criteria rests on.

    python benchmarks/thresholds/rare_classes.py FOLDERS --python INTERPRETER

Each folder is a specimen (``case.json``). One line each: its name, what is expected of it, the recall of the rare
classes without and with even weights, the share of the others that is lost with them, and Youden's index of the two.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import anyio

sys.path.insert(0, str(Path(__file__).parent.parent / "faults"))
from record import traced

from lossdoctor.detectors.class_imbalance import interventions
from lossdoctor.errors import LossDoctorError
from lossdoctor.tools.class_criteria import youden
from lossdoctor.tools.criteria import Runs

SECONDS = 60.0


async def line(folder: Path, python: str) -> str:
    case = json.loads((folder / "case.json").read_text(encoding="utf-8"))
    try:
        before = await traced(folder, python, SECONDS)
        after = await traced(folder, python, SECONDS, interventions=interventions(before))
        told = youden(Runs(before, after, {"name": "balance_classes"}))
    except (LossDoctorError, ValueError) as error:
        return f"{folder.name:12} {error}"
    if told is None:
        return f"{folder.name:12} {case['expect']:20} not judged"
    return (
        f"{folder.name:12} {case['expect']:20} {told.was:.2f} {told.now:.2f} {told.lost:.2f} {told.index:.2f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="+", type=Path, help="specimens")
    parser.add_argument("--python", type=Path, required=True, help="interpreter that has torch")
    asked = parser.parse_args()
    print("case         expected             recall: before, after; others lost, index")
    for folder in asked.folders:
        print(anyio.run(line, folder.resolve(), str(asked.python.absolute())), flush=True)


if __name__ == "__main__":
    main()
