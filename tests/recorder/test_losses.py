"""The loss that a script trains on, in its own units, however it gets to backward."""

from __future__ import annotations

import math

import pytest
from tests.recorder.harness import Record, one

from lossdoctor.traces.measure import label_prior

HEAD = """
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(0)
"""


def test_every_step_has_the_loss_that_the_script_saw(record: Record) -> None:
    run = record(
        HEAD
        + """
net = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Linear(64, 5))
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
for i in range(100):
    x, y = torch.randn(16, 20), torch.randint(0, 5, (16,))
    opt.zero_grad()
    loss = F.cross_entropy(net(x), y)
    loss.backward()
    opt.step()
    print(f"step {i} loss {loss.item():.9e}")
"""
    )
    printed = [float(line.split()[-1]) for line in run.stdout.splitlines()]
    assert run.stop == "max_steps"
    assert [step.i for step in run.trace.steps] == list(range(1, 9))
    # the last step is stopped inside opt.step(), before its line is printed
    assert [step.losses[0] for step in run.trace.steps][:7] == pytest.approx(printed, rel=1e-8)
    assert {step.lr for step in run.trace.steps} == {(1e-3,)}
    assert {step.sequence for step in run.trace.steps} == {"ZFBS"}
    assert [p.name for p in run.trace.parameters] == ["0.weight", "0.bias", "2.weight", "2.bias"]
    assert all(set(step.grads) == {0, 1, 2, 3} for step in run.trace.steps)


def test_calls_beyond_those_that_a_step_notes_are_counted_and_its_end_is_still_seen(record: Record) -> None:
    run = record(
        """
import torch
from torch import nn
net = nn.Linear(3, 3)
opt = torch.optim.SGD(net.parameters(), lr=1e-3)
for i in range(4):
    opt.zero_grad()
    x = torch.randn(4, 3)
    for _ in range(60):
        x = net(x)
    x.pow(2).mean().backward()
    opt.step()
"""
    )
    assert [(step.calls, step.sequence) for step in run.trace.steps] == [(60, "Z" + "F" * 47 + "BS")] * 4


def test_a_scaled_loss_is_recorded_unscaled_and_withheld_steps_are_skip_rows(record: Record) -> None:
    run = record(
        HEAD
        + """
net = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Linear(64, 5))
opt = torch.optim.AdamW(net.parameters())
scaler = torch.amp.GradScaler("cpu", init_scale=2.0 ** 20)
for i in range(50):
    opt.zero_grad()
    x = torch.randn(16, 20) * (1e4 if i < 2 else 1)
    with torch.autocast("cpu", dtype=torch.float16):
        loss = F.cross_entropy(net(x), torch.randint(0, 5, (16,)))
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
"""
    )
    skips = run.of("skip")
    assert [s["scale"] for s in skips] == [2.0 ** (20 - n) for n in range(len(skips))]
    assert len(skips) >= 2
    assert all(len(s["loss"]) == 1 for s in skips)
    assert len(run.trace.steps) == 8
    assert all(0.5 < step.losses[0] < 5 for step in run.trace.steps)
    assert all(0 < step.grad_norm < 100 for step in run.trace.steps), "gradients are recorded unscaled"
    assert {step.scale for step in run.trace.steps} <= {s["scale"] / 2 for s in skips}


def test_accumulation_keeps_every_micro_loss(record: Record) -> None:
    run = record(
        HEAD
        + """
net = nn.Linear(20, 5)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(200):
    loss = F.cross_entropy(net(torch.randn(16, 20)), torch.randint(0, 5, (16,))) / 4
    loss.backward()
    if (i + 1) % 4 == 0:
        opt.step()
        opt.zero_grad()
"""
    )
    assert {step.backwards for step in run.trace.steps} == {4}
    assert {len(step.losses) for step in run.trace.steps} == {4}
    assert not any(step.stale for step in run.trace.steps)
    first = run.trace.steps[0]
    assert first.loss_values == pytest.approx([4 * v for v in first.losses], rel=1e-6)


def test_a_closure_is_recorded_with_all_its_evaluations(record: Record) -> None:
    run = record(
        HEAD
        + """
net = nn.Linear(5, 1)
opt = torch.optim.LBFGS(net.parameters(), lr=0.5, max_iter=4)
x, y = torch.randn(64, 5), torch.randn(64, 1)
for i in range(50):
    def closure():
        opt.zero_grad()
        loss = F.mse_loss(net(x), y)
        loss.backward()
        return loss
    opt.step(closure)
"""
    )
    assert len(run.trace.steps) == 8
    assert all(1 <= step.backwards <= 5 for step in run.trace.steps)
    assert run.trace.steps[0].backwards > 1
    assert not any(step.stale for step in run.trace.steps)
    assert run.trace.optimizers[0].cls == "LBFGS"


def test_a_loss_that_is_not_finite_is_written_as_it_is(record: Record) -> None:
    run = record(
        HEAD
        + """
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(5):
    opt.zero_grad()
    loss = net(torch.randn(4, 4)).mean() / (0.0 if i == 2 else 1.0)
    loss.backward()
    opt.step()
"""
    )
    assert not math.isfinite(run.trace.steps[2].losses[0])
    assert math.isnan(run.trace.steps[3].losses[0])
    assert run.stop == "script_end"


