"""Reshapes that stand where a transpose was meant, told from those that only fold axes."""

from __future__ import annotations

import pytest
from tests.recorder.harness import Record

from lossdoctor.recorder.layouts import folds, heads_first, moved

SCRIPT = """
import torch
from torch import nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear({features}, 3)
    def forward(self, x):
        x = {change}
        return self.out(x.reshape(len(x), -1)[:, :{features}])
net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    opt.zero_grad()
    nn.functional.cross_entropy(net(torch.randn(8, 10, 6)), torch.arange(8) % 3).backward()
    opt.step()
"""


@pytest.mark.parametrize("change", ["x.view(8, 6, 10)", "x.reshape(-1, x.shape[2], x.shape[1])"])
def test_axes_that_a_reshape_renames_are_recorded_with_their_line(record: Record, change: str) -> None:
    (row,) = record(SCRIPT.format(change=change, features=20)).of("mix")
    assert (row["from"], row["to"]) == ([8, 10, 6], [8, 6, 10])


@pytest.mark.parametrize(
    "change", ["x.transpose(1, 2)", "x.reshape(8, 60)", "x.view(8, 10, 2, 3)", "x.reshape(80, 6)[:8]"]
)
def test_transposes_and_folded_axes_are_sound(record: Record, change: str) -> None:
    assert record(SCRIPT.format(change=change, features=6)).of("mix") == ()


def test_padding_is_taken_away_together_with_its_mask_but_not_with_the_lengths(record: Record) -> None:
    source = """
import torch
from torch import nn
torch.manual_seed(0)
lengths = torch.tensor([3, 4, 5, 9] * 4)
tokens = torch.randint(1, 20, (16, 9)) * (torch.arange(9) < lengths[:, None])
mask, y = (tokens > 0).float(), torch.arange(16) % 3
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.rnn, self.head = nn.Embedding(20, 8), nn.GRU(8, 8, batch_first=True), nn.Linear(8, 3)
    def forward(self, x, lengths, mask):
        assert mask.shape == x.shape and lengths.shape[0] == x.shape[0]
        h, _ = self.rnn(self.embed(x))
        return self.head({how})
net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(6):
    opt.zero_grad()
    nn.functional.cross_entropy(net(tokens, lengths, mask), y).backward()
    opt.step()
"""
    last, real = "h[:, -1]", "h[torch.arange(len(x)), lengths - 1]"
    changes = []
    for how in (last, real):
        run = record(source.replace("{how}", how))
        changes.append(next(r["change"] for r in run.of("probe") if r["what"] == "padding"))
    assert changes[0] > 0.1
    assert changes[1] < 1e-4


def test_padding_is_taken_away_together_with_what_relates_positions(record: Record) -> None:
    """A graph in a dense batch: its edges (N, T, T) are cut along both axes of nodes."""
    source = """
import torch
from torch import nn
torch.manual_seed(0)
lengths = torch.tensor([3, 4, 5, 9] * 4)
real = torch.arange(9) < lengths[:, None]
atoms, y = torch.randint(1, 20, (16, 9)) * real, torch.arange(16) % 3
edges = (torch.rand(16, 9, 9) < 0.4) * real[:, :, None] * real[:, None].float()
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.head = nn.Embedding(20, 8), nn.Linear(8, 3)
    def forward(self, x, edges):
        h = torch.relu(edges @ self.embed(x)) + self.embed(x)
        return self.head(POOLED)
net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(6):
    opt.zero_grad()
    nn.functional.cross_entropy(net(atoms, edges), y).backward()
    opt.step()
"""
    changes = []
    for pooled in ("h.mean(1)", "(h * (x > 0)[:, :, None]).sum(1)"):
        run = record(source.replace("POOLED", pooled))
        changes.append(next(r["change"] for r in run.of("probe") if r["what"] == "padding"))
    assert changes[0] > 0.1
    assert changes[1] < 1e-4


HEADS = """
import torch
from torch import nn
torch.manual_seed(0)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv, self.out = nn.Linear(6, 24), nn.Linear(24, 3)
    def forward(self, x):
        z = self.qkv(x).view(8, {length}, 4, 6).transpose(1, 2)
        return self.out({change}).mean(1)
net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(8, {length}, 6)
for _ in range(3):
    opt.zero_grad()
    nn.functional.cross_entropy(net(x), torch.arange(8) % 3).backward()
    opt.step()
"""
WRONG, RIGHT = "z.reshape(8, {length}, 24)", "z.transpose(1, 2).reshape(8, {length}, 24)"


