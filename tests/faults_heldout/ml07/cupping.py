# Scores for coffee lots from pairwise cuppings (Bradley-Terry with a network on the lot's measurements).
#
# lots.npz       measurements: [lots, 18]; columns in "names"
# cuppings.csv   preferred lot, other lot, session

import csv
from pathlib import Path

import numpy as np
import torch
from torch import nn

HERE = Path(__file__).parent
EPOCHS = 25
BATCH = 64
torch.manual_seed(31)


def read():
    x = torch.from_numpy(np.load(HERE / "lots.npz")["measurements"]).float()
    with open(HERE / "cuppings.csv") as fh:
        rows = [(int(r["preferred"]), int(r["other"]), int(r["session"])) for r in csv.DictReader(fh)]
    return x, torch.tensor(rows)


class Scorer(nn.Module):
    def __init__(self, columns, hidden=32):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(columns, hidden), nn.SiLU(), nn.Dropout(0.1),
            nn.Linear(hidden, hidden), nn.SiLU(), nn.Dropout(0.1),
            nn.Linear(hidden, 1),
        )

    def forward(self, lots):
        return self.net(lots).squeeze(-1)


def cupping_loss(better, worse):
    """Bradley-Terry likelihood of the panel's decision; small ridge on the scores fixes their origin."""
    return nn.functional.softplus(better - worse).mean() + 1e-3 * (better ** 2 + worse ** 2).mean()


def agreement(model, x, pairs):
    """Share of the cuppings in which the preferred lot has the higher score."""
    model.eval()
    with torch.no_grad():
        s = model(x)
    return (s[pairs[:, 0]] > s[pairs[:, 1]]).float().mean().item()


x, rows = read()
lots_held = torch.arange(len(x)) % 5 == 0  # no cupping between training lots and these is used
both_held = lots_held[rows[:, 0]] & lots_held[rows[:, 1]]
both_train = ~lots_held[rows[:, 0]] & ~lots_held[rows[:, 1]]
train, held = rows[both_train, :2], rows[both_held, :2]
mean, std = x[~lots_held].mean(0), x[~lots_held].std(0)
x = (x - mean) / std

model = Scorer(x.shape[1])
opt = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=1e-2)
print(f"{len(train)} cuppings for training, {len(held)} held out, {len(x)} lots")

for epoch in range(1, EPOCHS + 1):
    model.train()
    losses = []
    for idx in torch.randperm(len(train)).split(BATCH):
        pair = train[idx]
        scores = model(x[pair.flatten()]).view(-1, 2)
        loss = cupping_loss(scores[:, 0], scores[:, 1])
        opt.zero_grad()
        loss.backward()
        opt.step()
        losses.append(loss.item())
    if epoch % 2 == 1:
        print(f"epoch {epoch:2d}  loss {np.mean(losses):.4f}  agreement train {agreement(model, x, train):.3f}  "
              f"held out {agreement(model, x, held):.3f}")

model.eval()
with torch.no_grad():
    top = model(x).argsort(descending=True)[:5].tolist()
print("highest scores: lots", ", ".join(map(str, top)))
