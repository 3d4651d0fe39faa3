"""Which samples every epoch draws, and in which order: by their indexes."""

from __future__ import annotations

import pytest
from tests.recorder.harness import Record

SCRIPT = """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
data = TensorDataset(torch.randn(64, 4), torch.randint(0, 2, (64,)))
class Some(torch.utils.data.Sampler):
    def __len__(self):
        return 20
    def __iter__(self):
        return iter(torch.randperm(64, generator=torch.Generator().manual_seed(5))[:20].tolist())
net = nn.Linear(4, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for loader in (DataLoader(data, batch_size=8, WHICH),):
    for epoch in range(3):
        for x, y in loader:
            opt.zero_grad()
            nn.functional.cross_entropy(net(x), y).backward()
            opt.step()
"""


@pytest.mark.parametrize(
    ("which", "prints", "drawn", "ordered"),
    [
        ("sampler=Some()", 1, 20, False),
        ("sampler=Some(), num_workers=1", 1, 20, False),
        ("shuffle=True", 3, 64, False),
        ("shuffle=False", 1, 64, True),
    ],
)
def test_each_whole_epoch_has_its_row(
    record: Record, which: str, prints: int, drawn: int, ordered: bool
) -> None:
    rows = record(SCRIPT.replace("WHICH", which), max_steps=99).of("order")
    assert [(r["loader"], r["epoch"], r["n"], r["distinct"], r["sorted"]) for r in rows] == [
        (0, epoch, drawn, drawn, ordered) for epoch in (1, 2, 3)
    ]
    assert len({r["print"] for r in rows}) == prints


def test_streams_and_epochs_that_are_left_early_have_none(record: Record) -> None:
    stream = SCRIPT.replace("batch_size=8, WHICH", "batch_size=8").replace(
        "DataLoader(data", "DataLoader(Stream()"
    )
    stream = stream.replace(
        "net =",
        "class Stream(torch.utils.data.IterableDataset):\n    def __iter__(self): return iter(data)\nnet =",
    )
    assert record(stream, max_steps=99).of("order") == ()
    left = SCRIPT.replace("WHICH", "shuffle=True").replace(
        "            opt.step()", "            opt.step()\n            break"
    )
    assert record(left).of("order") == ()


WINDOWS = """
import torch
from torch import nn
torch.manual_seed(0)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn, self.out = nn.GRU(1, 4, batch_first=True), nn.Linear(4, 1)
    def forward(self, x):
        return self.out(self.rnn(x)[0])
net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
data = torch.randn(6, 40, 1)
for k in range(5):
    x = {window}
    loss = net(x).pow(2).mean()
    opt.zero_grad(); loss.backward(); opt.step()
"""


@pytest.mark.parametrize(
    ("window", "adjacent"),
    [
        ("data[:, 8 * k:8 * k + 8]", True),
        ("data[:, 4 * k:4 * k + 8]", False),
        ("data[:, 32 - 8 * k:40 - 8 * k]", False),
        ("data[:, 8 * k:8 * k + 8].clone()", None),
    ],
)
def test_windows_of_one_sequence_are_told_by_their_place_in_memory(
    record: Record, window: str, adjacent: bool | None
) -> None:
    rows = record(WINDOWS.format(window=window)).of("rnn")
    assert [r["adjacent"] for r in rows] == [None, *[adjacent] * 4]


def test_the_set_of_what_is_drawn_is_told_apart_from_its_order(record: Record) -> None:
    mixed = "iter(torch.tensor(range(20))[torch.randperm(20)].tolist())"
    source = SCRIPT.replace("WHICH", "sampler=Some()")
    start = source.index("iter(torch.randperm")
    source = source.replace(source[start : source.index("\n", start)], mixed)
    rows = record(source, max_steps=None).of("order")
    assert len({r["print"] for r in rows}) == 3
    assert len({r["set"] for r in rows}) == 1


def test_the_size_of_what_a_recurrent_layer_gets_is_told_of_packed_sequences_too(record: Record) -> None:
    rows = record("""
        import torch
        from torch import nn
        net = nn.GRU(3, 4, batch_first=True)
        opt = torch.optim.SGD(net.parameters(), lr=0.1)
        for k in range(4):
            x = torch.full((5, 6, 3), 200.0)
            sizes = torch.tensor([6, 5, 4, 3, 2])
            given = nn.utils.rnn.pack_padded_sequence(x, sizes, batch_first=True) if k % 2 else x
            opt.zero_grad(); net(given)[1].square().mean().backward(); opt.step()
    """).of("rnn")
    assert {row["size"] for row in rows} == {200.0}
    assert {len(row["shape"]) for row in rows} == {0, 3}
