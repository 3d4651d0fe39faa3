"""Interventions on the order of things: columns of evaluation inputs, samples of a stream, windows of a sequence."""

from __future__ import annotations

import pytest
from tests.recorder.harness import Change, Record
from tests.recorder.test_interventions import HEAD

EXCHANGED = (
    HEAD
    + """
X = {x}
net = nn.Sequential(nn.Flatten(), nn.LazyLinear(5))
net(X[:1])
opt = torch.optim.SGD(net.parameters(), lr=0.1)
order = {order}
for i in range(3):
    opt.zero_grad()
    F.cross_entropy(net(X), y).backward()
    opt.step()
    with torch.no_grad():
        right = net(X.clone()) if {truth} else F.linear(X.flatten(1), net[1].weight, net[1].bias)
        print("same", torch.equal(net(X[:, order]), right), torch.equal(net(X.long()), net(X.long().float())))
"""
)


@pytest.mark.parametrize(
    ("x", "order"), [("torch.randn(64, 4)", [2, 0, 1, 3]), ("torch.randn(64, 3, 4, 4)", [2, 0, 1])]
)
def test_evaluation_inputs_get_the_order_of_training(change: Change, x: str, order: list[int]) -> None:
    source = EXCHANGED.format(x=x, order=order, truth=False).replace(
        ", torch.equal(net(X.long()), net(X.long().float()))", ""
    )
    plain, changed = change(source), change(source, "reorder_evaluation", order=order)
    assert set(plain.stdout.splitlines()) == {"same False"}
    assert set(changed.stdout.splitlines()) == {"same True"}
    assert changed.losses == plain.losses, "training inputs are left alone"


def test_tokens_of_evaluation_are_numbered_like_those_of_training(change: Change) -> None:
    source = (
        HEAD
        + """
net = nn.Sequential(nn.Embedding(20, 6), nn.Flatten(), nn.Linear(30, 5))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
tokens = torch.arange(320).reshape(64, 5) % 17
for i in range(3):
    opt.zero_grad()
    F.cross_entropy(net(tokens), y).backward()
    opt.step()
    with torch.no_grad():
        print("same", torch.equal(net(torch.where(tokens > 0, tokens + 2, 0)), net[2](net[1](net[0].weight[tokens]))))
"""
    )
    plain, changed = change(source), change(source, "reorder_evaluation", shift=2)
    assert set(plain.stdout.splitlines()) == {"same False"}
    assert set(changed.stdout.splitlines()) == {"same True"}
    assert changed.losses == plain.losses


def test_symbols_of_evaluation_stand_for_those_of_another_vocabulary(change: Change) -> None:
    source = (
        HEAD
        + """
net = nn.Sequential(nn.Embedding(20, 6), nn.Flatten(), nn.Linear(30, 5))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
tokens = torch.arange(320).reshape(64, 5) % 20
other = (tokens * 7) % 20
for i in range(3):
    opt.zero_grad()
    F.cross_entropy(net(tokens), y).backward()
    opt.step()
    with torch.no_grad():
        print("same", torch.equal(net(other), net[2](net[1](net[0].weight[tokens]))))
"""
    )
    pairs = [[(7 * k) % 20, k] for k in range(20)]
    plain, changed = change(source), change(source, "reorder_evaluation", symbols=pairs)
    assert set(plain.stdout.splitlines()) == {"same False"}
    assert set(changed.stdout.splitlines()) == {"same True"}
    assert changed.losses == plain.losses


def test_values_of_images_are_mirrored_in_evaluation_only(change: Change) -> None:
    source = (
        HEAD
        + """
net = nn.Sequential(nn.Flatten(), nn.Linear(20, 5))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
images = X.reshape(-1, 1, 4, 5)
for i in range(3):
    opt.zero_grad()
    F.cross_entropy(net(images), y).backward()
    opt.step()
    with torch.no_grad():
        print("same", torch.allclose(net(3.0 - images), net[1](X), atol=1e-5))
"""
    )
    plain, changed = change(source), change(source, "reorder_evaluation", around=3.0)
    assert set(plain.stdout.splitlines()) == {"same False"}
    assert set(changed.stdout.splitlines()) == {"same True"}
    assert changed.losses == plain.losses


def test_inputs_of_another_width_keep_their_order(change: Change) -> None:
    source = EXCHANGED.format(x="torch.randn(64, 4)", order=[1, 0, 2, 3], truth=False).replace(
        ", torch.equal(net(X.long()), net(X.long().float()))", ""
    )
    assert "True" not in change(source, "reorder_evaluation", order=[1, 0, 2]).stdout


