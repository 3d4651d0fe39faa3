"""How well bags of words foretell each other's classes in training and in evaluation: every specimen whose inputs are
such bags, sound or with wrong labels.

Prints, per specimen: what it is, how many documents of each side were recorded, and which share of the classes the
likest documents foretell within training, within evaluation, and in evaluation from training. `GAP` of
detectors/label_noise.py must lie above what evaluation has more than training in sound ones. On 2026-11-29, of nine
sound ones from -0.11 to 0.01; of two with 48 and 49 % of wrong labels 0.16 and 0.51.

    python benchmarks/thresholds/bags.py tests/faults tests/faults_heldout --python .venv-with-torch
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "faults"))
from evaluate import expected
from record import print_each, trace_of

from lossdoctor.traces.bags import neighbourhood_of_bags

KINDS = ("healthy", "label_noise")
SECONDS = 60.0


def line(folder: Path, python: str | None) -> str | None:
    """What to print of a specimen; None of one that is sick in another way, or whose inputs are no bags."""
    kind, code = expected(folder), "".join(p.read_text(encoding="utf-8") for p in folder.rglob("*.py"))
    if kind not in KINDS or "Embedding" not in code:
        return None
    near = neighbourhood_of_bags(trace_of(folder, python, SECONDS))
    if near is None:
        return None
    told = (near.within_train, near.within_evaluation, near.across)
    scores = ", ".join(f"{a.score:.3f}" for a in told if a is not None)
    return f"{kind}: {len(near.train)}, {len(near.evaluation)} documents; {scores}"


if __name__ == "__main__":
    print_each(str(__doc__), line)
