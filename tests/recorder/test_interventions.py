"""Each intervention changes the one thing that it names, and nothing else where that can be shown."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.recorder.harness import Change, Record, Recorded, one

HEAD = """
import torch
from torch import nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(7)
X, y = torch.randn(64, 20), torch.arange(64) % 5
data = TensorDataset(X, y)
"""
PLAIN = (
    HEAD
    + """
net = nn.Sequential(nn.Linear(20, 16), nn.ReLU(), nn.Dropout(0.25), nn.Linear(16, 5))
opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9, weight_decay=0.01)
sched = torch.optim.lr_scheduler.StepLR(opt, 2, gamma=0.5)
for epoch in range(9):
    for xb, yb in DataLoader(data, batch_size=16, shuffle=True):
        opt.zero_grad()
        loss = F.cross_entropy(net(xb), yb)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 0.5)
        opt.step()
        sched.step()
"""
)


def rates(run: Recorded) -> list[float]:
    return [step.lr[0] for step in run.trace.steps]


@pytest.fixture
def same(change: Change) -> Callable[..., None]:
    """Assert that an intervention leaves losses and gradients bit-identical."""

    def check(source: str, name: str, **parameters: Any) -> None:
        plain, changed = change(source), change(source, name, **parameters)
        assert changed.losses == plain.losses
        assert [s.grads for s in changed.trace.steps] == [s.grads for s in plain.trace.steps]
        assert rates(changed) == rates(plain)

    return check


def test_interventions_that_change_nothing_here_leave_the_run_bit_identical(
    same: Callable[..., None],
) -> None:
    same(PLAIN, "scale_lr", factor=1.0)
    same(PLAIN, "clip", max_norm=1e9)
    same(PLAIN, "zero_gradients")
    same(PLAIN, "unfreeze")
    same(PLAIN, "train_mode")
    same(PLAIN, "shuffle_loader")
    same(PLAIN, "no_autocast")
    same(PLAIN, "hyperparameters", momentum=0.9)
    same(PLAIN, "accumulate", factor=1)
    same(PLAIN, "keep_optimizer")
    same(PLAIN, "detach_state")
    same(PLAIN, "late_zero_grad")
    same(PLAIN, "undo_activation")
    same(PLAIN, "add_parameters")
    same(PLAIN, "add_step")
    same(PLAIN, "no_augmentation")
    same(PLAIN, "no_workers")
    same(PLAIN, "match_keys")
    same(PLAIN, "reset_state")


def test_scaled_rates_keep_the_schedule(change: Change) -> None:
    plain, changed = change(PLAIN), change(PLAIN, "scale_lr", factor=0.1)
    assert rates(plain) == [0.1, 0.1, 0.05, 0.05, 0.025, 0.025, 0.0125, 0.0125]
    assert rates(changed) == pytest.approx([0.1 * rate for rate in rates(plain)])
    assert changed.losses[0] == plain.losses[0]
    assert changed.losses[2] != plain.losses[2]


def test_rates_that_begin_below_a_limit_are_scaled_alone(change: Change) -> None:
    assert rates(change(PLAIN, "scale_lr", factor=0.1, below=0.05)) == rates(change(PLAIN))
    scaled = change(PLAIN, "scale_lr", factor=0.1, below=0.2)
    assert rates(scaled) == pytest.approx([0.1 * rate for rate in rates(change(PLAIN))]), "later ones too"


def test_a_constant_rate_ignores_the_schedule(change: Change) -> None:
    assert set(rates(change(PLAIN, "constant_lr"))) == {0.1}
    assert set(rates(change(PLAIN, "constant_lr", lr=0.02))) == {0.02}


def test_a_ramp_rises_evenly_stops_when_the_loss_blows_up_and_suggests_a_rate(record: Record) -> None:
    ramp = {"name": "lr_ramp", "start": 1e-4, "end": 1e3}
    run = record(PLAIN, max_steps=60, interventions=[ramp])
    assert rates(run)[0] == pytest.approx(1e-4)
    factors = [b / a for a, b in itertools.pairwise(rates(run))]
    assert factors == pytest.approx([(1e7) ** (1 / 59)] * len(factors))
    row = one(run, "ramp")
    assert len(row["lr"]) == len(row["loss"]) <= len(run.trace.steps)

    blown = record(PLAIN.replace("nn.utils.clip", "0 and nn.utils.clip").replace("range(9)", "range(99)"),
                   max_steps=60, interventions=[ramp])  # fmt: skip
    row = one(blown, "ramp")
    assert row["diverged"] is not None
    assert len(blown.trace.steps) < 60
    assert 1e-4 < row["suggestion"] < row["diverged"]


def test_an_ordered_loader_is_shuffled_and_evaluation_is_not(change: Change) -> None:
    source = HEAD + (
        "net = nn.Linear(20, 5)\nopt = torch.optim.SGD(net.parameters(), lr=0.0)\n"
        "loader = DataLoader(data, batch_size=16)\n"
        "for epoch in range(2):\n    for xb, yb in loader:\n        opt.zero_grad()\n"
        "        F.cross_entropy(net(xb), yb).backward()\n        opt.step()\n"
        "        print('first labels', yb[:6].tolist())\n"
        "    with torch.no_grad():\n        for xb, yb in DataLoader(data, 16): print('eval', yb[:6].tolist())\n"
    )
    plain, changed = change(source), change(source, "shuffle_loader")
    ordered = "first labels [0, 1, 2, 3, 4, 0]"
    assert plain.stdout.count(ordered) == 2
    assert ordered not in changed.stdout
    evaluations = [line for line in changed.stdout.splitlines() if line.startswith("eval")]
    assert evaluations == [line for line in plain.stdout.splitlines() if line.startswith("eval")]
    epoch = [sum(loss for s in run.trace.steps[:4] for loss in s.losses) for run in (plain, changed)]
    assert epoch[0] == pytest.approx(epoch[1], rel=1e-5), "an epoch still has every sample once"


def test_clipping_and_not_clipping_bound_the_gradient_that_the_optimizer_uses(change: Change) -> None:
    plain, tight, free = change(PLAIN), change(PLAIN, "clip", max_norm=1e-3), change(PLAIN, "no_clip")
    assert max(s.grad_norm for s in plain.trace.steps) <= 0.5 + 1e-5
    assert all(s.grad_norm == pytest.approx(1e-3, rel=1e-3) for s in tight.trace.steps)
    assert free.trace.steps[0].grad_norm == pytest.approx(plain.trace.steps[0].clip_before, rel=1e-5)
    assert max(s.grad_norm for s in free.trace.steps) > 0.5


FROZEN = (
    HEAD
    + """
