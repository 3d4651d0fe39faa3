"""What runs beside a model of sequences: it starts at zero, learns, and sees no later place."""

from __future__ import annotations

import pytest
from tests.recorder.harness import Record, Recorded

HEAD = """
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(3)
TOKENS = torch.randint(0, 12, (32, 10))
VALUES = torch.randn(32, 10, 4)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.table, self.head = nn.Embedding(12, 1), nn.Linear(1, OUT)
        self.first = nn.Linear(4, 1)
    def forward(self, x):
        h = self.first(x) if x.is_floating_point() else self.table(x)
        FORWARD
net = Net()
opt = torch.optim.Adam(net.parameters(), lr=0.02)
for _ in range(STEPS):
    opt.zero_grad()
    LOSS.backward()
    opt.step()
"""


def script(forward: str, loss: str, out: int = 12, steps: int = 60) -> str:
    body = HEAD.replace("FORWARD", forward).replace("LOSS", loss)
    return body.replace("OUT", str(out)).replace("STEPS", str(steps))


SEVERAL = "F.cross_entropy(net(TOKENS).flatten(0, 1), TOKENS.roll(1, 1).flatten())"
MIDDLE = "F.cross_entropy(net(TOKENS), TOKENS.roll(1, 1))"
CASES = {
    "an answer per place": ("return self.head(h)", SEVERAL, 12),
    "all places in one row": ("return self.head(h).flatten(0, 1)", SEVERAL.replace(".flatten(0, 1)", ""), 12),
    "answers in the middle": ("return self.head(h).transpose(1, 2)", MIDDLE, 12),
    "the first of several": ("return self.head(h), h", SEVERAL.replace("net(TOKENS)", "net(TOKENS)[0]"), 12),
    "an answer per sample": ("return self.head(h.mean(1))", "F.cross_entropy(net(TOKENS), TOKENS[:, 0])", 12),
    "measurements": ("return self.head(h)", "F.mse_loss(net(VALUES), VALUES.cumsum(1)[..., :1].tanh())", 1),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_network_beside_a_model_of_sequences_starts_at_zero_and_learns(record: Record, name: str) -> None:
    forward, loss, out = CASES[name]
    plain, wider = runs(record, script(forward, loss, out))
    assert wider.losses[0] == pytest.approx(plain.losses[0])
    assert wider.losses[-1][0] < 0.6 * plain.losses[-1][0]


def test_no_later_place_is_seen(record: Record) -> None:
    """The next symbol of random ones cannot be told from those before it, however wide the network."""
    drawn = "[torch.randint(0, 12, (64, 11))]"
    fresh = f"[F.cross_entropy(net(t[:, :-1]).flatten(0, 1), t[:, 1:].flatten()) for t in {drawn}][0]"
    _, wider = runs(record, script("return self.head(h)", fresh))
    assert wider.losses[-1][0] > 2.4, "log(12) is 2.48"


def test_samples_of_another_size_are_left_alone(record: Record) -> None:
    """A hidden layer over all of a sample was made for ten places of four measurements."""
    loss = "F.mse_loss(net(VALUES[:, : 10 - _ % 2]), VALUES.mean((1, 2))[:, None])"
    plain, wider = runs(record, script("return self.head(h.mean(1))", loss, 1))
    assert len(wider.losses) == len(plain.losses) == 60


def runs(record: Record, source: str) -> tuple[Recorded, Recorded]:
    """As it is, and with the network beside it."""
    return record(source, max_steps=None), record(source, max_steps=None, interventions=[{"name": "widen"}])