STREAM = (
    HEAD
    + """
from torch.utils.data import IterableDataset
class Ordered(IterableDataset):
    name = "ordered"
    def __init__(self, first):
        self.first = first
    def __iter__(self):
        return iter((X[k], k) for k in range(self.first, 64))
net = nn.Linear(20, 5)
opt = torch.optim.SGD(net.parameters(), lr=0.0)
training, held_out = DataLoader(Ordered(0), batch_size=16), DataLoader(Ordered(32), batch_size=16)
for epoch in range(2):
    seen = []
    for xb, kb in training:
        opt.zero_grad()
        F.cross_entropy(net(xb), kb % 5).backward()
        opt.step()
        seen += kb.tolist()
    with torch.no_grad():
        held = [k for _, kb in held_out for k in kb.tolist()]
    print(seen == list(range(64)), sorted(seen) == list(range(64)), held == list(range(32, 64)))
    print(training.dataset.name, training.dataset.first)
    print(seen)
"""
)


def test_a_stream_is_mixed_in_training_and_not_in_evaluation(record: Record) -> None:
    plain, changed = (
        record(STREAM, max_steps=None, interventions=given) for given in ([], [{"name": "shuffle_loader"}])
    )
    assert plain.stdout.splitlines()[::3] == ["True True True"] * 2
    lines = changed.stdout.splitlines()
    assert lines[::3] == ["False True True"] * 2
    assert lines[1::3] == ["ordered 0"] * 2, "the stream's own attributes are there"
    assert lines[2] != lines[5], "every epoch has an order of its own"


def test_a_stream_that_is_longer_than_what_is_held_is_mixed_in_parts(record: Record) -> None:
    long = STREAM.replace("for k in range(self.first, 64))", "for k in range(self.first, 20100))").replace(
        "(X[k], k)", "(X[k % 64], k)"
    )
    source = long.replace("batch_size=16", "batch_size=1000").replace("range(2)", "range(1)")
    source = source.replace("seen == list(range(64))", "max(seen[:20000]) == 19999").replace(
        "sorted(seen) == list(range(64))", "sorted(seen[20000:]) == list(range(20000, 20100))"
    )
    run = record(source, max_steps=None, interventions=[{"name": "shuffle_loader"}])
    assert run.stdout.startswith("True True")


def test_the_length_of_a_stream_is_still_known(record: Record) -> None:
    sized = STREAM.replace(
        "    def __iter__", "    def __len__(self): return 64 - self.first\n    def __iter__"
    )
    source = sized.replace("    print(seen)\n", "    print(len(training), len(training.dataset))\n")
    run = record(source, max_steps=None, interventions=[{"name": "shuffle_loader"}])
    assert run.stdout.splitlines()[2::3] == ["4 64"] * 2, run.stderr[-2000:]


WINDOWS = (
    HEAD
    + """
{layer}
first, second = torch.randn(8, 12, 5), torch.randn(8, 12, 5)
opt = torch.optim.SGD([*rnn.parameters(), *head.parameters()], lr=0.1)
def cut(state):
    return tuple(t.detach() for t in state) if isinstance(state, tuple) else state.detach()
def windows(sequence):
    state = None
    for t in range(0, 12, 4):
        out, state = rnn({window}, {state})
        state = cut(state)
        yield F.cross_entropy(head({last}), y[:8])
for epoch in range(2):
    for sequence in (first, second):
        for loss in windows(sequence):
            opt.zero_grad()
            loss.backward()
            opt.step()
    with torch.no_grad():
        print([float(loss) for sequence in (first, second) for loss in windows(sequence)])
"""
)


def sliced(state: str, layer: str, *, batch_first: bool) -> str:
    made = f"rnn, head = nn.{layer}(5, 8, batch_first={batch_first}), nn.Linear(8, 5)"
    if batch_first:
        return WINDOWS.format(layer=made, window="sequence[:, t:t + 4]", state=state, last="out[:, -1]")
    turned = WINDOWS.replace("torch.randn(8, 12, 5)", "torch.randn(12, 8, 5)")
    return turned.format(layer=made, window="sequence[t:t + 4]", state=state, last="out[-1]")


@pytest.mark.parametrize("layer", ["RNN", "LSTM", "GRU"])
@pytest.mark.parametrize("batch_first", [True, False])
def test_adjoining_windows_carry_the_state_and_another_sequence_starts_afresh(
    record: Record, layer: str, batch_first: bool
) -> None:
    thrown, kept = (sliced(state, layer, batch_first=batch_first) for state in ("None", "state"))
    carry = [{"name": "carry_state"}]
    plain, carried, right = (
        record(source, max_steps=None, interventions=given)
        for source, given in ((thrown, []), (thrown, carry), (kept, []))
    )
    assert plain.stdout != right.stdout
    assert carried.losses == right.losses
    assert carried.stdout == right.stdout, "evaluation carries the state too"


GATED = """
class Gated(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(5, 8, batch_first=True)
    def forward(self, x, state=None):
        return self.rnn(x * torch.sigmoid(x), {state})
rnn, head = Gated(), nn.Linear(8, 5)
"""


