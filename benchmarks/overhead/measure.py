"""What recording costs: the same loop with and without, paired and alternating.

    python benchmarks/overhead/measure.py --python .venv/bin/python

``--python`` is an interpreter with torch. Every round runs each arm once, in alternating order, each in a fresh fork; a
ratio compares an arm with the bare run of its round. Two ratios are given: of the median step, and of the mean step
(which has the steps that are measured in full: the first five, then every tenth at the lite level). The first ten steps
warm up and do not count. On a GPU (``--device cuda``) only the mean counts: steps are queued. ``--clock cpu`` counts
processor time, for a machine that is not quiet.

Targets: lite at most 1.05 for steps of 50 ms and more, and 1.11 for a step of 6 ms; full at most 1.25.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from statistics import mean, median

ARMS = ("bare", "lite", "full", "item loop", "detect_anomaly")
STEPS = {"small mlp": 110, "mlp": 110, "transformer": 40}
WARM_UP = 10


def run(
    python: str, model: str, arms: list[str], rounds: int, clock: str, device: str
) -> list[dict[str, object]]:
    command = [python, str(Path(__file__).parent / "arms.py"), "--model", model, "--rounds", str(rounds)]
    command += ["--steps", str(STEPS[model]), "--clock", clock, "--device", device, "--arms", *arms]
    done = subprocess.run(
        command, stdout=subprocess.PIPE, text=True, check=True, env={**os.environ, "OMP_NUM_THREADS": "1"}
    )
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def table(model: str, results: list[dict[str, object]]) -> list[str]:
    """One line per arm: step time, ratio of medians and of means, smallest and largest ratio of means."""
    typical: dict[str, dict[object, float]] = defaultdict(dict)
    average: dict[str, dict[object, float]] = defaultdict(dict)
    for found in results:
        seconds = found["seconds"]
        assert isinstance(seconds, list)
        typical[str(found["arm"])][found["round"]] = median(seconds[WARM_UP:])
        average[str(found["arm"])][found["round"]] = mean(seconds[WARM_UP:])
    lines = []
    for arm in typical:
        medians = [typical[arm][n] / typical["bare"][n] for n in typical[arm]]
        means = sorted(average[arm][n] / average["bare"][n] for n in average[arm])
        step = 1000 * median(typical[arm].values())
        spread = f"{means[0]:.2f} to {means[-1]:.2f}"
        lines.append(
            f"| {model} | {arm} | {step:.2f} | {median(medians):.3f} | {median(means):.3f} | {spread} |"
        )
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--python", default=sys.executable, help="an interpreter with torch")
    parser.add_argument("--models", nargs="+", default=list(STEPS), choices=STEPS)
    parser.add_argument("--arms", nargs="+", default=list(ARMS))
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--clock", choices=("wall", "cpu"), default="wall")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    args = parser.parse_args()
    arms = ["bare", *(arm for arm in args.arms if arm != "bare")]
    print(f"| model | arm | ms per step ({args.clock}) | median step | mean step | spread of the mean |")
    print("|---|---|---|---|---|---|")
    for model in args.models:
        for line in table(model, run(args.python, model, arms, args.rounds, args.clock, args.device)):
            print(line, flush=True)


if __name__ == "__main__":
    main()
