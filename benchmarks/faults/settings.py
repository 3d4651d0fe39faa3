"""Sound specimens with one setting changed: does ``diagnose`` see what harms?

    python benchmarks/faults/settings.py tests/faults_heldout --python .venv-with-torch --jobs 2
    python benchmarks/faults/settings.py tests/faults/lr_too_low --only "learning rate" --json outcomes.json

Needs no author and no detector's opinion: a specimen that is sound, one number of its configuration, arguments or code
multiplied, and the harm measured (changed.py). Settings that change what the loss means (its weights, its smoothing)
are left out, for their losses cannot be compared.

Printed: each harmful change as it ends, told or missed; then per setting how many changes did harm, how many of those
``diagnose`` called faulty, how many with a cause that this setting is known by in first place.
"""

from __future__ import annotations

import json
import math
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from changed import Change, run

CONFIGS = (".json", ".toml", ".yaml", ".yml", ".ini", ".cfg")
NUMBER = r"(\d+(?:\.\d*)?(?:e-?\d+)?)"


@dataclass(frozen=True)
class Setting:
    """One kind of number: the names it goes by, what it is multiplied by, and what an expert would call the result."""

    name: str
    keys: str
    factors: tuple[float, ...]
    faults: frozenset[str]
    whole: bool = False
    least: float = 0.0
    most: float = math.inf


SETTINGS = (
    Setting("learning rate", r"lr|learning_rate|max_lr|base_lr|peak_lr|lr_max|rate|step_size", (25.0, 1 / 60),
            frozenset({"lr_too_high", "lr_too_low", "exploding_gradient", "insufficient_training", "nan_from_op",
                       "lr_schedule_misuse", "warmup_missing", "wrong_optimizer_hyperparameter"})),
    Setting("momentum", r"momentum|beta1|beta_1", (1.097,),
            frozenset({"wrong_optimizer_hyperparameter", "lr_too_high"}), most=0.995),
    Setting("weight decay", r"weight_decay|wd|decay|l2", (100.0,),
            frozenset({"over_regularization", "wrong_optimizer_hyperparameter"})),
    Setting("batch size", r"batch_size|batch|bs|batch_rows|rows_per_batch", (16.0,),
            frozenset({"batch_size_too_large", "batch_size_too_small", "insufficient_training", "lr_too_low",
                       "lr_too_high", "batchnorm_small_batch"}), whole=True),
    Setting("dropout", r"dropout|drop|p_drop|drop_rate", (6.0,), frozenset({"over_regularization"}), most=0.92),
    Setting("length", r"epochs|n_epochs|num_epochs|steps|n_steps|iters|iterations|rounds", (1 / 10,),
            frozenset({"insufficient_training", "lr_too_low"}), whole=True),
    Setting("clipping", r"clip|max_norm|clip_norm|grad_clip|clip_grad", (1e-3,),
            frozenset({"grad_clip_too_tight", "lr_too_low"})),
    Setting("width", r"hidden|width|dim|d_model|channels|units|hidden_size", (1 / 16,),
            frozenset({"underfitting_capacity"}), whole=True, least=16),
    Setting("schedule", r"gamma|lr_decay|decay_rate", (0.4,), frozenset({"lr_schedule_misuse", "lr_too_low"})),
    Setting("warm-up", r"warmup|warmup_steps|warm_steps|warmup_iters", (60.0,),
            frozenset({"lr_schedule_misuse", "lr_too_low", "insufficient_training"}), whole=True),
)  # fmt: skip


def places(folder: Path, setting: Setting) -> Iterator[tuple[Path, re.Match[str]]]:
    """Where a number of this name stands: arguments and configurations first, then code."""
    keys, spelled = setting.keys, setting.keys.replace("_", "[-_]")
    assigned = rf"""(?:["']|\b)(?:--)?(?:{keys})["']?\s*(?::\s*(?:float|int)\s*)?[:=]\s*"""
    default = rf"""["']--(?:{spelled})["'][^\n]*?default=\s*"""
    argument = rf"""["']--(?:{spelled})["'],\s*["']"""
    pattern = re.compile(rf"(?:{argument}|{default}|{assigned}){NUMBER}", re.IGNORECASE)
    files = [p for p in folder.rglob("*") if p.is_file() and (p.suffix in (*CONFIGS, ".py"))]
    for path in sorted(files, key=lambda p: (p.name != "case.json", p.suffix == ".py", str(p))):
        text = path.read_text(encoding="utf-8", errors="ignore")
        text = json.dumps(json.loads(text).get("args", [])) if path.name == "case.json" else text
        yield from (
            (path, found) for found in pattern.finditer(text) if float(found.group(1)) > setting.least
        )


def change(setting: Setting, factor: float, folder: Path, out: Path) -> str | None:
    """Copy the specimen to ``out`` with the first number of this kind multiplied; what was changed."""
    found = next(places(folder, setting), None)
    if found is None:
        return None
    path, match = found
    was = float(match.group(1))
    now = min(was * factor, setting.most)
    now = max(1, round(now)) if setting.whole else now
    if now == was:
        return None
    shutil.copytree(folder, out)
    target = out / path.relative_to(folder)
    text = path.read_text(encoding="utf-8")
    case = json.loads(text) if path.name == "case.json" else None
    text = json.dumps(case.get("args", [])) if case else text
    text = f"{text[: match.start(1)]}{now:.6g}{text[match.end(1) :]}"
    target.write_text(json.dumps({**case, "args": json.loads(text)}) if case else text, encoding="utf-8")
    return f"{was:g} -> {now:g} ({path.name}: {match.group(0)[:60]})"


CHANGES = [
    Change(setting.name, partial(change, setting, factor), setting.faults)
    for setting in SETTINGS
    for factor in setting.factors
]

if __name__ == "__main__":
    run(__doc__, CHANGES)
