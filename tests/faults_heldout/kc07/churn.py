import csv
import math
import time

import torch
from torch import nn

torch.manual_seed(20)

with open("customers.csv") as fh:
    rd = csv.reader(fh)
    names = next(rd)
    table = torch.tensor([[float(v) for v in row] for row in rd])
x, y = table[:, :-1], table[:, -1]
ntr = 1900
x = (x - x[:ntr].mean(0)) / x[:ntr].std(0)


class Anchor:
    """Pulls the weights softly towards their own running average."""

    def __init__(self, model, decay=0.98, strength=0.01):
        self.model = model
        self.decay = decay
        self.strength = strength
        self.avg = {n: p.detach().clone() for n, p in model.named_parameters()}

    def update(self):
        for n, p in self.model.named_parameters():
            self.avg[n] = self.avg[n].lerp(p, 1 - self.decay)

    def penalty(self):
        terms = [((p - self.avg[n]) ** 2).sum() for n, p in self.model.named_parameters()]
        return self.strength * torch.stack(terms).sum()


model = nn.Sequential(
    nn.Linear(9, 48), nn.SiLU(), nn.Dropout(0.1),
    nn.Linear(48, 48), nn.SiLU(), nn.Dropout(0.1),
    nn.Linear(48, 1),
)
anchor = Anchor(model)
opt = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=1e-3)
bce = nn.BCEWithLogitsLoss()

batch = 64
for epoch in range(1, 25):
    model.train()
    start = time.time()
    total = 0.0
    for b in torch.randperm(ntr).split(batch):
        logits = model(x[b]).squeeze(1)
        loss = bce(logits, y[b])
        opt.zero_grad()
        (loss + anchor.penalty()).backward()
        opt.step()
        anchor.update()
        total += loss.item() * len(b)
    steps = math.ceil(ntr / batch)
    ms = (time.time() - start) / steps * 1000
    model.eval()
    with torch.no_grad():
        z = model(x[ntr:]).squeeze(1)
        val = bce(z, y[ntr:]).item()
        acc = ((z > 0).float() == y[ntr:]).float().mean().item()
    print(f"epoch {epoch:2d} train {total / ntr:.4f} val {val:.4f} acc {acc:.3f} ({ms:.1f} ms/step)")