net = nn.Sequential(nn.Linear(20, 16), nn.ReLU(), nn.Linear(16, 5))
net[0].requires_grad_(False)
opt = torch.optim.SGD((p for p in net.parameters() if p.requires_grad), lr=0.1)
for i in range(3):
    opt.zero_grad()
    F.cross_entropy(net(X), y).backward()
    opt.step()
"""
)


def test_frozen_parameters_train_when_unfrozen(change: Change) -> None:
    plain, changed = change(FROZEN), change(FROZEN, "unfreeze")
    assert {len(s.updates) for s in plain.trace.steps} == {2}
    names = {p.id: p.name for p in changed.trace.parameters}
    moved = {names[n] for n, (size, _, _) in changed.trace.steps[1].updates.items() if size > 0}
    assert moved == {"0.weight", "0.bias", "2.weight", "2.bias"}
    assert changed.losses[0] == plain.losses[0]


def test_missing_parameters_train_when_they_are_added(change: Change) -> None:
    source = FROZEN.replace("net[0].requires_grad_(False)", "").replace(
        "(p for p in net.parameters() if p.requires_grad)", "net[2].parameters()"
    )
    plain, changed = change(source), change(source, "add_parameters")
    assert len(plain.trace.steps[2].updates) == 2
    assert sum(size > 0 for size, _, _ in changed.trace.steps[2].updates.values()) == 4


def test_gradients_that_pile_up_are_cleared(change: Change) -> None:
    source = PLAIN.replace("opt.zero_grad()", "pass")
    plain, changed, right = change(source), change(source, "zero_gradients"), change(PLAIN)
    assert any(s.stale for s in plain.trace.steps)
    assert not any(s.stale for s in changed.trace.steps)
    assert changed.losses == right.losses, "as if the script had cleared them"


def test_without_autocast_everything_is_single_precision(change: Change) -> None:
    source = HEAD + (
        "net = nn.Linear(20, 5).to(torch.bfloat16) if {half} else nn.Linear(20, 5)\n"
        "opt = torch.optim.SGD(net.parameters(), lr=0.1)\nscaler = torch.amp.GradScaler('cpu')\n"
        "for i in range(3):\n    opt.zero_grad()\n"
        "    with torch.autocast('cpu', dtype=torch.bfloat16, enabled=not {half}):\n"
        "        out = net(X.bfloat16() if {half} else X)\n        print(out.dtype)\n"
        "    scaler.scale(F.cross_entropy(out.float(), y)).backward()\n    scaler.step(opt); scaler.update()\n"
    )
    for half in (False, True):
        plain, changed = change(source.format(half=half)), change(source.format(half=half), "no_autocast")
        assert set(plain.stdout.split()) == {"torch.bfloat16"}
        assert set(changed.stdout.split()) == {"torch.float32"}
        assert {p.dtype for p in changed.trace.parameters} == {"float32"}
        assert all(s.scale is None for s in changed.trace.steps)


@pytest.mark.parametrize("shape", ["64, 20", "64, 3, 8, 8", "64, 12, 20"])
def test_inputs_are_standardised_per_feature(change: Change, shape: str) -> None:
    source = HEAD + (
        f"X = torch.randn({shape}) * 300 + 1000\n"
        "class Net(nn.Module):\n    def __init__(self):\n"
        "        super().__init__()\n        self.w = nn.LazyLinear(5)\n"
        "    def forward(self, x):\n        d = (0, 2, 3) if x.dim() == 4 else tuple(range(x.dim() - 1))\n"
        "        print(x.mean(d).abs().max().item(), x.std(d, correction=0).mean().item())\n"
        "        return self.w(x.flatten(1))\n"
        "net = Net()\nopt = None\nfor i in range(3):\n    out = net(X)\n"
        "    opt = opt or torch.optim.SGD(net.parameters(), lr=1e-3)\n"
        "    opt.zero_grad(); F.cross_entropy(out, y).backward(); opt.step()\n"
    )
    run = change(source, "standardise_inputs")
    for line in run.stdout.splitlines()[:3]:  # later ones are questions that the recorder asks after the run
        mean, std = map(float, line.split())
        assert mean < 1e-3
        assert std == pytest.approx(1.0, abs=1e-3)
    forward = run.of("forward")[0]["in"][0]
    assert abs(forward["mean"]) < 0.2, "the trace shows what the model got"


def test_constant_features_and_the_output_of_another_network_survive_standardising(change: Change) -> None:
    source = HEAD + (
        "X[:, 0] = 3.0\nbody, head = nn.Linear(20, 8), nn.Linear(8, 5)\n"
        "opt = torch.optim.SGD([*body.parameters(), *head.parameters()], lr=0.1)\n"
        "for i in range(3):\n    opt.zero_grad()\n    F.cross_entropy(head(body(X)), y).backward()\n    opt.step()\n"
    )
    run = change(source, "standardise_inputs")
    assert all(math.isfinite(loss) for losses in run.losses for loss in losses)
    assert all(len(step.grads) == 4 for step in run.trace.steps)


def test_targets_are_standardised_for_regression_losses(change: Change) -> None:
    source = HEAD + (
        "t = X.sum(1, keepdim=True) * 1000 + 50000\nnet = nn.Linear(20, 1)\n"
        "opt = torch.optim.SGD(net.parameters(), lr=1e-9)\n"
        "for i in range(3):\n    opt.zero_grad()\n    nn.MSELoss()(net(X), t).backward()\n    opt.step()\n"
    )
    plain, changed = change(source), change(source, "standardise_targets")
    assert plain.losses[0][0] > 1e9
    assert 0.5 < changed.losses[0][0] < 4
    target = one(changed, "loss", i=1)["target"]
    assert abs(target["mean"]) < 1e-3
    assert target["std"] == pytest.approx(1.0, rel=1e-3)


MODES = (
    HEAD
    + """
