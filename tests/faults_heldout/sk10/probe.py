"""Odd/even head on top of the digit backbone (backbone stays as delivered)."""
from pathlib import Path
import sys

import torch
from torch import nn
from sklearn.datasets import load_digits

from backbone import make_backbone

torch.manual_seed(int(sys.argv[1]) if len(sys.argv) > 1 else 2)


class Probe(nn.Module):
    def __init__(self, weights):
        super().__init__()
        self.backbone = make_backbone()
        self.backbone.load_state_dict(torch.load(weights))
        self.backbone.requires_grad_(False)
        self.head = nn.Linear(128, 1)

    def train(self, mode=True):
        super().train(mode)
        self.backbone.eval()  # keep the running statistics of the delivered model
        return self

    def forward(self, x):
        return self.head(self.backbone(x)).squeeze(-1)


digits = load_digits()
# the first 900 scans were used to make the backbone
x = torch.tensor(digits.images[900:], dtype=torch.float32)[:, None] / 16
y = torch.tensor(digits.target[900:] % 2, dtype=torch.float32)
order = torch.randperm(len(x))
fit, held = order[:600], order[600:]

model = Probe(Path(__file__).with_name("backbone.pt"))
opt = torch.optim.Adam(model.head.parameters(), lr=1e-3, weight_decay=1e-4)
bce = nn.BCEWithLogitsLoss()

for epoch in range(20):
    model.train()
    tot = 0.0
    for b in fit[torch.randperm(len(fit))].split(10):
        loss = bce(model(x[b]), y[b])
        opt.zero_grad()
        loss.backward()
        opt.step()
        tot += loss.item() * len(b)
    model.eval()
    with torch.no_grad():
        z = model(x[held])
    acc = ((z > 0).float() == y[held]).float().mean()
    print(f"{epoch + 1:2d}  fit {tot / len(fit):.4f}  held-out {bce(z, y[held]):.4f}  acc {acc:.4f}")