def test_each_loss_call_is_described_with_scores_and_targets(record: Record) -> None:
    run = record(
        HEAD
        + """
net = nn.Sequential(nn.Linear(20, 5), nn.Softmax(1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
crit = nn.CrossEntropyLoss()
for i in range(2):
    opt.zero_grad()
    crit(net(torch.randn(16, 20)), torch.arange(16) % 5).backward()
    opt.step()
"""
    )
    row = one(run, "loss", i=1)
    assert row["fn"] == "cross_entropy"
    assert row["in"]["shape"] == [16, 5]
    assert row["target"]["hist"] == {"0": 4, "1": 3, "2": 3, "3": 3, "4": 3}
    assert row["maker"][0] == "Softmax"
    assert row["rows"]["sum"] < 1e-5, "the scores are probabilities"
    assert run.trace.steps[0].accuracy is not None


def test_weights_per_class_are_kept_as_they_were_given(record: Record) -> None:
    run = record(
        HEAD
        + """
net = nn.Linear(20, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(3):
    opt.zero_grad()
    weight = torch.tensor([1.0, 2.0, 0.5])
    F.cross_entropy(net(torch.randn(16, 20)), torch.randint(0, 3, (16,)), weight=weight).backward()
    opt.step()
"""
    )
    assert {tuple(r["weights"]) for r in run.of("loss")} == {(1.0, 2.0, 0.5)}


def test_a_part_that_is_called_for_a_penalty_is_not_the_model(record: Record) -> None:
    run = record(
        HEAD
        + """
class Factors(nn.Module):
    def __init__(self):
        super().__init__()
        self.user, self.item = nn.Embedding(50, 4), nn.Embedding(40, 4)
    def forward(self, u, i):
        return (self.user(u) * self.item(i)).sum(1)
net = Factors()
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
u, i, r = torch.randint(0, 50, (64,)), torch.randint(0, 40, (64,)), torch.rand(64) * 5
for k in range(4):
    loss = (net(u, i) - r).pow(2).mean() + 0.1 * net.user(u).pow(2).sum(1).mean()
    opt.zero_grad(); loss.backward(); opt.step()
"""
    )
    assert {step.sequence for step in run.trace.steps} == {"FZBS"}
    assert len(run.of("sample")[0]["x"][0]) == 2
    assert {row["fn"] for row in run.of("loss")} == {"mse_loss"}


MASKED = """
import torch
from torch import nn
torch.manual_seed(0)
net = nn.Linear(3, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.eye(3).repeat(8, 1), torch.full((24,), FILL)
y[::3] = 0  # a third of the answers is asked for, all of one class
for i in range(3):
    opt.zero_grad()
    scores = net(x) + torch.tensor([9.0, 0.0, 0.0])
    nn.functional.cross_entropy(scores, y, ignore_index=FILL).backward()
    opt.step()
    with torch.no_grad():
        nn.functional.cross_entropy(net(x) + torch.tensor([9.0, 0.0, 0.0]), y, ignore_index=FILL)
"""


@pytest.mark.parametrize("fill", [-100, 2])
def test_answers_that_the_loss_ignores_count_for_no_accuracy_and_no_chance_level(
    record: Record, fill: int
) -> None:
    run = record(MASKED.replace("FILL", str(fill)))
    assert run.trace.steps[0].accuracy == 1.0
    row = run.of("eval")[0]
    assert (row["acc"], row["n"]) == ([1.0], [8])
    assert label_prior(run.trace) == {0: 1.0}


@pytest.mark.parametrize(
    ("targets", "most"), [("torch.eye(3)[torch.arange(16) % 3]", 1.0), ("torch.ones(16, 3)", 3.0)]
)
def test_the_largest_row_of_targets_is_noted(record: Record, targets: str, most: float) -> None:
    script = "F.cross_entropy(net(torch.randn(16, 20)), TARGETS).backward(); opt.step(); opt.zero_grad()\n"
    run = record(HEAD + "net = nn.Linear(20, 3)\nopt = torch.optim.SGD(net.parameters(), lr=0.1)\n"
                 + 3 * script.replace("TARGETS", targets))  # fmt: skip
    assert {row["target_rows"] for row in run.of("loss")} == {most}


def test_inputs_and_targets_of_withheld_steps_are_not_mixed_with_those_of_the_next(record: Record) -> None:
    run = record("""
    import torch
    from torch import nn
    torch.manual_seed(0)
    net = nn.Linear(3, 1)
    opt = torch.optim.SGD(net.parameters(), lr=1e-6)
    scaler = torch.amp.GradScaler("cpu", init_scale=2.0 ** 127, backoff_factor=2.0 ** -30)
    for i in range(9):
        x = torch.full((8, 3), float(i))
        opt.zero_grad()
        loss = nn.functional.mse_loss(net(x), torch.full((8, 1), float(i)))
        scaler.scale(loss * (1e20 if i < 4 else 1.0)).backward()
        scaler.step(opt)
        scaler.update()
    """)
    assert len(run.of("skip")) >= 2
    kept = [row for row in run.of("sample") if row["grad"]]
    assert kept
    for row in kept:
        assert [x[0] for x in row["x"]] == [y[0] for y in row["y"]]
    assert len(run.of("loss")) <= len(run.trace.steps)
