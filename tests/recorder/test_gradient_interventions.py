"""What a script does to its gradients after backward, and interventions on gradients, scores and optimizer state."""

from __future__ import annotations

import pytest
from tests.recorder.harness import Change
from tests.recorder.test_interventions import HEAD

LOOP = (
    HEAD
    + """
def clip_grads(net):
    for p in net.parameters():
        p.grad.mul_(0.01)
def keep_sparse(net):
    for p in net.parameters():
        p.grad = p.grad * (p.grad > 0)
net = nn.Sequential(nn.Linear(20, 16), nn.ReLU(), nn.Linear(16, 5))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(4):
    opt.zero_grad()
    F.cross_entropy(net(X), y).backward()
    {between}
    opt.step()
"""
)
BARE = LOOP.format(between="pass")
SMALLER = LOOP.format(between="clip_grads(net)")


def test_the_gradient_is_measured_where_backward_leaves_it_and_where_the_step_finds_it(
    change: Change,
) -> None:
    for step in change(SMALLER).trace.steps:
        assert step.grad_made is not None
        assert step.grad_norm == pytest.approx(0.01 * step.grad_made, rel=1e-4)
    for step in change(BARE).trace.steps:
        assert step.grad_made == pytest.approx(step.grad_norm, rel=1e-6)


def test_each_optimizer_has_the_gradients_of_its_own_parameters(change: Change) -> None:
    two = BARE.replace("opt = torch.optim.SGD(net.parameters(), lr=0.1)\n",
                       "opt = torch.optim.SGD(net[0].parameters(), lr=0.1)\n"
                       "last = torch.optim.SGD(net[2].parameters(), lr=0.1)\n")  # fmt: skip
    source = two.replace("opt.zero_grad()", "net.zero_grad()").replace(
        "opt.step()", "opt.step(); last.step()"
    )
    steps = change(source).trace.steps
    assert {s.optimizer for s in steps} == {0, 1}
    for step in steps[:5]:  # these are always measured
        assert step.grad_made == pytest.approx(step.grad_norm, rel=1e-5)


def test_the_line_that_clips_by_hand_is_known(change: Change) -> None:
    site = change(SMALLER).trace.site("clip_by_hand")
    assert site is not None
    assert site.code == "clip_grads(net)"
    assert change(BARE).trace.site("clip_by_hand") is None


@pytest.mark.parametrize("between", ["clip_grads(net)", "keep_sparse(net)"])
def test_gradients_are_kept_as_backward_left_them(change: Change, between: str) -> None:
    source = LOOP.format(between=between)
    kept = change(source, "keep_gradients")
    assert kept.losses == change(BARE).losses
    assert kept.losses != change(source).losses
    assert change(BARE, "keep_gradients").losses == kept.losses, "where nothing is done, nothing changes"


def test_gradients_that_pile_up_over_passes_are_kept_as_the_last_one_left_them(change: Change) -> None:
    twice = "F.cross_entropy(net(X * 2), y).backward(); {}"
    kept = change(LOOP.format(between=twice.format("clip_grads(net)")), "keep_gradients")
    assert kept.losses == change(LOOP.format(between=twice.format("pass"))).losses


def test_what_a_gradient_scaler_divides_by_is_not_put_back(change: Change) -> None:
    source = HEAD + (
        "net = nn.Linear(20, 5)\nopt = torch.optim.SGD(net.parameters(), lr=0.1)\n"
        "scaler = torch.amp.GradScaler('cpu')\nfor i in range(3):\n    opt.zero_grad()\n"
        "    scaler.scale(F.cross_entropy(net(X), y)).backward()\n    {}scaler.step(opt); scaler.update()\n"
    )
    for unscaled in ("", "scaler.unscale_(opt); "):
        script = source.format(unscaled)
        assert change(script, "keep_gradients").losses == change(script).losses


@pytest.mark.parametrize(
    "loss",
    [
        "F.cross_entropy({s}net(X), y)",
        "F.binary_cross_entropy_with_logits({s}net(X), F.one_hot(y, 5).float())",
        "F.nll_loss(F.log_softmax({s}net(X), 1), y)",
    ],
)
def test_losses_get_the_negative_of_their_scores(change: Change, loss: str) -> None:
    source = BARE.replace("F.cross_entropy(net(X), y)", loss)
    plain, turned = source.replace("{s}", ""), source.replace("{s}", "-")
    flipped = [v for step in change(plain, "flip_scores").losses for v in step]
    assert flipped == pytest.approx([v for step in change(turned).losses for v in step], rel=1e-5)
    assert change(plain).losses != change(turned).losses


