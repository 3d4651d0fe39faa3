"""Activity recognition from 4-channel wrist sensor windows."""
import csv
import os

import numpy as np
import torch
from torch import nn

ROOT = os.path.dirname(os.path.abspath(__file__))
ACTIVITIES = ["walk", "run", "stairs", "cycle", "rest"]


def load():
    x = np.load(os.path.join(ROOT, "windows.npy")).astype("float32")
    with open(os.path.join(ROOT, "annotations.csv"), newline="") as fh:
        y = [ACTIVITIES.index(r["activity"]) for r in csv.DictReader(fh)]
    assert len(x) == len(y), (len(x), len(y))
    return torch.from_numpy(x), torch.tensor(y)


class SensorGRU(nn.Module):
    def __init__(self, channels, hidden, n_out):
        super().__init__()
        self.rnn = nn.GRU(channels, hidden, batch_first=True, bidirectional=True)
        self.out = nn.Sequential(nn.LayerNorm(2 * hidden), nn.Linear(2 * hidden, n_out))

    def forward(self, x):
        h, _ = self.rnn(x)
        return self.out(h.mean(dim=1))


def main():
    torch.manual_seed(5)
    x, y = load()
    order = torch.randperm(len(y))
    n_val = len(y) // 5
    va, tr = order[:n_val], order[n_val:]
    mu, sd = x[tr].mean((0, 1)), x[tr].std((0, 1))
    x = (x - mu) / sd

    model = SensorGRU(x.shape[2], 32, len(ACTIVITIES))
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    ce = nn.CrossEntropyLoss()
    bs = 48
    for epoch in range(8):
        model.train()
        perm = tr[torch.randperm(len(tr))]
        losses = []
        for i in range(0, len(perm), bs):
            idx = perm[i:i + bs]
            opt.zero_grad()
            loss = ce(model(x[idx]), y[idx])
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            opt.step()
            losses.append(loss.item())
        model.eval()
        with torch.no_grad():
            logits = model(x[va])
            acc = (logits.argmax(-1) == y[va]).float().mean().item()
            vloss = ce(logits, y[va]).item()
        print(f"[{epoch:02d}] train {np.mean(losses):.3f}  val {vloss:.3f}  val acc {acc:.3f}")


if __name__ == "__main__":
    main()
