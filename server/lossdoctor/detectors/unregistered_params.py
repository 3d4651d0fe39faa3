"""# unregistered_params: sub-modules or tensors are not registered in the nn.Module

**What it is.** Layers sit in a plain list or dict, or weights are plain tensors instead of `nn.Parameter`, so
`model.parameters()` does not know them: the optimizer does not train them, and neither `state_dict()` nor `.to()`
reaches them.

**Signal.** Identity: a module with parameters that runs inside another one without being among its `modules()`, or a
leaf of the loss's graph that is kept in an attribute of a module without being a parameter; and no optimizer holds it.

**Why it matters.** Part of the network stays random while everything around it trains; a saved checkpoint lacks it.

**Remedy.** `nn.ModuleList`, `nn.ModuleDict`, `nn.Parameter` or `register_parameter`.

**When it stays silent.** What an optimizer holds all the same; hidden modules that get no gradient (a frozen teacher
or a perceptual loss kept in a list on purpose); tensors without `requires_grad`.

**Confirming intervention.** `add_parameters`: the unregistered parameters are given to the optimizer, same seed.

**References.** PyTorch documentation, `torch.nn.ModuleList`, `torch.nn.parameter.Parameter`.
"""

from __future__ import annotations

from typing import Any

from ..model import Evidence, Finding, Parameter, Trace
from ..traces.wiring import listed, with_gradient
from .base import Rule, at, found, site_by_id
from .optimizer_missing_params import missing_parameters

RULE = Rule(
    fault="unregistered_params",
    severity="critical",
    sheet="training-loop-architecture#what-the-module-registers",
    summary="Only nn.Module and nn.Parameter attributes, and ModuleList or ModuleDict, are registered.",
    remedy="Keep sub-modules in nn.ModuleList or nn.ModuleDict and weights in nn.Parameter.",
    structural=True,
    needs=("optimizer_steps",),
    interventions=({"name": "add_parameters"},),
    contraindications=("Training longer does not move what the optimizer never got.",),
)


def check(trace: Trace) -> Finding | None:
    return _hidden_modules(trace) or _hidden_tensors(trace)


def _hidden_modules(trace: Trace) -> Finding | None:
    fed = with_gradient(trace)
    classes = {row["module"] for row in trace.of("stray")}
    absent = [p for p in missing_parameters(trace) if p.id in fed and p.module in classes]
    rows = [row for row in trace.of("stray") if any(p.module == row["module"] for p in absent)]
    if not rows:
        return None
    row = rows[0]
    kept = f" kept in the attribute {row['name']!r}" if row.get("name") else ""
    return found(
        RULE,
        0.97,
        f"{len(rows)} modules ({row['module']}){kept} run inside {row['inside']} without being registered in it.",
        Evidence(quantity="unregistered modules with parameters", value=len(rows), threshold=0),
        Evidence(quantity="their parameters that get gradients but are in no optimizer", value=len(absent),
                 where=listed(absent)),
        where=at(site_by_id(trace, row["site"]), parameter=_largest(absent)),
    )  # fmt: skip


def _largest(parameters: list[Parameter]) -> str:
    return max(parameters, key=lambda p: p.numel).name


def _hidden_tensors(trace: Trace) -> Finding | None:
    """Leaves that the graphs of several losses reach: the same attribute in most of the walks."""
    walks = [row.get("strangers", []) for row in trace.of("graph")]
    seen: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in (r for walk in walks for r in walk):
        seen.setdefault((row["inside"], row["name"]), []).append(row)
    kept = {key: rows for key, rows in seen.items() if len(rows) > 1 and 2 * len(rows) >= len(walks)}
    if not kept:
        return None
    names = ", ".join(name for _, name in kept)
    (inside, name), rows = next(iter(kept.items()))
    return found(
        RULE,
        0.95,
        f"{inside} keeps trainable tensors ({names}) as plain attributes: no parameters() call returns them.",
        Evidence(quantity="plain tensors in the loss's graph that no optimizer holds", value=len(kept),
                 threshold=0, where=names),
        Evidence(quantity=f"shape of {name}", value=str(rows[0]["shape"])),
        where=at(site_by_id(trace, rows[0]["site"]), parameter=name),
    )  # fmt: skip
