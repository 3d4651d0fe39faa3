"""A model that is called by name is seen as one that is called by position."""

from __future__ import annotations

from typing import Any

import pytest
from tests.recorder.harness import Record

MODEL = """
import torch, torch.nn as nn, torch.nn.functional as F
torch.manual_seed(0)
X, y = torch.randn(96, 6, 5), torch.randint(0, 3, (96,))
X[:, 4:] = 0
tokens = torch.randint(1, 9, (96, 6)); tokens[:, 4:] = 0

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(9, 5)
        self.rnn = nn.LSTM(5, 8, batch_first=True)
        self.head = nn.Linear(8, 3)

    def forward(self, tokens, series=None, mask=None, labels=None):
        h = self.table(tokens) if series is None else self.table(tokens) + series
        out, _ = self.rnn({inner})
        mask = torch.ones_like(tokens) if mask is None else mask
        scores = self.head((out * mask[..., None]).sum(1) / mask.sum(1, keepdim=True))
        return scores if labels is None else F.cross_entropy(scores, labels)

net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(6):
    part = slice(16 * i, 16 * i + 16)
    opt.zero_grad()
    {loss}.backward()
    opt.step()
net.eval()
with torch.no_grad():
    print(F.cross_entropy({held}, y).item())
"""
SCORES = "F.cross_entropy(net({call}), y[part])"


def seen(record: Record, loss: str, held: str, inner: str = "h") -> dict[str, Any]:
    """What was written of inputs: kind -> rows, without the paths of the arguments."""
    rows = record(MODEL.format(loss=loss, held=held, inner=inner)).trace.rows
    text = ("print", "site", "hotspot", "code")  # of which the line of the call is a part, or time
    return {kind: [_pathless(r) for r in told] for kind, told in rows.items() if kind not in text}


def _pathless(row: dict[str, Any]) -> dict[str, Any]:
    kept = {k: v for k, v in row.items() if k not in ("t", "site", "places")}
    if row["k"] == "forward":
        kept["in"] = [{k: v for k, v in t.items() if k != "path"} for t in kept["in"]]
    return kept


@pytest.mark.parametrize(
    ("by_place", "by_name"),
    [
        ("tokens[part]", "tokens=tokens[part]"),
        ("tokens[part], X[part]", "tokens[part], series=X[part]"),
        (
            "tokens[part], X[part], tokens[part] > 0",
            "tokens=tokens[part], series=X[part], mask=tokens[part] > 0",
        ),
    ],
)
def test_what_is_seen_of_a_call_by_name_is_that_of_a_call_by_place(
    record: Record, by_place: str, by_name: str
) -> None:
    place, name = (
        seen(record, SCORES.format(call=call), f"net({call.replace('[part]', '')})")
        for call in (by_place, by_name)
    )
    assert place == name
    assert place["forward"]
    assert place["probe"]


def test_a_layer_that_is_called_by_name_is_seen_too(record: Record) -> None:
    loss, held = SCORES.format(call="tokens[part]"), "net(tokens)"
    assert seen(record, loss, held, "input=h")["rnn"] == seen(record, loss, held)["rnn"]


@pytest.mark.parametrize(("mask", "asked"), [("", "unmasked"), (", mask=tokens[part] > 0", "masked")])
def test_a_mask_that_is_given_by_name_goes_with_the_question_about_padding(
    record: Record, mask: str, asked: str
) -> None:
    loss = SCORES.format(call=f"tokens=tokens[part]{mask}")
    change = next(r["change"] for r in seen(record, loss, "net(tokens)")["probe"] if r["what"] == "padding")
    assert (change > 0.05) is (asked == "unmasked")


def test_labels_by_name_of_a_model_that_computes_its_own_loss_are_no_input(record: Record) -> None:
    own = seen(record, "net(tokens=tokens[part], labels=y[part])", "net(tokens)")
    scripts = seen(record, SCORES.format(call="tokens=tokens[part]"), "net(tokens)")
    assert [r["x"] for r in own["sample"]] == [r["x"] for r in scripts["sample"]]
    assert [r["y"] for r in own["answered"]] == [r["y"] for r in scripts["answered"]]