@pytest.mark.parametrize("length", [10, 6])  # as long as a head is wide, too
def test_heads_that_are_merged_without_their_transpose_are_recorded_and_mended(
    record: Record, length: int
) -> None:
    wrong, right = (HEADS.format(length=length, change=c.format(length=length)) for c in (WRONG, RIGHT))
    (row,) = record(wrong).of("mix")
    assert (row["from"], row["to"]) == ([8, 4, length, 6], [8, length, 24])
    assert record(right).of("mix") == ()
    mended = record(wrong, interventions=[{"name": "move_axis"}])
    assert mended.losses == record(right).losses != record(wrong).losses
    assert record(right, interventions=[{"name": "move_axis"}]).losses == record(right).losses


SPLIT = HEADS.replace(".view(8, {length}, 4, 6).transpose(1, 2)", "{split}").replace(
    "{change}", "z.transpose(1, 2).reshape(8, {length}, 24)"
)


@pytest.mark.parametrize("length", [10, 6])
def test_heads_that_are_split_without_their_transpose_are_recorded_and_mended(
    record: Record, length: int
) -> None:
    splits = f".reshape(8, 4, {length}, 6)", f".view(8, {length}, 4, 6).transpose(1, 2)"
    wrong, right = (SPLIT.format(length=length, split=split) for split in splits)
    (row,) = record(wrong).of("mix")
    assert (row["from"], row["to"]) == ([8, length, 24], [8, 4, length, 6])
    assert record(right).of("mix") == ()
    mended = record(wrong, interventions=[{"name": "move_axis"}])
    assert mended.losses == record(right).losses != record(wrong).losses


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        ([8, 10, 24], [8, 4, 10, 6], True),
        ([8, 10, 24], [8, 10, 4, 6], False),
        ([8, 4, 24], [8, 4, 4, 6], False),  # as many heads as positions: either reading
        ([8, 10, 24], [8, 2, 5, 24], False),  # groups of positions
        ([8, 64, 9], [8, 64, 3, 3], False),
        ([80, 24], [8, 4, 10, 6], False),
    ],
)
def test_heads_come_before_the_axis_that_led(before: list[int], after: list[int], found: bool) -> None:
    assert heads_first(before, after) == found


@pytest.mark.parametrize(
    ("before", "after", "axis"),
    [
        ([8, 4, 10, 6], [8, 10, 24], 2),
        ([8, 4, 10, 6], [8, 40, 6], None),  # merged
        ([8, 4, 10, 6], [8, 2, 2, 10, 6], None),  # split
        ([8, 4, 10, 6], [8, 4, 60], None),
        ([8, 3, 32, 32], [8, 3, 8, 4, 8, 4], None),  # patches
        ([8, 10, 5], [8, 5, 10], 2),
        ([8, 10, 6], [4, 2, 60], None),
    ],
)
def test_an_axis_is_moved_when_it_leads_without_being_merged_or_split(
    before: list[int], after: list[int], axis: int | None
) -> None:
    assert moved(before, after) == axis


@pytest.mark.parametrize(("cut", "sees"), [("[..., :-2]", False), ("[..., 2:]", True)])
def test_series_of_plain_numbers_are_asked_whether_they_see_the_future(
    record: Record, cut: str, sees: bool
) -> None:
    source = f"""
import torch
from torch import nn
torch.manual_seed(0)
series = torch.randn(32, 24).cumsum(1) / 5
class Causal(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.out = nn.Conv1d(1, 8, 3, padding=2), nn.Conv1d(8, 1, 1)
    def forward(self, x):
        return self.out(torch.relu(self.conv(x[:, None]){cut}))[:, 0]
net = Causal()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(6):
    opt.zero_grad()
    nn.functional.mse_loss(net(series[:, :-1]), series[:, 1:]).backward()
    opt.step()
"""
    (row,) = [r for r in record(source).of("probe") if r["what"] == "future"]
    assert row["shifted"] == 1.0
    assert (row["change"] > 1e-3) is sees


@pytest.mark.parametrize(("padding", "sees"), [("(2, 0)", False), ("(1, 1)", True)])
def test_scores_of_symbols_may_have_their_classes_before_their_positions(
    record: Record, padding: str, sees: bool
) -> None:
    source = f"""
import torch
from torch import nn
torch.manual_seed(0)
codes = torch.randint(0, 9, (32, 24))
class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.conv, self.out = nn.Embedding(9, 8), nn.Conv1d(8, 8, 3), nn.Conv1d(8, 9, 1)
    def forward(self, x):
        h = nn.functional.pad(self.embed(x).transpose(1, 2), {padding})
        return self.out(torch.relu(self.conv(h)))
net = Reader()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(6):
    opt.zero_grad()
    nn.functional.cross_entropy(net(codes[:, :-1]), codes[:, 1:]).backward()
    opt.step()
"""
    (row,) = [r for r in record(source).of("probe") if r["what"] == "future"]
    assert row["shifted"] == 1.0
    assert (row["change"] > 1e-3) is sees


