"""Card fraud detector."""
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

EPOCHS, BATCH, LR = 10, 64, 1e-3


def read(name):
    with np.load(Path(__file__).parent / "transactions.npz") as z:
        return torch.tensor(z[f"x_{name}"], dtype=torch.float32), torch.tensor(z[f"y_{name}"], dtype=torch.float32)


class Detector(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(d, 32), nn.ReLU(), nn.Dropout(0.1), nn.Linear(32, 16), nn.ReLU(), nn.Linear(16, 1))

    def forward(self, x):
        return self.net(x)[:, 0]


def scores(model, x, y):
    model.eval()
    with torch.no_grad():
        flagged = model(x) > 0
    model.train()
    hit = (flagged & (y == 1)).sum().item()
    recall = hit / max(1, (y == 1).sum().item())
    precision = hit / max(1, flagged.sum().item())
    return (flagged.float() == y).float().mean().item(), recall, precision


torch.manual_seed(31)
x, y = read("train")
xv, yv = read("val")
print(f"{len(x)} transactions, {int(y.sum())} fraudulent")
loader = DataLoader(TensorDataset(x, y), batch_size=BATCH, shuffle=True)
model = Detector(x.shape[1])
criterion = nn.BCEWithLogitsLoss(pos_weight=(y == 0).sum() / (y == 1).sum())
optimizer = torch.optim.Adam(model.parameters(), lr=LR)
for epoch in range(EPOCHS):
    total = 0.0
    for xb, yb in loader:
        optimizer.zero_grad()
        loss = criterion(model(xb), yb)
        loss.backward()
        optimizer.step()
        total += loss.item()
    acc, recall, precision = scores(model, xv, yv)
    print(f"epoch {epoch}: loss {total / len(loader):.4f} accuracy {acc:.4f} recall {recall:.3f} precision {precision:.3f}")
