"""Measures that stand beside the ordinary ones: evaluation sums as means, rows of a layer, what a schedule watches."""

from __future__ import annotations

import pytest
from tests.recorder.harness import Record

PIXELS = """
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(0)
X, y = torch.randn(8, 3, 4, 4), torch.randint(0, 5, (8, 4, 4))
net = nn.Conv2d(3, 5, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(3):
    opt.zero_grad()
    F.cross_entropy(net(X), y, reduction="{training}").backward()
    opt.step()
    net.eval()
    with torch.no_grad():
        print(F.cross_entropy(net(X), y, reduction="sum").item())
    net.train()
"""


@pytest.mark.parametrize(("training", "answers"), [("mean", 8 * 4 * 4), ("sum", 8)])
def test_the_sum_of_an_evaluation_is_averaged_as_training_averages(
    record: Record, training: str, answers: int
) -> None:
    run = record(PIXELS.format(training=training), max_steps=None)
    sums = [float(line) for line in run.stdout.splitlines()]
    losses = [row["loss"][0] for row in run.of("eval")]
    assert len(losses) == 3
    assert losses == pytest.approx([total / answers for total in sums], rel=1e-5)


def test_another_loss_function_than_that_of_training_is_averaged_over_samples(record: Record) -> None:
    source = PIXELS.format(training="mean").replace(
        'print(F.cross_entropy(net(X), y, reduction="sum").item())',
        'print(F.nll_loss(net(X).log_softmax(1), y, reduction="sum").item())',
    )
    run = record(source, max_steps=None)
    sums = [float(line) for line in run.stdout.splitlines()]
    losses = [row["loss"][0] for row in run.of("eval")]
    assert losses == pytest.approx([total / 8 for total in sums], rel=1e-5)


NORMALISED = """
import torch
from torch import nn
torch.manual_seed(0)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.norm, self.head = nn.Linear(6, 8), nn.BatchNorm1d(8), nn.Linear(8, 1)
    def forward(self, x):
        parts = [torch.relu(self.norm(self.body(p))) for p in x.chunk({parts})]
        return self.head(torch.cat(parts))
net = Net()
{mode}
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(3):
    opt.zero_grad()
    net(torch.randn(32, 6)).square().mean().backward()
    opt.step()
"""


@pytest.mark.parametrize(("parts", "rows"), [(1, 32), (16, 2)])
def test_normalising_layers_say_how_many_samples_they_see_at_once(
    record: Record, parts: int, rows: int
) -> None:
    acts = record(NORMALISED.format(parts=parts, mode="")).of("act")
    assert {row["rows"] for row in acts if row["class"] == "BatchNorm1d"} == {rows}
    assert all("rows" not in row for row in acts if row["class"] != "BatchNorm1d")


def test_normalising_layers_in_eval_mode_take_no_statistics(record: Record) -> None:
    acts = record(NORMALISED.format(parts=16, mode="net.norm.eval()")).of("act")
    assert "BatchNorm1d" in {row["class"] for row in acts}
    assert all("rows" not in row for row in acts)


SCHEDULED = """
import torch
net = torch.nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
sched = torch.optim.lr_scheduler.{schedule}
for i in range(4):
    opt.zero_grad()
    net(torch.ones(2, 4)).mean().backward()
    opt.step()
    sched.step({metric})
"""


@pytest.mark.parametrize(("mode", "metric"), [("min", "0.5 + i"), ("max", "torch.tensor(0.5 + i)"),
                                              ("max", "metrics=0.5 + i")])  # fmt: skip
def test_the_number_that_a_schedule_watches_is_kept_with_its_direction(
    record: Record, mode: str, metric: str
) -> None:
    run = record(
        SCHEDULED.format(schedule=f"ReduceLROnPlateau(opt, mode={mode!r})", metric=metric), max_steps=None
    )
    assert [(r["i"], r["value"], r["mode"]) for r in run.of("plateau")] == [
        (i, i - 0.5, mode) for i in (1, 2, 3, 4)
    ]
    assert run.of("trouble") == ()


def test_schedules_that_watch_nothing_have_no_such_rows(record: Record) -> None:
    run = record(SCHEDULED.format(schedule="StepLR(opt, 2)", metric=""), max_steps=None)
    assert run.of("plateau") == ()
    assert run.of("trouble") == ()


CAST = """
import torch
from torch import nn
torch.manual_seed(0)
made = nn.Linear(6, 8)
torch.save(made.state_dict(), "weights.pt")
net = nn.Linear(6, 8)
net.load_state_dict(torch.load("weights.pt"))
net = net.to(torch.{dtype})
opt = torch.optim.SGD(net.parameters(), lr=0.1)
X = torch.randn(32, 6, dtype=torch.{dtype})
for i in range(3):
    opt.zero_grad()
    net(X).square().mean().backward()
    opt.step()
"""


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "float64"])
def test_weights_that_are_cast_after_the_load_are_still_those_of_the_checkpoint(
    record: Record, dtype: str
) -> None:
    (row,) = record(CAST.format(dtype=dtype)).of("restored")
    assert (row["same"], row["fits"], row["own"]) == (2, 2, 2)