@pytest.mark.parametrize(("padding", "sees"), [("(2, 0)", False), ("(1, 1)", True)])
def test_targets_of_the_last_moments_alone_are_the_next_inputs_too(
    record: Record, padding: str, sees: bool
) -> None:
    source = f"""
import torch
from torch import nn
torch.manual_seed(0)
series = torch.randn(32, 24).cumsum(1) / 5
class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.out = nn.Conv1d(1, 8, 3), nn.Conv1d(8, 1, 1)
    def forward(self, x):
        return self.out(torch.relu(self.conv(nn.functional.pad(x[:, None], {padding}))))[:, 0]
net = Reader()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(6):
    opt.zero_grad()
    nn.functional.mse_loss(net(series[:, :-1])[:, 5:], series[:, 6:]).backward()
    opt.step()
"""
    (row,) = [r for r in record(source).of("probe") if r["what"] == "future"]
    assert row["shifted"] == 1.0
    assert (row["change"] > 1e-3) is sees


@pytest.mark.parametrize("targets", ["y", "targets=y"])
def test_a_model_that_answers_with_its_loss_is_asked_for_its_scores(record: Record, targets: str) -> None:
    source = f"""
import torch
from torch import nn
torch.manual_seed(0)
text = torch.randint(0, 9, (400,))
class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.out = nn.Embedding(9, 8), nn.Linear(8, 9)
        self.read = nn.MultiheadAttention(8, 1, batch_first=True)
    def forward(self, x, targets=None):
        h = self.words(x)
        scores = self.out(h + self.read(h, h, h)[0])
        return scores if targets is None else nn.functional.cross_entropy(scores.flatten(0, 1), targets.flatten())
net = Reader()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for k in range(6):
    x, y = (torch.stack([text[j + by : j + by + 12] for j in range(16 * k, 16 * k + 16)]) for by in (0, 1))
    opt.zero_grad()
    net(x, {targets}).backward()
    opt.step()
"""
    (row,) = [r for r in record(source).of("probe") if r["what"] == "future"]
    assert (row["shifted"], row["change"] > 1e-3) == (1.0, True)


@pytest.mark.parametrize(("batch_first", "mixes"), [("True", False), ("False", True)])
def test_whether_samples_of_a_batch_mix_is_asked(record: Record, batch_first: str, mixes: bool) -> None:
    source = f"""
import torch
from torch import nn
torch.manual_seed(0)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.read, self.out = nn.LSTM(3, 8, batch_first={batch_first}), nn.Linear(8, 2)
    def forward(self, x):
        return self.out(self.read(x)[0][:, -1])
net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.randn(12, 12, 3), torch.randint(0, 2, (12,))
for _ in range(4):
    opt.zero_grad()
    nn.functional.cross_entropy(net(x), y).backward()
    opt.step()
"""
    (row,) = [r for r in record(source).of("probe") if r["what"] == "samples"]
    assert (row["change"] > 1e-3) is mixes


DECODER = """
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(0)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.rnn, self.out = nn.Embedding(9, 8), nn.GRU(8, 8, batch_first=True), nn.Linear(8, 9)
    def forward(self, source, known):
        _, state = self.rnn(self.embed(source))
        READ
net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(6):
    source, target = torch.randint(0, 9, (16, 6)), torch.randint(0, 9, (16, 7))
    opt.zero_grad()
    F.cross_entropy(net(source, GIVEN).flatten(0, 1), target[:, 1:].flatten()).backward()
    opt.step()
"""
READS = "return self.out(self.rnn(self.embed(known), state)[0])"
LEAVES = "return self.out(self.rnn(self.embed(source), state)[0])"


@pytest.mark.parametrize(
    ("read", "given", "same"),
    [(READS, "target[:, 1:]", 1.0), (READS, "target[:, :-1]", None), (LEAVES, "target[:, 1:]", None)],
)
def test_an_answer_that_a_decoder_reads_as_it_is_asked_for_is_told(
    record: Record, read: str, given: str, same: float | None
) -> None:
    run = record(DECODER.replace("READ", read).replace("GIVEN", given))
    rows = [r for r in run.of("probe") if r["what"] == "future" and r["change"] < 1e-4]
    assert [r["same"] for r in rows if r["same"] == 1.0] == ([same] if same else [])


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        ([8, 4, 30], [240, 4], True),  # scores by class, then time
        ([8, 5, 6, 7], [336, 5], True),
        ([8, 30, 4], [240, 4], False),  # classes last
        ([8, 4, 4], [32, 4], False),  # cannot be told
        ([8, 4, 30], [8, 120], False),
        ([1, 4, 30], [30, 4], False),
        ([27, 64, 4, 16], [1728, 64], False),  # heads merged as they stand
    ],
)
def test_classes_that_are_read_from_the_wrong_axis(before: list[int], after: list[int], found: bool) -> None:
    assert folds(before, after) == found


