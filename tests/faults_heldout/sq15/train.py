"""State of a bottling line from three vibration channels, hour-long recordings cut into windows
for truncated backpropagation."""
import argparse
import os
import numpy as np
import torch
from torch import nn


class StateTracker(nn.Module):
    def __init__(self, channels=3, hidden=32, states=3):
        super().__init__()
        self.rnn = nn.GRU(channels, hidden, batch_first=True)
        self.out = nn.Linear(hidden, states)

    def forward(self, x, h=None):
        y, h = self.rnn(x, h)
        return self.out(y), h


def load():
    z = np.load(os.path.join(os.path.dirname(os.path.abspath(__file__)), "lines.npz"))
    x = torch.from_numpy(z["signal"].astype(np.float32) / 32)
    y = torch.from_numpy(z["state"].astype(np.int64))
    return (x[:16], y[:16]), (x[16:], y[16:])


def windows(x, y, size):
    for t in range(0, x.shape[1], size):
        yield x[:, t:t + size], y[:, t:t + size]


def train_epoch(model, opt, x, y, size, group):
    model.train()
    criterion = nn.CrossEntropyLoss()
    losses = []
    for rows in torch.randperm(len(x)).split(group):
        for xw, yw in windows(x[rows], y[rows], size):
            h = None
            logits, h = model(xw, h)
            loss = criterion(logits.flatten(0, 1), yw.flatten())
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            h = h.detach()
            losses.append(loss.item())
    return float(np.mean(losses))


@torch.no_grad()
def evaluate(model, x, y):
    model.eval()
    logits, _ = model(x)
    return (logits.argmax(-1) == y).float().mean().item()


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=20)
    ap.add_argument("--window", type=int, default=30)
    ap.add_argument("--group", type=int, default=8)
    ap.add_argument("--lr", type=float, default=4e-3)
    ap.add_argument("--seed", type=int, default=14)
    a = ap.parse_args()
    torch.manual_seed(a.seed)
    (xtr, ytr), (xte, yte) = load()
    model = StateTracker()
    opt = torch.optim.Adam(model.parameters(), lr=a.lr)
    for epoch in range(1, a.epochs + 1):
        loss = train_epoch(model, opt, xtr, ytr, a.window, a.group)
        print(f"epoch {epoch:2d}  loss {loss:.4f}  held-out accuracy {evaluate(model, xte, yte):.4f}")
