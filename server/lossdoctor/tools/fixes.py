"""The fix: a sentence and, where the change is mechanical, a unified diff against the user's file."""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Callable
from pathlib import Path

from ..detectors.catalogue import rule
from ..model import Finding, Fix, Trace

Patch = Callable[[list[str], Finding, Trace], list[str] | None]
NUMBER = re.compile(r"(?<![\w.])\d+\.?\d*(?:[eE][-+]?\d+)?(?![\w.])")
SCALE = re.compile(r"scale_lr factor=([\d.e+-]+)")
STEP = re.compile(r"([\w.]+)\.step\(")


def fix(findings: tuple[Finding, ...], trace: Trace) -> Fix | None:
    """The fix of the first finding that counts; ``verified`` is True when a change that mends it confirmed it."""
    main = next((f for f in findings if f.status != "refuted" and f.severity != "info"), None)
    if main is None:
        return None
    mended = main.status == "confirmed" and rule(main.fault).cures
    return Fix(summary=main.remedy, patch=_patch(main, trace), verified=True if mended else None)


def _patch(finding: Finding, trace: Trace) -> str | None:
    change = PATCHES.get(finding.fault)
    path = finding.where.file
    if change is None or path is None or finding.where.line is None or not Path(path).is_file():
        return None
    lines = Path(path).read_text(encoding="utf-8", errors="replace").splitlines(keepends=True)
    if not 0 < finding.where.line <= len(lines):
        return None
    changed = change(list(lines), finding, trace)
    if changed is None or changed == lines:
        return None
    name = Path(path).name
    return "".join(difflib.unified_diff(lines, changed, f"a/{name}", f"b/{name}", n=2))


def _clear_gradients(lines: list[str], finding: Finding, trace: Trace) -> list[str] | None:
    """Insert ``<optimizer>.zero_grad()`` before the backward call."""
    step = trace.site("step")
    named = STEP.search(step.code) if step else None
    index = (finding.where.line or 0) - 1
    if named is None or "backward" not in lines[index]:
        return None
    indent = lines[index][: len(lines[index]) - len(lines[index].lstrip())]
    return [*lines[:index], f"{indent}{named[1]}.zero_grad()\n", *lines[index:]]


def _scale_rate(lines: list[str], finding: Finding, trace: Trace) -> list[str] | None:
    """Multiply the literal rate, on the optimizer's line or where its name is set, by the factor that was confirmed."""
    factor = SCALE.search(finding.proof or "")
    index = (finding.where.line or 0) - 1
    if factor is None or finding.status != "confirmed":
        return None
    rates = [float(g["lr"]) for o in trace.optimizers for g in o.groups if "lr" in g]
    found = [m for m in NUMBER.finditer(lines[index]) if any(math.isclose(float(m[0]), r) for r in rates)]
    if len(found) != 1:
        return None
    rate = float(f"{float(found[0][0]) * float(factor[1]):.3g}")
    lines[index] = lines[index][: found[0].start()] + f"{rate:g}" + lines[index][found[0].end() :]
    return lines


def _whole_model(lines: list[str], finding: Finding, trace: Trace) -> list[str] | None:
    """``model.part.parameters()`` -> ``model.parameters()`` when the missing parameter is outside the part."""
    index = (finding.where.line or 0) - 1
    found = re.search(r"\b(\w+)((?:\.\w+)+)\.parameters\(\)", lines[index])
    if found is None or found[1] == "self" or len(found[2].split(".")) != 2:
        return None
    lines[index] = lines[index][: found.start(2)] + lines[index][found.end(2) :]
    return lines


PATCHES: dict[str, Patch] = {
    "missing_zero_grad": _clear_gradients,
    "lr_too_high": _scale_rate,
    "lr_too_low": _scale_rate,
    "optimizer_missing_params": _whole_model,
}
