"""The two inputs of models that get two."""

from __future__ import annotations

from tests.recorder.harness import Record
from tests.recorder.test_interventions import HEAD

LOOP = """
opt = torch.optim.SGD([*one.parameters(), *two.parameters()], lr=0.01)
W = (torch.arange(64 * 7) % 50).reshape(64, 7)
for i in range(3):
    opt.zero_grad()
    answer({pair}).backward()
    opt.step()
    with torch.no_grad():
        answer({pair})
"""


def test_two_arguments_of_one_call_and_two_calls_in_turn_are_couples(record: Record) -> None:
    models = "one, two = nn.Linear(20, 4), nn.EmbeddingBag(50, 4)\n"
    turns = "def answer(x, w):\n    return (one(x) * two(w)).sum(1).pow(2).mean()\n"
    rows = record(HEAD + models + turns + LOOP.format(pair="X, W")).of("couple")
    assert {r["grad"] for r in rows} == {True, False}
    assert (len(rows[0]["a"][0]), sum(rows[0]["b"][0])) == (20, 7.0)
    both = (
        "class Both(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.one, self.two = one, two\n"
        "    def forward(self, x, w):\n        return self.one(x) * self.two(w)\n"
        "net = Both()\ndef answer(x, w):\n    return net(x, w).sum(1).pow(2).mean()\n"
    )
    again = record(HEAD + models + both + LOOP.format(pair="X, W")).of("couple")
    assert [(r["a"], r["b"]) for r in again] == [(r["a"], r["b"]) for r in rows]


def test_batches_of_one_kind_and_masks_are_no_couples(record: Record) -> None:
    models = "one, two = nn.Linear(20, 4), nn.Linear(20, 4)\n"
    same = "def answer(x, w):\n    return (one(x) * two(x.flip(0))).sum(1).pow(2).mean()\n"
    assert not record(HEAD + models + same + LOOP.format(pair="X, W")).of("couple")
    masked = (
        "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.one = one\n"
        "    def forward(self, x, mask):\n        return self.one(x * mask)\n"
        "net = Net()\ndef answer(x, w):\n    return net(x, (x > 0).float()).pow(2).mean()\n"
    )
    assert not record(HEAD + models + masked + LOOP.format(pair="X, W")).of("couple")
