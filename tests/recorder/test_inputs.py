"""What counts as a sample: one row of numbers, whatever the arguments of the model."""

from __future__ import annotations

import pytest
from tests.recorder.harness import Record

HEAD = """
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(0)
y = torch.arange(48) % 4
"""


def test_bags_of_tokens_are_one_sample_each(record: Record) -> None:
    run = record(
        HEAD
        + """
bag, head = nn.EmbeddingBag(30, 8), nn.Linear(8, 4)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.bag, self.head = bag, head
    def forward(self, ids, offsets):
        return self.head(self.bag(ids, offsets))
net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
sizes = torch.randint(1, 9, (48,))
ids, offsets = torch.randint(0, 30, (int(sizes.sum()),)), sizes.cumsum(0) - sizes
for i in range(4):
    opt.zero_grad()
    F.cross_entropy(net(ids, offsets), y).backward()
    opt.step()
"""
    )
    row, prints = run.of("sample")[0], run.of("ids")[0]
    assert len(prints["h"]) == 48
    assert prints["y"] == [float(k % 4) for k in range(48)]
    assert len(row["x"][0]) == 128
    lengths = [sum(x) for x in row["x"]]
    assert min(lengths) >= 1
    assert max(lengths) <= 8


@pytest.mark.parametrize(
    ("docs", "samples"),
    [
        ("[torch.randint(0, 30, (1 + k % 8,)) for k in range(48)]", 48),
        ("[torch.arange(48), torch.arange(48).flip(0)]", 2),  # columns: as before
    ],
)
def test_a_list_of_documents_is_as_many_samples(record: Record, docs: str, samples: int) -> None:
    run = record(
        HEAD
        + f"""
docs = {docs}
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.bag, self.head = nn.EmbeddingBag(60, 8), nn.Linear(8, 4)
    def forward(self, docs):
        starts = torch.tensor([0] + [len(d) for d in docs[:-1]]).cumsum(0)
        return self.head(self.bag(torch.cat(docs), starts))
net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(4):
    opt.zero_grad()
    F.cross_entropy(net(docs), y[: len(docs)]).backward()
    opt.step()
"""
    )
    told = run.of("sample")
    if samples == 2:
        assert not any(sum(x) for r in told for x in r["x"] if len(x) == 128)
        return
    lengths = [sum(x) for x in told[0]["x"]]
    assert lengths == [1 + k % 8 for k in range(48)]
    assert run.of("ids")[0]["y"] == [float(k % 4) for k in range(48)]


def test_categories_and_the_measurements_beside_them_are_one_sample(record: Record) -> None:
    source = (
        HEAD
        + """
cat, num = torch.randint(0, 3, (48, 2)), torch.randn(48, {width})
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.head = nn.Embedding(3, 4), nn.Linear(8 + {width}, 4)
    def forward(self, cat, num):
        return self.head(torch.cat([self.embed(cat).flatten(1), num], 1))
net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(4):
    opt.zero_grad()
    F.cross_entropy(net(cat, num), y).backward()
    opt.step()
"""
    )
    both = record(source.replace("{width}", "5"))
    assert len(set(both.of("ids")[0]["h"])) == 48
    assert len(both.of("sample")[0]["x"][0]) == 7
    as_wide = record(source.replace("{width}", "2"))
    assert len(set(as_wide.of("ids")[0]["h"])) == 48
    mask = record(source.replace("{width}", "2").replace("torch.randn(48, 2)", "torch.ones(48, 2)"))
    assert len(set(mask.of("ids")[0]["h"])) <= 9, (
        "zeros and ones as wide as the categories: a mask beside them"
    )


def test_places_in_the_batch_are_no_labels(record: Record) -> None:
    source = (
        HEAD
        + """
net = nn.Linear(6, 4)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
X = torch.randn(16, 6)
for i in range(4):
    opt.zero_grad()
    z = net(X)
    F.cross_entropy(z @ net(X + 0.1).T, {target}).backward()
    opt.step()
"""
    )
    assert record(source.replace("{target}", "torch.arange(16)")).of("ids")[0]["y"] is None
    assert record(source.replace("{target}", "torch.arange(16) % 15")).of("ids")[0]["y"] is not None


