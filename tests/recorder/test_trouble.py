"""A mistake of the recorder's own is noted in the trace and never reaches the script."""

from __future__ import annotations

import pytest
from tests.recorder.harness import Record

SCRIPT = """
import sys, torch
from torch import nn
def broken(*args, **kwargs):
    raise ValueError("ours")
part = sys.modules["_lossdoctor_recorder.{module}"]
setattr(part, "{name}", broken)
net = nn.Linear(4, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(4):
    opt.zero_grad()
    nn.functional.cross_entropy(net(torch.randn(8, 4)), torch.arange(8) % 2).backward()
    opt.step()
print("done")
"""


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("objectives", "describe"),
        ("gradients", "graph_row"),
        ("optimizers", "norms"),
        ("forwards", "describe_tree"),
    ],
)
def test_a_mistake_in_a_hook_is_noted_and_the_script_goes_on(record: Record, module: str, name: str) -> None:
    run = record(SCRIPT.format(module=module, name=name))
    assert (run.stop, run.status, run.stdout) == ("script_end", 0, "done\n")
    assert "ours" in run.of("trouble")[0]["text"]


def test_the_step_limit_holds_although_every_step_fails_to_be_recorded(record: Record) -> None:
    run = record(
        SCRIPT.format(module="optimizers", name="norms").replace("range(4)", "range(10**9)"), max_steps=5
    )
    assert run.stop == "max_steps"
