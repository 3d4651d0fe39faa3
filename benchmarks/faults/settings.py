"""Sound specimens with one setting changed: does ``diagnose`` see what harms?

    python benchmarks/faults/settings.py tests/faults_heldout --python .venv-with-torch --jobs 2
    python benchmarks/faults/settings.py tests/faults/lr_too_low --only "learning rate" --json outcomes.json

Needs no author and no detector's opinion: a specimen that is sound, one number of its configuration, arguments or code
multiplied, and the harm measured. Both runs are recorded with the same seed; a change counts as harmful where the loss
on held-out samples (of training, where nothing is held out) gives back at least ``HARM`` of what the sound run had won
over its start, or is not finite. Changes that harm nothing are not counted: most do not. Settings that change what the
loss means (its weights, its smoothing) are left out, for their losses cannot be compared.

Printed per setting: how many changes did harm, how many of those ``diagnose`` called faulty, how many with a cause
that this setting is known by in first place; then what was missed.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import anyio
from evaluate import Outcome, cases, evaluate
from record import traced

from lossdoctor.errors import LossDoctorError
from lossdoctor.model import Trace
from lossdoctor.traces.measure import head, objective, tail
from lossdoctor.traces.validation import validation_losses

HARM = 0.3  # of what the sound run has won: beyond what another seed does
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


@dataclass(frozen=True)
class Changed:
    """One specimen with one number changed."""

    case: str
    setting: str
    place: str
    was: float
    now: float
    harm: float
    outcome: Outcome | None = None

    @property
    def told(self) -> bool:
        return self.outcome is not None and self.outcome.verdict == "faulty"

    @property
    def named(self) -> bool:
        known = next(s for s in SETTINGS if s.name == self.setting).faults
        return (
            self.told
            and self.outcome is not None
            and self.outcome.found[:1]
            and self.outcome.found[0] in known
        )


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


def changed(folder: Path, setting: Setting, factor: float, out: Path) -> tuple[str, float, float] | None:
    """Copy the specimen to ``out`` with the first number of this kind multiplied; its place, old and new value."""
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
    return f"{path.name}: {match.group(0)[:60]}", was, now


def level(trace: Trace) -> float:
    """The loss that counts at the end of a run: on held-out samples, else of training."""
    held = validation_losses(trace)
    end = held[-1][1] if held else tail(objective(trace))
    return math.nan if end is None else end


def harm(sound: Trace, other: Trace) -> float:
    """Share of what the sound run won over its start that the other run gives back; 1 where it is not finite, 0 where
    it never trained (a width that no longer fits the code).
    """
    start, good, bad = head(objective(sound)), level(sound), level(other)
    if start is None or not math.isfinite(good) or not start > good or not other.steps:
        return 0.0
    return (bad - good) / (start - good) if math.isfinite(bad) else 1.0


async def sweep(folders: list[Path], chosen: argparse.Namespace) -> list[Changed]:
    """Every setting of every sound specimen, ``chosen.jobs`` at a time; prints each harmful one as it ends."""
    outcomes: list[Changed] = []
    limiter = anyio.CapacityLimiter(chosen.jobs)
    wanted = [s for s in SETTINGS if not chosen.only or s.name in chosen.only]

    async def one(folder: Path, setting: Setting, factor: float, sound: Trace, scratch: Path) -> None:
        out = scratch / f"{folder.name}_{setting.name.replace(' ', '-')}_{factor:.3g}"
        done = changed(folder, setting, factor, out)
        if done is None:
            return
        async with limiter:
            try:
                lost = harm(sound, await traced(out, chosen.python, chosen.seconds))
            except LossDoctorError:  # nothing was recorded: nothing is known of its harm
                lost = 0.0
            change = Changed(str(folder), setting.name, *done, harm=round(lost, 2))
            if lost >= HARM:
                change = replace(change, outcome=await evaluate(out, chosen.python, chosen.seconds))
                print(described(change), flush=True)
            outcomes.append(change)

    async def specimen(folder: Path, scratch: Path) -> None:
        try:
            async with limiter:
                sound = await traced(folder, chosen.python, chosen.seconds)
        except LossDoctorError as error:
            print(f"{folder}: not recorded: {error}", flush=True)
            return
        async with anyio.create_task_group() as group:
            for setting in wanted:
                for factor in setting.factors:
                    group.start_soon(one, folder, setting, factor, sound, scratch)

    with tempfile.TemporaryDirectory() as scratch:
        async with anyio.create_task_group() as group:
            for folder in folders:
                group.start_soon(specimen, folder, Path(scratch))
    return outcomes


def described(change: Changed) -> str:
    assert change.outcome is not None
    mark = "ok  " if change.named else "told" if change.told else "MISS"
    said = ", ".join(change.outcome.found) or change.outcome.error or change.outcome.verdict
    what = f"{change.setting} {change.was:g} -> {change.now:g} ({change.place})"
    return f"{mark} {change.case}: {what}, harm {change.harm:.2f}: {said[:110]} ({change.outcome.seconds} s)"


def table(outcomes: list[Changed]) -> str:
    """Counts per setting as a Markdown table."""
    rows = ["| setting | changed | did harm | called faulty | cause first |", "|---|---|---|---|---|"]
    for setting in SETTINGS:
        mine = [o for o in outcomes if o.setting == setting.name]
        harmful = [o for o in mine if o.outcome is not None]
        counts = (len(mine), len(harmful), sum(o.told for o in harmful), sum(o.named for o in harmful))
        rows.append(f"| {setting.name} | {' | '.join(map(str, counts))} |")
    return "\n".join(rows)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--only", nargs="*", help="names of settings")
    parser.add_argument("--python", help="interpreter with torch (default: found as the tool finds it)")
    parser.add_argument("--seconds", type=float, default=60, help="budget of each recording and diagnosis")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--json", type=Path, help="write all outcomes to this file")
    chosen = parser.parse_args()
    sound = [
        f.resolve()
        for f in cases(chosen.folders)
        if json.loads((f / "case.json").read_text(encoding="utf-8"))["expect"] == "healthy"
    ]
    outcomes = anyio.run(sweep, sound, chosen)
    if chosen.json:
        chosen.json.write_text(json.dumps([asdict(o) for o in outcomes], indent=1), encoding="utf-8")
    print(table(outcomes))


if __name__ == "__main__":
    main()