net = nn.Sequential(nn.Linear(20, 16), nn.Dropout(0.5), nn.Linear(16, 5))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
net.train({train})
for i in range(3):
    opt.zero_grad()
    F.cross_entropy(net(X), y).backward()
    opt.step()
    with torch.no_grad():
        first, second = net(X), net(X)
        print("evaluation is repeatable:", torch.equal(first, second), "mode", net.training)
"""
)


def test_training_passes_run_in_train_mode_and_the_scripts_mode_comes_back(change: Change) -> None:
    source = MODES.format(train=False)
    plain, changed = change(source), change(source, "train_mode")
    assert [s.training for s in plain.trace.steps] == [False] * 3
    assert [s.training for s in changed.trace.steps] == [True] * 3
    assert changed.stdout == "evaluation is repeatable: True mode False\n" * 3


def test_evaluation_passes_run_in_eval_mode_and_the_scripts_mode_comes_back(change: Change) -> None:
    source = MODES.format(train=True)
    plain, changed = change(source), change(source, "eval_mode")
    assert "evaluation is repeatable: False" in plain.stdout
    assert changed.stdout == "evaluation is repeatable: True mode True\n" * 3
    assert [s.training for s in changed.trace.steps] == [True] * 3
    assert {mode for row in changed.of("eval") for mode in row["modes"]} == {"eval"}


def test_no_dropout_gives_what_no_dropout_gives_and_keeps_the_data_order(change: Change) -> None:
    changed, right = change(PLAIN, "no_dropout"), change(PLAIN.replace("0.25", "0.0"))
    prints = [[row["print"] for row in run.of("batch")] for run in (changed, change(PLAIN))]
    assert prints[0] == prints[1], "the same batches as with dropout"
    assert changed.losses[0] == right.losses[0]
    attention = HEAD + (
        "net = nn.ModuleList([nn.MultiheadAttention(20, 2, dropout=0.5), nn.LSTM(20, 5, 2, dropout=0.5)])\n"
        "opt = torch.optim.SGD(net.parameters(), lr=0.0)\nx = X.view(4, 16, 20)\n"
        "for i in range(3):\n    opt.zero_grad()\n    a, _ = net[0](x, x, x)\n    o, _ = net[1](a)\n"
        "    o.square().mean().backward()\n    opt.step()\n"
    )
    run = change(attention, "no_dropout")
    assert len(set(run.losses)) == 1
    assert len(set(change(attention).losses)) == 3


def test_optimizer_settings_are_replaced_for_the_step_only(change: Change) -> None:
    source = PLAIN + "        print(opt.param_groups[0]['weight_decay'], opt.param_groups[0]['momentum'])\n"
    run = change(source, "hyperparameters", momentum=0.0, betas=[0.5, 0.5])
    decay = change(source, "no_weight_decay")
    assert set(run.stdout.splitlines()) == {"0.01 0.9"}
    assert run.losses != change(source).losses
    assert run.losses == change(source.replace("momentum=0.9", "momentum=0.0")).losses
    assert decay.losses == change(source.replace("weight_decay=0.01", "weight_decay=0.0")).losses


def test_accumulation_equals_a_larger_batch(record: Record) -> None:
    source = HEAD + (
        "net = nn.Linear(20, 5)\nopt = torch.optim.SGD(net.parameters(), lr=0.1)\n"
        "for epoch in range(4):\n    for k in range(0, 64, {size}):\n        {clear}\n"
        "        F.cross_entropy(net(X[k:k + {size}]), y[k:k + {size}]).backward()\n        opt.step()\n"
    )
    for clear in ("opt.zero_grad()", "for p in net.parameters(): p.grad = None"):
        large = record(source.format(size=64, clear=clear))
        small = record(
            source.format(size=16, clear=clear), interventions=[{"name": "accumulate", "factor": 4}]
        )
        assert len(large.trace.steps) == len(small.trace.steps) == 4
        for one_step, gathered in zip(large.trace.steps, small.trace.steps, strict=True):
            assert gathered.backwards == 4
            assert sum(gathered.losses) / 4 == pytest.approx(one_step.losses[0], rel=1e-5)
            assert gathered.grad_norm == pytest.approx(one_step.grad_norm, rel=1e-4)
            assert not gathered.stale


def test_loaders_give_smaller_or_larger_batches(change: Change) -> None:
    def size(factor: float) -> int:
        return int(change(PLAIN, "split_batch", factor=factor).of("loader")[0]["batch_size"])

    assert [size(4), size(0.5), size(100)] == [4, 32, 2]


def test_another_seed_reaches_seeds_that_the_script_sets(change: Change) -> None:
    plain, other, again = change(PLAIN), change(PLAIN, "seed", offset=3), change(PLAIN, "seed", offset=3)
    assert other.losses != plain.losses
    assert other.losses == again.losses
    assert other.losses == change(PLAIN.replace("manual_seed(7)", "manual_seed(10)")).losses


def test_workers_are_not_started(change: Change) -> None:
    source = PLAIN.replace(
        "shuffle=True", "shuffle=True, num_workers=2, persistent_workers=True, prefetch_factor=2"
    )
    run = change(source, "no_workers")
    assert run.of("loader")[0]["workers"] == 0
    assert len(run.trace.steps) == 8


def test_shuffled_labels_keep_their_counts_and_lose_their_meaning(change: Change) -> None:
    source = HEAD + (
        "X = F.one_hot(y, 20).float() * 5\nnet = nn.Linear(20, 5)\nopt = torch.optim.SGD(net.parameters(), lr=1.0)\n"
        "for i in range(9):\n    opt.zero_grad()\n    F.cross_entropy(net(X), y).backward()\n    opt.step()\n"
    )
    plain, changed = change(source), change(source, "shuffle_labels")
    assert plain.trace.steps[-1].losses[0] < 0.3
    assert changed.trace.steps[-1].losses[0] > 1.2
    assert one(changed, "loss", i=1)["target"]["hist"] == one(plain, "loss", i=1)["target"]["hist"]


@pytest.mark.parametrize(("wrong", "right"), [
    ("F.cross_entropy(net(X).softmax(1), y)", "F.cross_entropy(net(X), y)"),
    ("F.nll_loss(net(X), y)", "F.cross_entropy(net(X), y)"),
    ("nn.BCEWithLogitsLoss()(net(X).sigmoid(), F.one_hot(y, 5).float())",
     "F.binary_cross_entropy_with_logits(net(X), F.one_hot(y, 5).float())"),
    ("nn.PoissonNLLLoss()(net(X).exp(), F.one_hot(y, 5).float())",
     "nn.PoissonNLLLoss()(net(X), F.one_hot(y, 5).float())"),
])  # fmt: skip
def test_scores_are_turned_into_what_the_loss_expects(change: Change, wrong: str, right: str) -> None:
    source = HEAD + (
        "net = nn.Linear(20, 5)\nopt = torch.optim.SGD(net.parameters(), lr=0.1)\n"
        "for i in range(4):\n    opt.zero_grad()\n    {loss}.backward()\n    opt.step()\n"
    )
    fixed = change(source.format(loss=wrong), "undo_activation")
    expected = change(source.format(loss=right))
    assert [x for s in fixed.losses for x in s] == pytest.approx(
        [x for s in expected.losses for x in s], rel=1e-4
    )
    assert change(source.format(loss=wrong)).losses != expected.losses


def test_a_missing_step_is_made(change: Change) -> None:
    source = PLAIN.replace("        opt.step()\n", "").replace("        sched.step()\n", "")
    plain, changed = change(source), change(source, "add_step")
    assert {s.optimizer for s in plain.trace.steps} == {-1}
    assert [s.optimizer for s in changed.trace.steps] == [0] * 8
    assert all(size > 0 for size, _, _ in changed.trace.steps[0].updates.values())


def test_of_several_optimizers_the_one_that_never_steps_is_stepped_beside_the_others(change: Change) -> None:
    source = (
        HEAD
        + """