def test_nodes_of_several_graphs_in_a_row_are_no_samples(record: Record) -> None:
    source = (
        HEAD
        + """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.head = nn.Embedding(9, 8), nn.Linear(8, 4)
    def forward(self, atoms, OTHER):
        owner = torch.repeat_interleave(torch.arange(16), SIZES_)
        return self.head(torch.zeros(16, 8).index_add_(0, owner, self.embed(atoms)))
net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(8):
    sizes = torch.randint(SIZES, (16,))
    owner = torch.repeat_interleave(torch.arange(16), sizes)
    opt.zero_grad()
    F.cross_entropy(net(torch.randint(0, 9, (len(owner),)), GIVEN), torch.randint(0, 4, (16,))).backward()
    opt.step()
"""
    )
    by_size = source.replace("OTHER", "sizes").replace("SIZES_", "sizes").replace("GIVEN", "sizes")
    packed = record(by_size.replace("SIZES", "5, 12"))
    assert len(packed.of("packed")) == 1
    assert packed.of("ids") == ()
    by_owner = (
        source.replace("OTHER", "owner").replace("SIZES_", "owner.bincount()").replace("GIVEN", "owner")
    )
    graphs = record(by_owner.replace("SIZES", "5, 12"))
    assert graphs.of("packed") == ()
    assert [len(row["h"]) for row in graphs.of("ids")] == [16] * 8
    single = record(by_size.replace("SIZES", "1, 2"))
    assert single.of("packed") == ()
    assert len(single.of("ids")[0]["h"]) == 16


@pytest.mark.parametrize(
    ("data", "size"),
    [
        ("x = torch.randn(100, 5)", 100),
        ("whole = torch.randn(100, 5); x = whole[:60]", 60),
        ("import numpy; x = numpy.random.default_rng(0).normal(size=(100, 5)).astype('float32')", 100),
        ("x = torch.randn(8, 5)", None),
    ],
)
def test_what_batches_are_drawn_from_is_found_among_the_variables(
    record: Record, data: str, size: int | None
) -> None:
    run = record(
        HEAD
        + f"""
{data}
y = torch.randint(0, 4, (len(x),))
net = nn.Linear(5, 4)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(6):
    rows = torch.randint(0, min(20, len(x)), (8,))
    opt.zero_grad()
    F.cross_entropy(net(torch.as_tensor(x[rows.numpy()])), y[rows]).backward()
    opt.step()
"""
    )
    assert [row["n"] for row in run.of("pool")] == ([] if size is None else [size])


def test_graphs_of_the_same_nodes_are_told_apart_by_their_edges(record: Record) -> None:
    source = """
        import torch
        from torch import nn
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.embed, self.head = nn.Embedding(9, 8), nn.Linear(8, 1)
            def forward(self, atoms, ENDS, owner):
                h = self.embed(atoms)
                h = h.index_add(0, FAR, h[NEAR])
                return self.head(torch.zeros(4, 8).index_add_(0, owner, h))
        net = Net()
        opt = torch.optim.SGD(net.parameters(), lr=0.1)
        owner = torch.repeat_interleave(torch.arange(4), 5)
        near = torch.tensor([0, 1, 2, 5, 6, 8, 10, 11, 12, 15, 16, 17])
        far = torch.tensor([1, 2, 3, 7, 9, 5, 11, 12, 13, 17, 19, 18])
        edges = torch.stack([near, far])
        for i in range(3):
            opt.zero_grad()
            net(torch.tensor([1, 1, 2, 2, 3] * 4), GIVEN, owner).pow(2).mean().backward()
            opt.step()
        """
    apart = source.replace("ENDS", "near, far").replace("FAR", "far").replace("NEAR", "near")
    joined = source.replace("ENDS", "edges").replace("FAR", "edges[1]").replace("NEAR", "edges[0]")
    for run in (record(apart.replace("GIVEN", "near, far")), record(joined.replace("GIVEN", "edges"))):
        first, second, third, fourth = run.of("ids")[0]["h"]
        assert first == third  # the same edges
        assert len({first, second, fourth}) == 3


def test_an_evaluated_batch_belongs_to_its_own_loader_and_not_to_that_of_the_next(record: Record) -> None:
    run = record(
        """
        import torch
        from torch import nn
        import torch.nn.functional as F
        from torch.utils.data import DataLoader, TensorDataset
        sets = [TensorDataset(torch.randn(n, 6), torch.randint(0, 3, (n,))) for n in (48, 30)]
        train = DataLoader(sets[0], batch_size=16, shuffle=True)
        monitor, held = DataLoader(sets[0], batch_size=20), DataLoader(sets[1], batch_size=20)
        net = nn.Linear(6, 3)
        opt = torch.optim.SGD(net.parameters(), lr=0.1)
        for x, y in train:
            opt.zero_grad(); F.cross_entropy(net(x), y).backward(); opt.step()
        with torch.no_grad():
            for loader in (monitor, held):
                for x, y in loader:
                    F.cross_entropy(net(x), y)
        """
    )
    shown = [(row["loader"], len(row["h"]), row["known"]) for row in run.of("ids") if not row["grad"]]
    assert shown == [(1, 20, 1.0), (1, 20, 1.0), (1, 8, 1.0), (2, 20, 0.0), (2, 10, 0.0)]


