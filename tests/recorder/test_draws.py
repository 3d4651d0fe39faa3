"""Random draws that say something about the run: dropout that eval mode misses, actions of a policy."""

from __future__ import annotations

import pytest
from tests.recorder.harness import Record

HEAD = """
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(0)
"""
EVALUATED = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.drop, self.out = nn.Dropout(0.3), nn.Linear(8, 3)
    def forward(self, x):
        return self.out(CALL)
net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.randn(32, 8), torch.randint(0, 3, (32,))
for k in range(4):
    net.train()
    loss = F.cross_entropy(net(x), y)
    opt.zero_grad(); loss.backward(); opt.step()
    net.eval()
    EXTRA
    with torch.no_grad():
        print(float(F.cross_entropy(net(x), y)))
"""


def dropped(record: Record, call: str, extra: str = "pass") -> list[int]:
    run = record(HEAD + EVALUATED.replace("CALL", call).replace("EXTRA", extra))
    return [row["dropped"] for row in run.of("eval")]


@pytest.mark.parametrize(
    "call", ["F.dropout(x, 0.3)", "F.dropout(x)", "F.alpha_dropout(x, 0.3, training=True)"]
)
def test_a_dropout_function_without_the_mode_is_counted(record: Record, call: str) -> None:
    assert dropped(record, call) == [1, 1, 1, 1]


@pytest.mark.parametrize(
    "call", ["F.dropout(x, 0.3, self.training)", "self.drop(x)", "F.dropout(x, 0.0)", "x"]
)
def test_dropout_that_follows_the_mode_is_not(record: Record, call: str) -> None:
    assert dropped(record, call) == [0, 0, 0, 0]


def test_a_dropout_module_that_is_left_on_is_meant(record: Record) -> None:
    assert dropped(record, "self.drop(x)", "net.drop.train()") == [0, 0, 0, 0]


POLICY = """
net = nn.Linear(4, 2)
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
for k in range(6):
    logits = net(torch.randn(16, 4))
    DRAW
    opt.zero_grad(); loss.backward(); opt.step()
"""


@pytest.mark.parametrize(
    "draw",
    [
        "d = torch.distributions.Categorical(logits=logits); a = d.sample(); loss = -(d.log_prob(a) * a).mean()",
        "p = logits.softmax(1); a = torch.multinomial(p, 1); loss = -(p.gather(1, a).log() * a).mean()",
        "d = torch.distributions.Normal(logits, 1.0); a = d.sample(); loss = -(d.log_prob(a) * a).mean()",
    ],
)
def test_actions_drawn_from_the_model_are_told(record: Record, draw: str) -> None:
    assert len(record(HEAD + POLICY.replace("DRAW", draw)).of("acts")) == 1


@pytest.mark.parametrize(
    "draw",
    [
        "d = torch.distributions.Normal(logits, 1.0); loss = d.rsample().pow(2).mean()",
        "a = torch.multinomial(torch.ones(2), 1); loss = logits.pow(2).mean()",
        "d = torch.distributions.Normal(torch.zeros(2), 1.0); loss = (logits - d.sample()).pow(2).mean()",
    ],
)
def test_noise_is_no_action(record: Record, draw: str) -> None:
    assert record(HEAD + POLICY.replace("DRAW", draw)).of("acts") == ()


def test_actions_drawn_without_gradient_and_weighed_afterwards_are_told(record: Record) -> None:
    run = record(
        HEAD
        + POLICY.replace("    logits = net(torch.randn(16, 4))\n", "").replace(
            "DRAW",
            """x = torch.randn(16, 4)
    with torch.no_grad():
        a = torch.distributions.Categorical(logits=net(x)).sample()
    loss = -(torch.distributions.Categorical(logits=net(x)).log_prob(a) * a).mean()""",
        )
    )
    assert len(run.of("acts")) == 1


def test_a_critic_that_takes_more_steps_than_the_policy_changes_nothing(record: Record) -> None:
    source = HEAD + POLICY.replace("    logits = net(torch.randn(16, 4))\n", "").replace(
        "DRAW",
        """x = torch.randn(16, 4)
    with torch.no_grad():
        a = torch.distributions.Categorical(logits=net(x)).sample()
    for _ in range(2):
        value = critic(x).pow(2).mean()
        judge.zero_grad(); value.backward(); judge.step()
    loss = -(torch.distributions.Categorical(logits=net(x)).log_prob(a) * a).mean()""",
    ).replace(
        "for k in",
        "critic = nn.Linear(4, 1)\njudge = torch.optim.SGD(critic.parameters(), lr=0.1)\nfor k in",
        1,
    )
    assert len(record(source).of("acts")) == 1


def test_one_sample_of_a_density_beside_its_likelihoods_is_no_action(record: Record) -> None:
    draw = """d = torch.distributions.Normal(logits, 1.0); loss = -d.log_prob(torch.randn(16, 2)).mean()
    if k == 3:
        print(d.sample().shape)"""
    assert record(HEAD + POLICY.replace("DRAW", draw)).of("acts") == ()


def test_likelihoods_of_data_are_no_actions(record: Record) -> None:
    draw = "loss = -torch.distributions.Normal(logits, 1.0).log_prob(torch.randn(16, 2)).mean()"
    assert record(HEAD + POLICY.replace("DRAW", draw)).of("acts") == ()


@pytest.mark.parametrize(("value", "told"), [("y", True), ("y * net.weight.sum()", False)])
def test_data_that_a_likelihood_is_asked_for_is_described(record: Record, value: str, told: bool) -> None:
    loop = f"""
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=1e-3)
x, y = torch.randn(32, 4), 700 + torch.randn(32, 1)
for k in range(3):
    loss = -torch.distributions.Normal(net(x), 1.0).log_prob({value}).mean()
    opt.zero_grad(); loss.backward(); opt.step()
"""
    rows = record(HEAD + loop).of("density")
    assert [(r["i"], r["fn"]) for r in rows] == ([(i, "Normal") for i in (1, 2, 3)] if told else [])
    assert all(699 < r["target"]["mean"] < 701 for r in rows)
