"""Run specimens plainly and print what they print: `python verify.py [--python P] [prefix ...]`.

Shows for each case its wall time, exit status and the first and last lines of its output.
"""
import argparse
import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

TESTS = Path(__file__).resolve().parents[2]


def cases(prefixes: list[str]) -> list[Path]:
    found = sorted(p.parent for root in ("faults", "faults_heldout") for p in (TESTS / root).rglob("case.json"))
    names = [(p, str(p.relative_to(TESTS))) for p in found]
    return [p for p, n in names if not prefixes or any(n.startswith((q, f"faults/{q}")) for q in prefixes)]


def run(folder: Path, python: str) -> tuple[int, float, list[str]]:
    fact = json.loads((folder / "case.json").read_text())
    env = {**os.environ, "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    began = time.monotonic()
    try:
        done = subprocess.run([python, fact["entry"], *fact["args"]], cwd=folder, env=env, capture_output=True,
                              text=True, timeout=60)
    except subprocess.TimeoutExpired:
        return 124, 60.0, []
    lines = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]
    return done.returncode, time.monotonic() - began, lines


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--tail", type=int, default=1)
    parser.add_argument("prefix", nargs="*")
    options = parser.parse_args()
    for folder in cases(options.prefix):
        before = {p.name for p in folder.iterdir()}
        code, seconds, lines = run(folder, options.python)
        expect = json.loads((folder / "case.json").read_text())["expect"]
        flag = "" if code == 0 and seconds < 15 else "  <<<<< CHECK"
        print(f"{folder.relative_to(TESTS)}  [{expect}]  rc={code} {seconds:.1f}s "
              f"peak so far {resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024} MB{flag}")
        print("    first:", *lines[:1])
        for line in lines[-options.tail:]:
            print("    last: ", line)
        for extra in {p.name for p in folder.iterdir()} - before:
            print("    left behind:", extra)
        sys.stdout.flush()


if __name__ == "__main__":
    main()
