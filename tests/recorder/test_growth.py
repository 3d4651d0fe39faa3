"""What grows from step to step: graphs that are kept, tensors, stores that fill."""

from __future__ import annotations

from tests.recorder.harness import Record

HEAD = """
import torch
from collections import deque
from torch import nn
torch.manual_seed(0)
"""
LOOP = """
for k in range(21):
    loss = net(torch.randn(8, 4)).pow(2).mean()
    opt.zero_grad(); loss.backward(); opt.step()
    EACH
"""
PLAIN = HEAD + "net = nn.Linear(4, 2)\nopt = torch.optim.SGD(net.parameters(), lr=0.1)\n"


def test_a_graph_in_a_list_in_a_dictionary_is_laid_at_its_name(record: Record) -> None:
    each = 'curve["loss"].append(net(torch.randn(8, 4)).pow(2).mean())'
    run = record(PLAIN + 'curve = {"loss": []}\n' + LOOP.replace("EACH", each), max_steps=30)
    last = run.of("held")[-1]
    assert last["name"] == "loss"
    assert last["steps"] >= 19
    assert "append" in next(s.code for s in run.trace.sites if s.id == last["site"])


QUEUE = """
class Queue:
    def __init__(self):
        self.keys = torch.randn(256, 64)
    def push(self, new):
        self.keys = torch.cat([new, self.keys])END
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.out, self.queue = nn.Linear(4, 64), Queue()
    def forward(self, x):
        found = self.out(x)
        self.queue.push(found.detach())
        return found
net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
"""


def test_a_tensor_that_grows_is_told_with_the_line_that_makes_it_grow(record: Record) -> None:
    run = record(HEAD + QUEUE.replace("END", "") + LOOP.replace("EACH", "pass"), max_steps=30)
    rows = run.of("grown")
    assert [(r["name"], r["i"]) for r in rows] == [("keys", 10), ("keys", 20)]
    assert rows[1]["bytes"] - rows[0]["bytes"] == 10 * 8 * 64 * 4
    assert "torch.cat" in next(s.code for s in run.trace.sites if s.id == rows[0]["site"])


def test_a_tensor_that_is_cut_is_not(record: Record) -> None:
    run = record(HEAD + QUEUE.replace("END", "[:256]") + LOOP.replace("EACH", "pass"), max_steps=30)
    assert run.of("held")
    assert not run.of("grown")


def test_longer_and_longer_batches_are_made_anew(record: Record) -> None:
    each = "x = torch.randn(64, 100 * (k + 4)); x = x[:, :100 * (k + 3)]"
    assert not record(PLAIN + LOOP.replace("EACH", each), max_steps=30).of("grown")


def test_stores_with_a_bound_tell_how_full_they_are(record: Record) -> None:
    kept = """
class Replay:
    def __init__(self):
        self.capacity, self.items = 500, []
memory, replay = deque(maxlen=1000), Replay()
"""
    each = "memory.extend(range(10)); replay.items.extend(range(20))"
    run = record(PLAIN + kept + LOOP.replace("EACH", each), max_steps=30)
    last = {r["name"]: (r["len"], r["limit"]) for r in run.of("store") if r["i"] == 20}
    assert last == {"memory": (190, 1000), "items": (380, 500)}


def test_a_line_that_adds_plain_numbers_to_the_same_container_is_passed_over(record: Record) -> None:
    each = 'curve["a"].append(loss.item())\n    curve["b"].append(net(torch.randn(8, 4)).pow(2).mean())'
    run = record(PLAIN + 'curve = {"a": [], "b": []}\n' + LOOP.replace("EACH", each), max_steps=30)
    last = run.of("held")[-1]
    assert 'curve["b"]' in next(s.code for s in run.trace.sites if s.id == last["site"])


CENTRE = """
class Centre:
    def __init__(self):
        self.value = torch.zeros(2)
    def update(self, new):
        self.value = 0.9 * self.value + 0.1 * new
centre = Centre()
"""


def test_a_tensor_that_an_object_keeps_is_laid_where_it_is_built_on_itself(record: Record) -> None:
    each = "centre.update(net(torch.randn(8, 4)).mean(0))"
    run = record(PLAIN + CENTRE + LOOP.replace("EACH", each), max_steps=30)
    last = run.of("held")[-1]
    assert (last["name"], last["steps"] >= 19) == ("value", True)
    assert "0.9 * self.value" in next(s.code for s in run.trace.sites if s.id == last["site"])


MEAN = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.out, self.rate = nn.Linear(4, 2), torch.zeros(2)
    def forward(self, x):
        return self.out(x)
    def penalty(self, found):
        self.rate = 0.9 * self.rate + 0.1 * found.mean(0)
        return self.rate.sum()
net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for k in range(21):
    found = net(torch.randn(8, 4))
    loss = found.mean() + net.penalty(found)
    opt.zero_grad()
    loss.backward(retain_graph=True)
    opt.step()
"""


def test_what_the_model_keeps_is_named_before_the_loss_that_was_computed_from_it(record: Record) -> None:
    run = record(HEAD + MEAN, max_steps=30)
    last = run.of("held")[-1]
    assert last["name"] == "rate"
    assert "self.rate = 0.9" in next(s.code for s in run.trace.sites if s.id == last["site"])
