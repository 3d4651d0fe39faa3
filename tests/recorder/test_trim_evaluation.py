"""The intervention ``trim_evaluation``: in evaluation no sequence is shown with what fills it up."""

from __future__ import annotations

import pytest
from tests.recorder.harness import Change, Record
from tests.recorder.test_interventions import HEAD

SOURCE = (
    HEAD
    + """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(30, 4)
        self.rnn = nn.GRU(4, 4, batch_first=True)
        self.head = nn.Linear(4, 5)
    def forward(self, x, shift=None):
        h = self.rnn(self.embed(x))[0]
        return {answer}
net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
whole = torch.randint(2, 30, (64, 9))
lengths = torch.tensor([3, 5, 9, 5] * 4)
held = torch.randint(2, 30, (16, 9)).masked_fill(torch.arange(9)[None] >= lengths[:, None], 1)
for i in range(3):
    net.train()
    opt.zero_grad()
    F.cross_entropy({train}, y).backward()
    opt.step()
    net.eval()
    with torch.no_grad():
        if {alone}:
            each = [net(held[k:k + 1, :n]) for k, n in enumerate(lengths.tolist())]
            print(["%.4f" % v for e in each for v in e.flatten().tolist()])
        else:
            out = net(held)
            print(["%.4f" % v for o, n in zip(out, lengths) for v in (o[:n] if o.dim() > 1 else o).flatten().tolist()])
"""
)
LAST = {"answer": "self.head(h[:, -1])", "train": "net(whole)"}
EACH = {"answer": "self.head(h + h.flip(1))", "train": "net(whole)[:, -1]"}


@pytest.mark.parametrize("form", [LAST, EACH], ids=["one answer", "one per position"])
def test_held_out_sequences_are_answered_as_if_each_was_alone(change: Change, form: dict[str, str]) -> None:
    plain, alone = (SOURCE.format(**form, alone=a) for a in (False, True))
    assert change(plain, "trim_evaluation").stdout == change(alone).stdout != change(plain).stdout
    assert change(plain, "trim_evaluation").losses == change(plain).losses


def test_what_evaluation_alone_reads_of_its_padding_is_told(record: Record) -> None:
    (row,) = [r for r in record(SOURCE.format(**LAST, alone=False)).of("probe") if "padding" in r["what"]]
    assert row["what"] == "held_padding"
    assert row["value"] == 1
    assert row["change"] > 0.1
    summed = {"answer": "self.head((self.embed(x) * (x != 1).unsqueeze(2)).sum(1))", "train": "net(whole)"}
    (row,) = [r for r in record(SOURCE.format(**summed, alone=False)).of("probe") if "padding" in r["what"]]
    assert row["change"] < 1e-3