def test_a_view_of_a_parameter_that_is_kept_in_its_place_is_seen(record: Record) -> None:
    source = """
        import torch
        from torch import nn
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.table = nn.Embedding(9, 4)
                self.items = MADE
            def forward(self, u, i):
                return (self.table(u) * self.items[:, i].t()).sum(-1)
        net = Net()
        opt = torch.optim.SGD(net.parameters(), lr=0.1)
        for k in range(6):
            opt.zero_grad()
            net(torch.randint(0, 9, (8,)), torch.randint(0, 7, (8,))).pow(2).mean().backward()
            opt.step()
        """
    view = record(source.replace("MADE", "nn.Parameter(torch.randn(7, 4)).t()"))
    assert {s["name"] for row in view.of("graph") for s in row["strangers"]} == {"items"}
    whole = record(source.replace("MADE", "nn.Parameter(torch.randn(4, 7))"))
    assert not any(row["strangers"] for row in whole.of("graph"))


def test_rows_that_get_one_answer_together_are_no_samples(record: Record) -> None:
    source = """
        import torch
        from torch import nn
        net = nn.Linear(3, 1)
        opt = torch.optim.SGD(net.parameters(), lr=0.1)
        class Graph(nn.Module):
            def __init__(self):
                super().__init__()
                self.net = net
            def forward(self, x):
                return self.net(x).MERGE
        model = Graph()
        for k in range(8):
            loss = (model(torch.randn(5 + k, 3)) - 1).pow(2).mean()
            opt.zero_grad(); loss.backward(); opt.step()
        """
    assert len(record(source.replace("MERGE", "sum()")).of("packed")) == 1
    assert not record(source.replace("MERGE", "squeeze(1)")).of("packed")


DATACLASS = """
from dataclasses import dataclass
@dataclass
class Batch:
    x: torch.Tensor
    name: str = "b"
"""
PLAIN = """
class Batch:
    def __init__(self, x):
        self.x = x
"""


@pytest.mark.parametrize("made", [DATACLASS, PLAIN])
def test_samples_in_a_record_are_seen(record: Record, made: str) -> None:
    source = (
        HEAD
        + made
        + """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(6, 4)
    def forward(self, batch):
        return self.head(batch.x)
net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(48, 6)
for i in range(4):
    opt.zero_grad()
    F.cross_entropy(net(Batch(x)), y).backward()
    opt.step()
"""
    )
    run = record(source)
    assert len(run.of("ids")[0]["h"]) == 48
    assert run.of("forward")[0]["in"][0]["path"] == "0.x"


CARRIED = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear({width}, 1)
    def forward(self, batch):
        return self.head({read}).squeeze(1)
x = torch.randn(48, 3)
batch = {{"x": x, "kind": torch.arange(48) % 5, "count": x.sum(1) + torch.randn(48), "more": x[:, 0] * 2}}
net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for i in range(4):
    opt.zero_grad()
    F.mse_loss(net(batch), batch["{target}"]).backward()
    opt.step()
with torch.no_grad():
    net(batch)
"""
FEATURES = "torch.cat([batch['x'], batch['kind'][:, None], batch['more'][:, None]], 1)"


@pytest.mark.parametrize("order", ["", "batch = dict(reversed(batch.items()))\n"])
def test_targets_that_a_batch_carries_along_are_no_inputs(record: Record, order: str) -> None:
    source = HEAD + CARRIED.format(width=5, read=FEATURES, target="count").replace(
        "net = Net()", order + "net = Net()"
    )
    rows = record(source).of("sample")
    assert len(rows) > 1
    for row in rows:
        columns = list(zip(*row["x"], strict=True))
        assert columns
        assert all(column != tuple(y[0] for y in row["y"]) for column in columns) if row["grad"] else True
    assert len({len(row["x"][0]) for row in rows}) == 1
    alone = HEAD + CARRIED.format(width=3, read="batch['x']", target="more")
    assert len(record(alone).of("sample")[0]["x"][0]) >= 3


def test_what_two_samples_have_in_common_is_no_label_of_either(record: Record) -> None:
    rows = record(
        HEAD
        + """
net = nn.Linear(4, 8)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
def loss(x, y):
    codes = net(x)
    return F.binary_cross_entropy_with_logits(codes @ codes.T, (y[:, None] == y).float())
for i in range(4):
    opt.zero_grad()
    loss(torch.randn(12, 4), torch.randint(0, 3, (12,))).backward()
    opt.step()
net.eval()
with torch.no_grad():
    loss(torch.randn(12, 4), torch.randint(0, 3, (12,)))
"""
    ).of("sample")
    assert {row["grad"] for row in rows} == {True, False}
    assert not any(row.get("y") for row in rows)
