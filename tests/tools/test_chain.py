"""tools/chain.py: which suspects are tested in which order, and how long a changed run may be."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests.detectors.build import flat, make_trace

from lossdoctor.detectors.base import TENTATIVE, found
from lossdoctor.detectors.catalogue import rule
from lossdoctor.model import Finding
from lossdoctor.tools import chain
from lossdoctor.tools.confirm import Judgement
from lossdoctor.traces.trials import read_trials


def suspect(fault: str, confidence: float) -> Finding:
    return found(rule(fault), confidence, "why")


def case(*findings: Finding, stop: str = "script_end") -> Any:
    trace = make_trace(flat(), stop=stop)
    return SimpleNamespace(
        trace=trace, findings=findings, changes={}, left=lambda: 90.0, request=SimpleNamespace(args=()),
        recording=SimpleNamespace(seconds=3.0, project=Path("/nowhere")),
    )  # fmt: skip


async def confirmed_by(monkeypatch: pytest.MonkeyPatch, cure: str, *findings: Finding) -> list[str]:
    """The faults that are tested until the one with this cure is, which is confirmed; all others are refuted."""
    tested: list[str] = []

    async def tried(case: Any, finding: Finding, change: dict[str, Any]) -> Judgement:
        tested.append(finding.fault)
        status = "confirmed" if finding.fault == cure else "refuted"
        return Judgement(
            finding.model_copy(update={"status": status}), None, finding.confidence, change["name"]
        )

    monkeypatch.setattr(chain, "_try", tried)
    await chain._confirm(case(*findings))
    return tested


@pytest.mark.anyio
async def test_what_a_refuted_suspect_had_explained_is_tested_for_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    high, short = suspect("lr_too_high", 0.8), suspect("insufficient_training", TENTATIVE)
    tested = await confirmed_by(monkeypatch, "insufficient_training", high, short)
    assert tested == ["lr_too_high", "lr_too_high", "insufficient_training"]


@pytest.mark.anyio
async def test_what_a_confirmed_cause_explains_is_not_tested(monkeypatch: pytest.MonkeyPatch) -> None:
    high, short = suspect("lr_too_high", 0.8), suspect("insufficient_training", TENTATIVE)
    assert await confirmed_by(monkeypatch, "lr_too_high", high, short) == ["lr_too_high"]


@pytest.mark.anyio
@pytest.mark.parametrize(("stop", "more"), [("script_end", 1), ("max_steps", 0)])
async def test_a_changed_run_may_go_on_to_what_comes_after_the_last_step(stop: str, more: int) -> None:
    asked: dict[str, Any] = {}
    one = case(suspect("lr_too_high", 0.8), stop=stop)

    def experiment(seconds: float, **settings: Any) -> None:
        asked.update(settings)
        raise InterruptedError

    one.experiment = experiment
    with pytest.raises(InterruptedError):
        await chain._try(one, one.findings[0], {"name": "scale_lr", "factor": 0.1})
    assert asked["max_steps"] == one.trace.end["steps"] + more


@pytest.mark.anyio
async def test_what_an_experiment_came_to_is_kept_for_the_plots(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    one = case(suspect("lr_too_high", 0.8))
    one.folder, one.experiment = tmp_path, lambda seconds, **settings: settings

    async def run(experiment: Any, label: str) -> Any:
        return SimpleNamespace(folder=tmp_path / "gone")

    one.run = run
    monkeypatch.setattr(chain, "read_trace", lambda folder: make_trace([2.3, 1.0, 0.5]))
    judgement = await chain._try(one, one.findings[0], {"name": "scale_lr", "factor": 0.1})
    (kept,) = read_trials(tmp_path)
    assert (kept.fault, kept.change, kept.status) == (
        "lr_too_high",
        "scale_lr factor=0.1",
        judgement.finding.status,
    )
    assert [v for _, v in kept.losses] == [2.3, 1.0, 0.5]


NARROW = """
import json
import torch
from torch import nn
width = json.load(open("run.json"))["width"]
torch.manual_seed(0)
x = torch.rand(512, 1) * 6
y = torch.sin(3 * x)
net = nn.Sequential(nn.Linear(1, width), nn.Tanh(), nn.Linear(width, 1))
opt = torch.optim.Adam(net.parameters(), lr=0.02)
for epoch in range(400):
    loss = nn.functional.mse_loss(net(x[:384]), y[:384])
    opt.zero_grad()
    loss.backward()
    opt.step()
    if epoch % 50 == 49:
        net.eval()
        with torch.no_grad():
            print("val loss", nn.functional.mse_loss(net(x[384:]), y[384:]).item())
        net.train()
"""


@pytest.mark.anyio
async def test_a_setting_of_the_script_is_changed_in_a_copy_and_named(
    tmp_path: Path, user_python: str
) -> None:
    (tmp_path / "train.py").write_text(NARROW, encoding="utf-8")
    (tmp_path / "run.json").write_text('{"width": 2}\n', encoding="utf-8")

    async def silent(progress: float, total: float | None, message: str) -> None:
        return None

    request = chain.DiagnoseRequest(script=str(tmp_path / "train.py"), python=user_python, max_seconds=60)
    result = await chain.diagnose(request, silent)
    first = result.findings[0]
    assert (first.fault, first.status, first.where.parameter) == (
        "underfitting_capacity",
        "confirmed",
        "width",
    )
    assert "change_setting setting=width was=2 now=64" in (first.proof or "")
    assert (tmp_path / "run.json").read_text(encoding="utf-8") == '{"width": 2}\n'


def test_a_suspicion_that_nothing_could_test_was_not_checked() -> None:
    """Too narrow a layer of a model without targets, and no setting that would widen it."""
    doubted = case(suspect("underfitting_capacity", TENTATIVE), suspect("lr_too_low", TENTATIVE))
    doubted.unchecked = ()
    chain._sort_out(doubted)
    assert doubted.findings == ()
    assert [(n.fault, n.missing) for n in doubted.unchecked] == [("underfitting_capacity", chain.UNTESTED)]
