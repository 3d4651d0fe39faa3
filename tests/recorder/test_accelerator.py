"""On a GPU the recorder sees what it sees on a CPU: samples, labels, accuracies, gradients left over. Needs a GPU."""

from __future__ import annotations

import pytest
from tests.recorder.harness import Record, Recorded

SCRIPT = """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
device = "{device}"
torch.manual_seed(0)
x = torch.randn(400, 3)
y = (x[:, 0] > 0).long()
order = torch.randperm(400)
train, held = (TensorDataset(x[part], y[part]) for part in (order[:300], order[300:]))
net = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 2)).to(device)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(2):
    net.train()
    for number, (a, b) in enumerate(DataLoader(train, 20, shuffle=True)):
        if number % 5 == 0:
            opt.zero_grad()
        nn.functional.cross_entropy(net(a.to(device)), b.to(device)).backward()
        opt.step()
    net.eval()
    with torch.no_grad():
        right = sum(int((net(a.to(device)).argmax(1) == b.to(device)).sum()) for a, b in DataLoader(held, 50))
    print("accuracy", right / 100)
"""


@pytest.fixture
def both(record: Record) -> tuple[Recorded, Recorded]:
    """The same script on the CPU and on the GPU."""
    if record("import torch\nassert torch.cuda.is_available()").status != 0:
        pytest.skip("no GPU is visible")
    return record(SCRIPT.format(device="cpu"), max_steps=99), record(
        SCRIPT.format(device="cuda"), max_steps=99
    )


def test_the_same_samples_and_labels_are_seen(both: tuple[Recorded, Recorded]) -> None:
    cpu, gpu = (
        {(h, y, r["grad"]) for r in run.of("ids") for h, y in zip(r["h"], r["y"], strict=True)}
        for run in both
    )
    assert cpu == gpu
    assert len(cpu) == 400
    assert len(both[0].of("sample")) == len(both[1].of("sample")) > 0


def test_labels_as_they_were_loaded_tell_the_accuracy(both: tuple[Recorded, Recorded]) -> None:
    for run in both:
        assert [(len(r["acc"]), r["n"]) for r in run.of("eval")] == [(2, [50, 50])] * 2
        assert run.of("trouble") == ()


def test_gradients_left_over_are_noticed_at_every_step(both: tuple[Recorded, Recorded]) -> None:
    cpu, gpu = ([s.stale for s in run.trace.steps] for run in both)
    assert cpu == gpu
    assert any(cpu)


def test_data_in_memory_are_found_row_by_row(both: tuple[Recorded, Recorded]) -> None:
    cpu, gpu = both
    assert [r["n"] for r in cpu.of("pairing")] == [r["n"] for r in gpu.of("pairing")] == [400]