table, head = nn.Embedding(20, 4, sparse=True), nn.Linear(4, 5)
rare, common = torch.optim.SparseAdam(list(table.parameters()), lr=0.1), torch.optim.Adam(head.parameters(), lr=0.01)
x = torch.arange(64) % 20
begin = table.weight.detach().clone()
for i in range(7):
    rare.zero_grad()
    common.zero_grad()
    F.cross_entropy(head(table(x)), y).backward()
    common.step()
print(round(float((table.weight.detach() - begin).abs().max()), 4))
"""
    )
    plain, changed = change(source), change(source, "add_step")
    assert float(plain.stdout) == 0.0
    assert float(changed.stdout) > 0.1
    assert [s.optimizer for s in changed.trace.steps] == [s.optimizer for s in plain.trace.steps] == [1] * 7


def test_only_what_reaches_the_actions_is_turned_round(change: Change) -> None:
    source = """
        import torch
        from torch.distributions import Categorical, Independent, Normal
        torch.manual_seed(1)
        a, m, v = (torch.nn.Parameter(torch.zeros(3)) for _ in range(3))
        opt = torch.optim.SGD([a, m, v], lr=1.0)
        chosen, wide = Categorical(logits=a), Independent(Normal(m, 1.0), 1)
        loss = -chosen.log_prob(torch.tensor(0)) - wide.log_prob(torch.ones(3)) + ((v - 1) ** 2).sum()
        loss.backward()
        print([round(float(p.grad[0]), 3) for p in (a, m, v)])
        opt.step()
    """
    assert change(source).stdout.strip() == "[-0.667, -1.0, -2.0]"
    assert change(source, "flip_actions").stdout.strip() == "[0.667, 1.0, -2.0]"


def test_clearing_too_early_is_put_off_until_after_the_step(change: Change) -> None:
    loop = (
        "net = nn.Linear(20, 5)\nopt = torch.optim.SGD(net.parameters(), lr=0.1)\n"
        "for i in range(4):\n    {a}F.cross_entropy(net(X), y).backward()\n    {b}opt.step()\n"
    )
    wrong, right = (
        HEAD + loop.format(a="", b="opt.zero_grad(); "),
        HEAD + loop.format(a="opt.zero_grad(); ", b=""),
    )
    assert {s.grad_norm for s in change(wrong).trace.steps} == {0.0}
    assert change(wrong, "late_zero_grad").losses == change(right).losses


def test_a_new_optimizer_goes_on_where_the_last_one_stopped(change: Change) -> None:
    made = "opt = torch.optim.Adam(net.parameters(), lr=0.01)\n"
    loop = "net = nn.Linear(20, 5)\n{a}for i in range(5):\n    {b}    opt.zero_grad()\n" \
           "    F.cross_entropy(net(X), y).backward()\n    opt.step()\n"  # fmt: skip
    again, once = HEAD + loop.format(a="", b=made), HEAD + loop.format(a=made, b="pass\n")
    assert change(again).losses[2:] != change(once).losses[2:]
    assert change(again, "keep_optimizer").losses == change(once).losses


@pytest.mark.parametrize("layer", ["GRU", "LSTM"])
def test_a_state_that_comes_from_another_batch_is_emptied(change: Change, layer: str) -> None:
    source = HEAD + (
        "rnn, head = nn.{layer}(20, 8, batch_first=True), nn.Linear(8, 5)\n"
        "opt = torch.optim.SGD([*rnn.parameters(), *head.parameters()], lr=0.1)\n"
        "state = None\n"
        "cut = lambda s: tuple(t.detach() for t in s) if type(s) is tuple else s.detach()\n"
        "for i in range(4):\n"
        "    opt.zero_grad()\n"
        "    out, state = rnn(X.unsqueeze(1), {given})\n"
        "    state = cut(state)\n"
        "    F.cross_entropy(head(out[:, -1]), y).backward()\n"
        "    opt.step()\n"
    )
    carried, fresh = source.format(given="state", layer=layer), source.format(given="None", layer=layer)
    assert change(carried).losses != change(fresh).losses
    assert change(carried, "reset_state").losses == change(fresh).losses


@pytest.mark.parametrize(
    "damage",
    [
        "{'module.' + k: v for k, v in good.items()}",
        "{'epoch': 3, 'model': good}",
        "{'net.body.' + k: v for k, v in good.items()}",
    ],
)
def test_a_checkpoint_under_other_names_is_loaded_under_those_that_fit(change: Change, damage: str) -> None:
    source = HEAD + (
        "make = lambda: nn.Sequential(nn.Linear(20, 8), nn.ReLU(), nn.Linear(8, 5))\n"
        "good = {{k: v * 3 for k, v in make().state_dict().items()}}\n"
        "net = make()\n"
        "net.load_state_dict({state}, strict=False)\n"
        "opt = torch.optim.SGD(net.parameters(), lr=0.1)\n"
        "for i in range(3):\n    opt.zero_grad()\n    F.cross_entropy(net(X), y).backward()\n    opt.step()\n"
    )
    wrong, right = source.format(state=damage), source.format(state="good")
    assert change(wrong).losses != change(right).losses
    assert change(wrong, "match_keys").losses == change(right).losses
    assert change(right, "match_keys").losses == change(right).losses


@pytest.mark.parametrize(("prefix", "arrives"), [("", True), ("module.", False)])
def test_a_state_filled_up_with_the_modules_own_values_brings_nothing(
    change: Change, tmp_path: Path, prefix: str, arrives: bool
) -> None:
    source = HEAD + (
        "make = lambda: nn.Sequential(nn.Linear(20, 8), nn.ReLU(), nn.Linear(8, 5))\n"
        f"good = {{'{prefix}' + k: v * 3 for k, v in make().state_dict().items()}}\n"
        f"torch.save({{'net': good}}, r'{tmp_path}/w.pt')\n"
        "net = make()\nown = net.state_dict()\n"
        f"own.update({{k: v for k, v in torch.load(r'{tmp_path}/w.pt')['net'].items() if k in own}})\n"
        "net.load_state_dict(own)\n"
        "opt = torch.optim.SGD(net.parameters(), lr=0.1)\n"
        "for i in range(3):\n    opt.zero_grad()\n    F.cross_entropy(net(X), y).backward()\n    opt.step()\n"
    )
    plain, changed = change(source), change(source, "match_keys")
    assert (plain.of("restored")[0]["same"] > 0) is arrives
    assert (changed.losses == plain.losses) is arrives
    assert changed.of("restored")[0]["same"] > 0


def test_state_carried_between_batches_loses_its_history(change: Change) -> None:
    source = HEAD + (
        "rnn, head = nn.GRU(20, 8, batch_first=True), nn.Linear(8, 5)\n"
        "opt = torch.optim.SGD([*rnn.parameters(), *head.parameters()], lr=0.1)\nh = None\n"
        "for i in range(5):\n    opt.zero_grad()\n    out, h = rnn(X.view(8, 8, 20), h)\n    {detach}\n"
        "    F.cross_entropy(head(out[:, -1]), y[:8]).backward()\n    opt.step()\n"
    )
    plain, changed = change(source.format(detach="")), change(source.format(detach=""), "detach_state")
    assert plain.stop == "error"
    assert changed.stop == "script_end"
    assert changed.losses == change(source.format(detach="h = h.detach()")).losses


def test_a_faster_average_is_close_to_the_model(change: Change) -> None:
    source = HEAD + (
        "from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn\nnet = nn.Linear(20, 5)\n"
        "ema = AveragedModel(net, multi_avg_fn=get_ema_multi_avg_fn(0.9999))\n"
        "opt = torch.optim.SGD(net.parameters(), lr=1.0)\n"
        "for i in range(6):\n    opt.zero_grad()\n    F.cross_entropy(net(X), y).backward()\n    opt.step()\n"
        "    ema.update_parameters(net)\nprint((ema.module.weight - net.weight).norm().item())\n"
    )
    slow, fast = float(change(source).stdout), float(change(source, "faster_ema", decay=0.1).stdout)
    assert fast < slow / 3


def test_a_copy_that_is_averaged_by_hand_follows_the_model_faster(change: Change) -> None:
    source = HEAD + (
        "import copy\nnet = nn.Linear(20, 5)\nslow = copy.deepcopy(net)\n"
        "opt = torch.optim.SGD(net.parameters(), lr=1.0)\n"
        "for i in range(6):\n    opt.zero_grad()\n    F.cross_entropy(net(X), y).backward()\n    opt.step()\n"
        "    with torch.no_grad():\n"
        "        for a, b in zip(slow.parameters(), net.parameters()): a.lerp_(b, 1e-4)\n"
        "with torch.no_grad(): slow(X)\nprint((slow.weight - net.weight).norm().item())\n"
    )
    plain, changed = change(source), change(source, "faster_ema", decay=0.1)
    assert float(changed.stdout) < float(plain.stdout) / 3
    assert changed.losses == plain.losses


AUGMENTED = (
    HEAD
    + """