TAGS = """
import torch
from torch import nn
torch.manual_seed(0)
net = nn.Conv1d(2, 3, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.5)
x = torch.randn(8, 2, 10)
y = (x[:, 0] > 0).long() + (x[:, 1] > 0).long()
for _ in range(8):
    opt.zero_grad()
    nn.functional.cross_entropy(net(x){order}.reshape(-1, 3), y.reshape(-1)).backward()
    opt.step()
"""


def test_scores_are_folded_over_their_classes_after_the_model_and_brought_in_order(record: Record) -> None:
    (row,) = record(TAGS.format(order="")).of("mix")
    assert (row["what"], row["from"], row["to"]) == ("fold", [8, 3, 10], [80, 3])
    sound = record(TAGS.format(order=".transpose(1, 2)"))
    assert sound.of("mix") == ()
    assert record(TAGS.format(order=""), interventions=[{"name": "move_axis"}]).losses == sound.losses


DICT = """
import torch
from torch import nn
torch.manual_seed(0)
lengths = torch.tensor([3, 4, 5, 9] * 4)
tokens = torch.randint(1, 20, (16, 9)) * (torch.arange(9) < lengths[:, None])
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.head = nn.Embedding(20, 8), nn.Linear(8, 1)
    def forward(self, batch):
        h = self.embed(batch["tokens"])
        mask = (batch["tokens"] > 0)[..., None]
        pooled = {how}
        return self.head(pooled).squeeze(1)
net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(6):
    opt.zero_grad()
    nn.functional.mse_loss(net({"tokens": tokens, "lengths": lengths}), lengths / 9).backward()
    opt.step()
"""


@pytest.mark.parametrize(
    ("how", "reads"), [("h.mean(dim=1)", True), ("(h * mask).sum(1) / mask.sum(1)", False)]
)
def test_a_batch_may_be_one_dict(record: Record, how: str, reads: bool) -> None:
    run = record(DICT.replace("{how}", how))
    (probe,) = [r for r in run.of("probe") if r["what"] == "padding"]
    assert (probe["change"] > 0.05) == reads
    assert ("pooled" in {s.what for s in run.trace.sites}) == reads


@pytest.mark.parametrize("shift", [0, 1])
def test_a_model_that_answers_with_its_loss_and_its_scores_is_asked_for_these(
    record: Record, shift: int
) -> None:
    source = f"""
import torch
from torch import nn
torch.manual_seed(0)
source, symbols = torch.randint(0, 9, (32, 6)), torch.randint(0, 9, (32, 13))
class Writer(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(9, 8)
        self.write, self.out = nn.GRU(8, 8, batch_first=True), nn.Linear(8, 9)
    def forward(self, input_ids, decoder_input_ids, labels=None):
        state = self.words(input_ids).mean(1)[None].contiguous()
        scores = self.out(self.write(self.words(decoder_input_ids), state)[0])
        loss = nn.functional.cross_entropy(scores.flatten(0, 1), labels.flatten())
        return {{"loss": loss, "scores": scores}}
net = Writer()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
labels = symbols[:, {shift}:12 + {shift}]
for k in range(6):
    opt.zero_grad()
    net(input_ids=source, decoder_input_ids=symbols[:, :12], labels=labels)["loss"].backward()
    opt.step()
"""
    (row,) = [r for r in record(source).of("probe") if r["what"] == "future"]
    assert (row["same"] > 0.9, row["shifted"] > 0.9, row["change"]) == (shift == 0, shift == 1, 0.0)


def test_padding_is_asked_of_scores_that_come_after_a_loss(record: Record) -> None:
    source = """
import torch
from torch import nn
torch.manual_seed(0)
lengths = torch.randint(3, 9, (32,))
codes = torch.randint(1, 9, (32, 12)) * (torch.arange(12) < lengths[:, None])
labels = (lengths > 5).long()
class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.out = nn.Embedding(9, 8), nn.Linear(8, 2)
    def forward(self, codes, labels):
        scores = self.out(self.words(codes).mean(1))
        return nn.functional.cross_entropy(scores, labels), scores
net = Reader()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for k in range(6):
    opt.zero_grad()
    net(codes, labels)[0].backward()
    opt.step()
"""
    asked = {r["what"]: r["change"] for r in record(source).of("probe")}
    assert asked["padding"] > 0.05
    assert asked["samples"] == 0.0
