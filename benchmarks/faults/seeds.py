"""Specimens under another seed: is ``diagnose`` right about the next draw of the same project too?

    python benchmarks/faults/seeds.py tests/faults_heldout --python .venv-with-torch --jobs 2 --sample 60
    python benchmarks/faults/seeds.py tests/faults --only sound --add 7 --json outcomes.json

Needs no author: every whole number that seeds a generator (in code, configurations and arguments) is raised by
``--add``, so that weights, batches, splits and simulated data are drawn anew, while what is sick or sound about the
project stays. A detector whose threshold fits one draw only shows here. Specimens without a seed are left out; so are
data files, which are as they were.

Printed: each outcome as it ends, then the table of evaluate.py.
"""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from dataclasses import asdict
from pathlib import Path

import anyio
from evaluate import cases, chosen_of, evaluate, expected, options, run_all, table

CALLED = r"(?:manual_seed|seed_everything|set_seed|seed_all|seed|default_rng|RandomState|Random)\(\s*"
ASSIGNED = r"""\b(?:random_state|rng_seed|seed)\b["']?\s*(?::\s*int\s*)?[:=]\s*"""
DEFAULT = r"""["']--seed["'][^\n]*?default=\s*"""
ARGUMENT = r"""["']--seed["'],\s*["']"""
SEED = re.compile(rf"({CALLED}|{DEFAULT}|{ARGUMENT}|{ASSIGNED})(\d+)\b(?!\.)", re.IGNORECASE)
READ = (".py", ".json", ".toml", ".yaml", ".yml", ".ini", ".cfg")


def reseeded(text: str, add: int) -> tuple[str, int]:
    """The text with ``add`` more for each seed in it, and how many there are.

    >>> reseeded("torch.manual_seed(0); rng = np.random.default_rng(seed=3)", 7)
    ('torch.manual_seed(7); rng = np.random.default_rng(seed=10)', 2)
    """
    return SEED.subn(lambda found: found[1] + str(int(found[2]) + add), text)


def make(folder: Path, out: Path, add: int) -> bool:
    """Copy a specimen with other seeds; False where it has none, and nothing is left then."""
    shutil.copytree(folder, out)
    changed = 0
    for path in out.rglob("*"):
        if path.suffix not in READ or not path.is_file():
            continue
        text = path.read_text(encoding="utf-8", errors="surrogateescape")
        if path.name == "case.json":
            case = json.loads(text)
            args, count = reseeded(json.dumps(case.get("args", [])), add)
            text = json.dumps({**case, "args": json.loads(args)})
        else:
            text, count = reseeded(text, add)
        changed += count
        path.write_text(text, encoding="utf-8", errors="surrogateescape")
    if not changed:
        shutil.rmtree(out)
    return changed > 0


def main() -> None:
    parser = options(__doc__, seconds=120)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument(
        "--add", type=int, default=1000, help="how much each seed is raised by (default 1000)"
    )
    parser.add_argument("--only", choices=("sound", "sick"))
    parser.add_argument("--sample", type=int, help="take so many of the specimens, drawn with seed 0")
    chosen = parser.parse_args()
    wanted = [f.resolve() for f in cases(chosen.folders) if chosen.only in (None, kind(f))]
    folders = chosen_of(wanted, chosen.sample)
    with tempfile.TemporaryDirectory() as scratch:
        copies = {Path(scratch) / f"{i:04d}_{f.parent.name}_{f.name}": f for i, f in enumerate(folders)}
        made = [out for out, folder in copies.items() if make(folder, out, chosen.add)]
        outcomes = anyio.run(run_all, made, chosen.jobs, lambda f: evaluate(f, chosen.python, chosen.seconds))
    if chosen.json:
        chosen.json.write_text(json.dumps([asdict(o) for o in outcomes], indent=1), encoding="utf-8")
    print(f"{len(made)} of {len(folders)} specimens have a seed\n\n{table(outcomes)}")


def kind(folder: Path) -> str:
    """Sound or sick, as its author says."""
    return "sound" if expected(folder) == "healthy" else "sick"


if __name__ == "__main__":
    main()