class RandomFlip:
    def __call__(self, x):
        return x.flip(0) if torch.rand(()) < 0.5 else x
class Compose:
    def __init__(self, steps): self.steps = steps
    def __call__(self, x):
        for step in self.steps: x = step(x)
        return x
def augment(x):
    return x.add_(torch.randn_like(x))
class Samples(torch.utils.data.Dataset):
    def __init__(self, transform): self.transform = transform
    def __len__(self): return 64
    def __getitem__(self, i): return self.transform(X[i].clone()), y[i]
net = nn.Linear(20, 5)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for xb, yb in DataLoader(Samples({transform}), batch_size=16):
    opt.zero_grad()
    F.cross_entropy(net(xb), yb).backward()
    opt.step()
"""
)


@pytest.mark.parametrize("transform", ["RandomFlip()", "Compose([RandomFlip(), augment])", "augment"])
def test_random_transforms_hand_out_what_they_were_given(change: Change, transform: str) -> None:
    source = AUGMENTED.format(transform=transform)
    bare = change(AUGMENTED.format(transform="lambda x: x"))
    assert change(source).losses != bare.losses
    assert change(source, "no_augmentation").losses == bare.losses


def test_one_batch_is_repeated(change: Change) -> None:
    run = change(PLAIN, "repeat_batch")
    assert len({row["h"][0] for row in run.of("ids")} | {0}) <= 2


def test_fresh_weights_replace_a_bad_start(change: Change) -> None:
    source = HEAD + (
        "net = nn.Sequential(nn.Linear(20, 16), nn.ReLU(), nn.Linear(16, 5))\n"
        "for p in net.parameters(): nn.init.zeros_(p)\nopt = torch.optim.SGD(net.parameters(), lr=0.1)\n"
        "for i in range(3):\n    opt.zero_grad()\n    F.cross_entropy(net(X), y).backward()\n    opt.step()\n"
    )
    plain, kaiming, xavier = (
        change(source),
        change(source, "reinitialise"),
        change(source, "reinitialise", scheme="xavier"),
    )
    assert plain.trace.steps[0].grads[0] == 0
    assert kaiming.trace.steps[0].grads[0] > 0
    assert kaiming.losses != xavier.losses


def test_an_unknown_name_is_refused(record: Record) -> None:
    run = record(PLAIN, interventions=[{"name": "no_such_thing"}])
    assert run.status != 0
    assert "no_such_thing" in run.stderr
    assert not run.trace.steps


def test_of_two_matrices_of_zeros_the_second_stays(change: Change) -> None:
    source = HEAD + (
        "net = nn.Sequential(nn.Linear(20, 4, bias=False), nn.Linear(4, 5, bias=False))\n"
        "for p in net.parameters(): nn.init.zeros_(p)\nopt = torch.optim.SGD(net.parameters(), lr=0.5)\n"
        "for i in range(6):\n    opt.zero_grad()\n    F.cross_entropy(net(X), y).backward()\n    opt.step()\n"
    )
    plain, one = change(source), change(source, "reinitialise", scheme="one of two")
    assert one.losses[0] == plain.losses[0] == plain.losses[-1], "the product is still zero"
    assert one.losses[-1] < one.losses[0]


def test_of_two_matrices_of_zeros_that_no_module_holds_the_second_stays(change: Change) -> None:
    source = HEAD + (
        "down, up = torch.zeros(4, 20, requires_grad=True), torch.zeros(5, 4, requires_grad=True)\n"
        "opt = torch.optim.SGD([down, up], lr=0.5)\n"
        "for i in range(6):\n    opt.zero_grad()\n"
        "    F.cross_entropy(X @ (up @ down).T, y).backward()\n    opt.step()\n"
        "print(bool(down.any()), bool(up.any()))\n"
    )
    plain, one = change(source), change(source, "reinitialise", scheme="one of two")
    assert one.losses[0] == plain.losses[0] == plain.losses[-1], "the product is still zero"
    assert one.losses[-1] < one.losses[0]
    assert (plain.stdout.split(), one.stdout.split()) == (["False", "False"], ["True", "True"])
