"""Derivatives by inputs inside a loss: noted where they keep no graph, and given one by the intervention."""

from __future__ import annotations

import pytest
from tests.recorder.harness import Record

SCRIPT = """
import torch
from torch import nn
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 1))
opt = torch.optim.Adam(net.parameters(), lr=0.01)
for i in range(8):
    t = torch.linspace(0, 1, 20).unsqueeze(1).requires_grad_()
    u = net(t)
    (du,) = torch.autograd.grad(u.sum(), INPUTS, GRAPH)
    opt.zero_grad()
    (du - 2).pow(2).mean().add(u[0].pow(2).sum()).backward()
    opt.step()
"""


@pytest.mark.parametrize(
    ("inputs", "graph", "noted"),
    [
        ("t", "retain_graph=True", 5),
        ("t", "None, True, False", 5),
        ("t", "create_graph=True", 0),
        ("t", "None, True, True", 0),
    ],
)
def test_a_derivative_by_inputs_without_a_graph_is_noted_in_the_first_steps(
    record: Record, inputs: str, graph: str, noted: int
) -> None:
    run = record(SCRIPT.replace("INPUTS", inputs).replace("GRAPH", graph))
    rows = run.of("derivative")
    assert [r["i"] for r in rows] == list(range(1, noted + 1))
    assert all("autograd.grad" in s.code for s in run.trace.sites if s.what == "derivative")


def test_a_generator_of_parameters_reaches_torch_unused(record: Record) -> None:
    meta = SCRIPT.replace(
        "(du,) = torch.autograd.grad(u.sum(), INPUTS, GRAPH)",
        "du = torch.autograd.grad(u.sum(), net.parameters(), retain_graph=True)[0]",
    )
    for change in ([], [{"name": "keep_derivative_graph"}]):
        run = record(meta, interventions=change)
        assert run.trace.error is None
        assert len(run.losses) == 8


def test_gradients_by_parameters_are_no_derivatives_of_a_loss(record: Record) -> None:
    meta = SCRIPT.replace(
        "(du,) = torch.autograd.grad(u.sum(), INPUTS, GRAPH)", "du = torch.zeros(1)"
    ).replace(
        "    opt.zero_grad()\n",
        "    torch.autograd.grad(u.sum(), list(net.parameters()), retain_graph=True)\n    opt.zero_grad()\n",
    )
    assert record(meta).of("derivative") == ()


def test_with_a_graph_the_loss_is_trained_through_its_derivative(record: Record) -> None:
    cut, kept = (
        SCRIPT.replace("INPUTS", "t").replace("GRAPH", g) for g in ("None, True", "None, True, True")
    )
    change = [{"name": "keep_derivative_graph"}]
    assert record(cut, interventions=change).losses == record(kept).losses
    assert record(cut).losses != record(kept).losses
    assert record(kept, interventions=change).losses == record(kept).losses