ADVERSARIES = """
import copy, torch
from torch import nn
torch.manual_seed(0)
def net(a, b):
    return nn.Sequential(nn.Linear(a, 16), nn.ReLU(), nn.Linear(16, 16), nn.ReLU(), nn.Linear(16, b))
gen, critic = net(4, 2), net(2, 1)
average = copy.deepcopy(gen)
first, second = (torch.optim.SGD(m.parameters(), lr=0.05) for m in (gen, critic))
for i in range(6):
    loss = critic(gen(torch.randn(8, 4)).detach()).mean() - critic(torch.randn(8, 2)).mean()
    second.zero_grad(); loss.backward(); second.step()
    first.zero_grad(); (-critic(gen(torch.randn(8, 4))).mean()).backward(); first.step()
    critic(torch.randn(8, 2)).mean().backward()
    with torch.no_grad():
        for a, p in zip(average.parameters(), gen.parameters()):
            a.lerp_(p, 1.0)
        {evaluated}(torch.randn(8, 4))
"""


@pytest.mark.parametrize(("evaluated", "twin"), [("average", 0.0), ("gen", None)])
def test_an_average_is_held_against_the_model_that_it_averages(
    record: Record, evaluated: str, twin: float | None
) -> None:
    rows = record(ADVERSARIES.format(evaluated=evaluated), max_steps=None).of("eval")
    assert rows
    assert {row["twin"] for row in rows} == {twin}
    assert all(0 < row["moved"] < 0.5 for row in rows if row["moved"] is not None)


WRITTEN = """
import copy, torch
from torch import nn
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
slow = copy.deepcopy(net)
shadow = dict(slow.named_parameters())
opt = torch.optim.SGD(net.parameters(), lr=0.1)
keep = 0.9
for i in range(6):
    gate = keep * torch.ones(4) + (1 - keep) * torch.randn(8, 4)
    loss = nn.functional.cross_entropy(net(gate), torch.randint(0, 2, (8,)))
    opt.zero_grad(); loss.backward(); opt.step()
    with torch.no_grad():
        for name, p in net.named_parameters():
            {line}
        slow(torch.randn(8, 4))
"""


@pytest.mark.parametrize(
    "line",
    [
        "shadow[name].copy_(keep * shadow[name] + (1 - keep) * p)",
        "shadow[name].mul_(keep).add_(p, alpha=1.0 - keep)",
        "shadow[name].data = keep * shadow[name].data + (1 - keep) * p.data",
    ],
)
def test_the_line_of_an_average_is_found_by_its_form(record: Record, line: str) -> None:
    site = record(WRITTEN.format(line=line), max_steps=None).trace.site("average")
    assert site is not None
    assert site.line == WRITTEN.splitlines().index("            {line}")


RESTORED = """
import copy, torch
from torch import nn
torch.manual_seed(0)
net = nn.Linear(4, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
X, y = torch.randn(8, 4), torch.randint(0, 2, (8,))
kept = []
for i in range(4):
    loss = nn.functional.cross_entropy(net(X), y)
    opt.zero_grad(); loss.backward(); opt.step()
    with torch.no_grad():
        nn.functional.cross_entropy(net(X), y).item()
    kept.append(copy.deepcopy(net.state_dict()))
net.load_state_dict(kept[1])
"""


def test_weights_that_are_loaded_are_told_by_the_evaluation_that_they_had(record: Record) -> None:
    run = record(RESTORED, max_steps=None)
    states = [row["state"] for row in run.of("eval")]
    assert len(set(states)) == 4
    assert [row["state"] for row in run.of("load")] == [states[1]]


SPLITS = """
import torch
from torch import nn
torch.manual_seed(0)
X, y = torch.randn(3000, 4), torch.randint(0, 2, (3000,))
V, w = torch.randn(200, 4), torch.randint(0, 2, (200,))
net = nn.Linear(4, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
def accuracy(inputs, labels):
    with torch.no_grad():
        return (net(inputs).argmax(1) == labels).float().mean().item()
for epoch in range(2):
    for i in range(0, 3000, 300):
        opt.zero_grad()
        nn.functional.cross_entropy(net(X[i : i + 300]), y[i : i + 300]).backward()
        opt.step()
    print(accuracy(X, y), accuracy(V, w))
"""