def test_other_losses_keep_their_scores(change: Change) -> None:
    source = BARE.replace("F.cross_entropy(net(X), y)", "F.mse_loss(net(X), X[:, :5])")
    assert change(source, "flip_scores").losses == change(source).losses


def test_the_initial_sum_of_squares_is_taken_out_of_the_state(change: Change) -> None:
    source = BARE.replace("SGD(net.parameters(), lr=0.1)", "Adagrad(net.parameters(), lr=0.1{start})")
    heavy, plain = (
        source.replace("{start}", ", initial_accumulator_value=100.0"),
        source.replace("{start}", ""),
    )
    changed = change(heavy, "hyperparameters", initial_accumulator_value=0.0)
    assert changed.losses == change(plain).losses
    assert changed.losses != change(heavy).losses
    assert change(plain, "hyperparameters", initial_accumulator_value=0.0).losses == changed.losses


HALVED = """
import torch
from torch import nn
from torch.optim import Optimizer
torch.manual_seed(0)
class Lean(Optimizer):
    def __init__(self, params, lr=0.01):
        super().__init__(params, dict(lr=lr))
    @torch.no_grad()
    def step(self):
        for p in (p for g in self.param_groups for p in g["params"]):
            st = self.state[p]
            if not st:
                st["v"] = torch.zeros_like(p, dtype={kept})
                st["w"] = torch.zeros_like(p)
            v = st["v"].float() * 0.9 + 0.1 * p.grad ** 2
            st["v"] = v.{turned}
            p.sub_(p.grad / (st["v"].float().sqrt() + 1e-8), alpha=0.01)
net = nn.Linear(4, 1)
opt = Lean(net.parameters())
X = torch.randn(16, 4)
for i in range(6):
    opt.zero_grad()
    (1e-4 * net(X)).square().mean().backward()
    opt.step()
"""
HALF = HALVED.format(kept="torch.float16", turned="half()")


def test_state_in_half_precision_is_looked_at_beside_whole_weights(change: Change) -> None:
    run = change(HALF)
    rows = run.of("moment")
    assert {(r["key"], r["dtype"]) for r in rows} == {("v", "float16")}
    assert [r["i"] for r in rows] == [1, 2, 3, 4, 5]
    assert rows[0]["empty"] == 1.0
    site = run.trace.site("half_state")
    assert site is not None
    assert "float16" in site.code
    assert not change(HALVED.format(kept="torch.float32", turned="clone()")).of("moment")


@pytest.mark.parametrize("turned", ["half()", "to(torch.float16)", "to(dtype=torch.bfloat16)"])
def test_the_state_is_kept_in_full_precision(change: Change, turned: str) -> None:
    whole = change(HALVED.format(kept="torch.float32", turned="clone()"))
    source = HALVED.format(kept="torch.float16", turned=turned)
    assert change(source).losses != whole.losses
    assert change(source, "full_precision_state").losses == whole.losses


DERIVED = LOOP.replace(
    "opt = torch.optim.SGD",
    """class Cutting(torch.optim.SGD):
    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                p.grad.mul_({by})
        return super().step(closure)
opt = Cutting""",
)


def test_what_a_derived_optimizer_does_to_gradients_in_its_step_is_seen_and_undone(change: Change) -> None:
    source = DERIVED.format(between="pass", by=0.01)
    seen = change(source).trace
    assert (seen.optimizers[0].cls, seen.optimizers[0].family) == ("Cutting", "SGD")
    for step in seen.steps:
        assert step.grad_norm == pytest.approx(0.01 * step.grad_made, rel=1e-4)
    assert change(source, "keep_gradients").losses == change(DERIVED.format(between="pass", by=1)).losses


GATHERED = (
    HEAD
    + """
net = nn.Linear(20, 5)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(2):
    opt.zero_grad()
    for k in range(4):
        loss = F.cross_entropy(net(X[k::4]), y[k::4])
        (loss / 4).backward()
        {inside}
    {outside}
print([round(float(p.sum()), 5) for p in net.parameters()])
"""
)


def test_each_pass_of_those_that_are_gathered_makes_a_step(change: Change) -> None:
    gathered = GATHERED.format(inside="pass", outside="opt.step()")
    single = GATHERED.replace("loss / 4", "loss").format(inside="opt.step(); opt.zero_grad()", outside="pass")
    stepped = change(gathered, "step_each_pass", factor=5, scale=4.0)
    assert stepped.stdout == change(single).stdout
    assert stepped.stdout != change(gathered).stdout
