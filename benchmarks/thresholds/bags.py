"""How well bags of words foretell each other's classes in training and in evaluation: every specimen whose inputs are
such bags, sound or with wrong labels.

Prints, per specimen: what it is, how many documents of each side were recorded, and which share of the classes the
likest documents foretell within training, within evaluation, and in evaluation from training. `GAP` of
detectors/label_noise.py must lie above what evaluation has more than training in sound ones (tests, on 2026-11-29: ten
sound ones from -0.09 to 0.01; wrong labels of 48 and 55 % gave 0.16 and 0.51).

    python benchmarks/thresholds/bags.py tests/faults tests/faults_heldout --python .venv-with-torch
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "faults"))
from evaluate import expected
from record import print_each, trace_of

from lossdoctor.traces.bags import agreement_of_bags, are_bags, rarity
from lossdoctor.traces.data import FEW, samples

KINDS = ("healthy", "label_noise")
SECONDS = 60.0


def line(folder: Path, python: str | None) -> str | None:
    """What to print of a specimen; None of one that is sick in another way, or whose inputs are no bags."""
    kind, code = expected(folder), "".join(p.read_text(encoding="utf-8") for p in folder.rglob("*.py"))
    if kind not in KINDS or "Embedding" not in code:
        return None
    trace = trace_of(folder, python, SECONDS)
    train, held = (samples(trace, training=side, most=None) for side in (True, False))
    if min(len(train), len(held)) < FEW or not train.classes or not (are_bags(train.x) and are_bags(held.x)):
        return None
    weights = rarity(train.x)
    scores = [
        agreement_of_bags(a, k, weights).score for a, k in ((train, train), (held, held), (held, train))
    ]
    return f"{kind}: {len(train)}, {len(held)} documents; " + ", ".join(f"{s:.3f}" for s in scores)


if __name__ == "__main__":
    print_each(str(__doc__), line)