def test_measuring_the_training_samples_first_leaves_room_for_the_held_out_ones(record: Record) -> None:
    run = record(SPLITS, max_steps=None)
    for kind in ("sample", "scored"):
        known = {row["known"] for row in run.of(kind) if not row["grad"]}
        assert known == {0.0, 1.0}, kind
    held_out = [row for row in run.of("sample") if not row["grad"] and row["known"] == 0.0]
    assert sum(len(row["x"]) for row in held_out) >= 200


BEGUN = """
import torch
from torch import nn
torch.manual_seed(0)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.last = nn.Linear(4, 8), nn.Linear(8, 2)
        nn.init.zeros_(self.first.bias)
        nn.init.normal_(tensor=self.last.weight)
    def forward(self, x):
        return self.last(self.first(x))
net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(2):
    opt.zero_grad()
    net(torch.randn(8, 4)).square().mean().backward()
    opt.step()
"""


def test_each_parameter_knows_the_line_that_gave_it_its_first_values(record: Record) -> None:
    trace = record(BEGUN).trace
    lines = {s.id: s.code for s in trace.sites}
    assert {p.name: lines.get(p.init or -1) for p in trace.parameters} == {
        "first.weight": None,
        "first.bias": "nn.init.zeros_(self.first.bias)",
        "last.weight": "nn.init.normal_(tensor=self.last.weight)",
        "last.bias": None,
    }


def test_the_samples_of_a_later_test_on_other_data_are_kept_beyond_the_limit(record: Record) -> None:
    run = record(
        """
        import torch
        from torch import nn
        torch.manual_seed(0)
        net = nn.Linear(6, 3)
        opt = torch.optim.SGD(net.parameters(), lr=0.1)
        x, held, final = torch.randn(64, 6), torch.randn(400, 6), torch.randn(100, 6) + 50
        def score(inputs):
            with torch.no_grad():
                return float(nn.functional.cross_entropy(net(inputs), torch.arange(len(inputs)) % 3))
        for _ in range(5):
            opt.zero_grad()
            nn.functional.cross_entropy(net(x), torch.arange(64) % 3).backward()
            opt.step()
            print(score(held))
        print(score(final))
        """
    )
    kept = [row for row in run.of("sample") if not row["grad"]]
    far = [len(row["x"]) for row in kept if row["x"][0][0] > 20]
    assert far == [100]
    assert sum(len(row["x"]) for row in kept) == 1024 + 100


def test_of_large_evaluations_samples_are_kept_from_one_end_to_the_other(record: Record) -> None:
    run = record(
        """
        import torch
        from torch import nn
        net = nn.Linear(6, 3)
        opt = torch.optim.SGD(net.parameters(), lr=0.1)
        x, held = torch.randn(64, 6), torch.randn(900, 6)
        for _ in range(3):
            opt.zero_grad()
            nn.functional.cross_entropy(net(x), torch.arange(64) % 3).backward()
            opt.step()
        with torch.no_grad():
            print(float(nn.functional.cross_entropy(net(held), torch.arange(900) // 300)))
        """
    )
    (kept,) = [row for row in run.of("sample") if not row["grad"]]
    assert len(kept["x"]) == len(kept["y"]) == len(kept["p"]) == 256
    assert [kept["y"].count(k) for k in range(3)] == [86, 85, 85]


def test_settings_that_a_loaded_state_brings_are_those_of_the_steps(record: Record) -> None:
    trace = record(
        """
import copy
import torch
net = torch.nn.Linear(4, 1)
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
plain = torch.optim.Adam(net.parameters(), lr=1e-2)
state = copy.deepcopy(opt.state_dict())
state["param_groups"][0].update(eps=1.0, lr=0.5)
opt.load_state_dict(state)
for _ in range(3):
    for optimizer in (opt, plain):
        optimizer.zero_grad()
        net(torch.randn(8, 4)).pow(2).mean().backward()
        optimizer.step()
"""
    ).trace
    told = [(o.groups[0]["eps"], o.groups[0]["lr"]) for o in trace.optimizers]
    assert told == [(1.0, 1e-2), (1e-8, 1e-2)], "the rate of every step stands with the step"


def test_an_optimizer_that_makes_its_state_at_once_has_none_before_its_first_step(record: Record) -> None:
    made = record("""
    import torch
    from torch import nn
    net = nn.Linear(4, 1)
    kept = torch.optim.Adagrad(net.parameters())
    for k in range(6):
        opt = kept if k < 3 else torch.optim.Adagrad(net.parameters())
        opt.zero_grad()
        net(torch.ones(2, 4)).square().mean().backward()
        opt.step()
    """)
    assert [s.state for s in made.trace.steps] == [(0, 2), (2, 2), (2, 2), (0, 2), (0, 2), (0, 2)]
