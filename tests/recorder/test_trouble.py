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


def test_what_cannot_be_measured_does_not_cost_the_rest_of_the_step(record: Record) -> None:
    run = record(SCRIPT.format(module="samples", name="identities"))
    assert "ours" in run.of("trouble")[0]["text"]
    assert [len(s.losses) for s in run.trace.steps] == [1] * 4
    assert all(s.time["total"] > 0 for s in run.trace.steps)


def test_a_mistake_in_a_look_at_two_inputs_leaves_the_call_whole(record: Record) -> None:
    run = record(SCRIPT.format(module="couples", name="_describes"))
    assert "ours" in run.of("trouble")[0]["text"]
    assert [len(row["h"]) for row in run.of("ids")] == [8] * 4
    assert {s.sequence for s in run.trace.steps} == {"ZFBS"}


def test_a_sparse_input_stands_back_for_a_dense_one(record: Record) -> None:
    run = record(
        """
        import torch
        from torch import nn
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.out = nn.Linear(3, 2)
            def forward(self, a, x):
                return torch.sparse.mm(a, self.out(x))
        net, a, x = Net(), torch.eye(8).to_sparse(), torch.randn(8, 3)
        opt = torch.optim.SGD(net.parameters(), lr=0.1)
        for i in range(3):
            loss = nn.functional.cross_entropy(net(a, x), torch.arange(8) % 2)
            opt.zero_grad(); loss.backward(); opt.step()
        """
    )
    assert not run.of("trouble")
    assert [row["shape"] for row in run.of("sample")] == [[3]] * 3


def test_the_step_limit_holds_although_every_step_fails_to_be_recorded(record: Record) -> None:
    run = record(
        SCRIPT.format(module="optimizers", name="norms").replace("range(4)", "range(10**9)"), max_steps=5
    )
    assert run.stop == "max_steps"


def test_scripted_modules_and_functions_compile_as_without_the_recorder(record: Record) -> None:
    run = record(
        """
        import torch, warnings
        warnings.simplefilter("ignore")
        from torch import nn
        import torch.nn.functional as F
        @torch.jit.script
        def gate(x: torch.Tensor) -> torch.Tensor:
            return F.relu(x) * torch.sigmoid(x)
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.a, self.b = nn.Linear(4, 8), nn.Linear(8, 1)
            def forward(self, x):
                return self.b(F.dropout(gate(self.a(x)), 0.1, self.training))
        net = torch.jit.script(Net())
        opt = torch.optim.SGD(net.parameters(), lr=0.1)
        for i in range(5):
            loss = F.mse_loss(net(torch.randn(8, 4)), torch.zeros(8, 1))
            opt.zero_grad(); loss.backward(); opt.step()
        print("done")
        """
    )
    assert run.stdout == "done\n", run.stderr
    assert len(run.trace.steps) == 5
    assert {row["fn"] for row in run.of("loss")} == {"mse_loss"}, "our wrappers are back"