def test_windows_of_the_model_are_those_of_a_layer_that_gets_something_made_of_them(record: Record) -> None:
    thrown, kept = (
        WINDOWS.format(
            layer=GATED.format(state=state), window="sequence[:, t:t + 4]", state="state", last="out[:, -1]"
        )
        for state in ("None", "state")
    )
    carried = record(thrown, max_steps=None, interventions=[{"name": "carry_state"}])
    right = record(kept, max_steps=None)
    assert carried.losses == right.losses
    assert carried.stdout == right.stdout


def test_evaluation_of_windows_that_do_not_adjoin_starts_afresh(record: Record) -> None:
    apart = sliced("None", "GRU", batch_first=True).replace(
        "sequence[:, t:t + 4]", "sequence[:, t:t + 4].clone()"
    )
    held_out = apart.replace(
        "            loss.backward()\n            opt.step()\n", "            loss.backward()\n"
    )
    still = held_out.replace("    with torch", "    opt.step()\n    with torch").replace("lr=0.1", "lr=0.0")
    plain, carried = (
        record(still, max_steps=None, interventions=given) for given in ([], [{"name": "carry_state"}])
    )
    assert carried.stdout == plain.stdout


LENGTHS = (
    HEAD
    + """
class Last(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.rnn, self.out = nn.Embedding(20, 6), nn.GRU(6, 8, batch_first=True), nn.Linear(8, 5)
    def forward(self, tokens, lengths):
        states, _ = self.rnn(self.embed(tokens))
        return self.out(states[torch.arange(len(tokens)), lengths - 1])
net = Last()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
real = torch.arange(64) % 4 + 3
tokens = torch.where(torch.arange(9) < real[:, None], torch.arange(576).reshape(64, 9) % 17 + 1, 0)
for i in range(4):
    opt.zero_grad()
    F.cross_entropy(net(tokens, {told}), y).backward()
    opt.step()
"""
)


def test_lengths_of_the_padded_batch_become_those_of_the_sequences(change: Change) -> None:
    whole, real = LENGTHS.format(told="torch.full((64,), 9)"), LENGTHS.format(told="real")
    assert change(whole, "true_lengths").losses == change(real).losses != change(whole).losses
    assert change(real, "true_lengths").losses == change(real).losses


RECORDINGS = """
import torch
from torch import nn
torch.manual_seed(0)
rise = 20 * torch.arange(6.0)[:, None, None] + torch.linspace(0, 30, 40)[None, :, None]
walk = (torch.randn(6, 40, 1).cumsum(1) / 8 + rise) / 50
rnn, head = nn.GRU(1, 4, batch_first=True), nn.Linear(4, 1)
opt = torch.optim.SGD([*rnn.parameters(), *head.parameters()], lr=0.0)
def through(order):
    state = None
    for t in range(0, 40, 8):
        h, state = rnn(walk[order, t:t + 8], {state})
        state = state.detach()
        yield head(h).square().mean()
for i in range(2):
    for loss in through(torch.randperm(6)):
        opt.zero_grad(); loss.backward(); opt.step()
    with torch.no_grad():
        print([round(float(v), 6) for v in through(torch.arange(6))])
"""


def test_evaluation_goes_on_where_its_windows_do(record: Record) -> None:
    """In copies, which do not adjoin in memory, the values tell; the first window of a pass starts afresh."""
    carry = [{"name": "carry_state"}]
    thrown = record(RECORDINGS.format(state="None"), max_steps=None, interventions=carry)
    kept = record(RECORDINGS.format(state="state"), max_steps=None)
    assert thrown.stdout == kept.stdout
    assert record(RECORDINGS.format(state="None"), max_steps=None).stdout != kept.stdout


CODES = """
codes = torch.randint(0, 3, (64, 2))
other = codes.clone()
other[:, 1] = torch.tensor([4, 1, 5])[codes[:, 1]]
numbers = torch.randn(64, 3)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.tables, self.head = nn.ModuleList([nn.Embedding(6, 4), nn.Embedding(6, 4)]), nn.Linear(11, 5)
    def forward(self, codes, numbers):
        return self.head(torch.cat([t(codes[:, k]) for k, t in enumerate(self.tables)] + [numbers], 1))
net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(3):
    opt.zero_grad()
    F.cross_entropy(net(codes, numbers), y).backward()
    opt.step()
    with torch.no_grad():
        truth = net.head(torch.cat([t(codes[:, k]) for k, t in enumerate(net.tables)] + [numbers], 1))
        print("same", torch.equal(net(other, numbers=numbers), truth))
"""


def test_categories_of_evaluation_get_the_codes_of_training(change: Change) -> None:
    entry = {"column": 1, "pairs": [[4, 0], [5, 2]]}
    plain, changed = change(HEAD + CODES), change(HEAD + CODES, "reorder_evaluation", codes=[entry])
    assert set(plain.stdout.splitlines()) == {"same False"}
    assert set(changed.stdout.splitlines()) == {"same True"}
    assert changed.losses == plain.losses, "training inputs are left alone"
