import argparse

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class BearingNet(nn.Module):
    """Two accelerometer channels -> bearing state."""

    def __init__(self, hidden=48, states=4):
        super().__init__()
        self.rnn = nn.GRU(2, hidden, batch_first=True)
        self.head = nn.Sequential(nn.Linear(2 * hidden, 32), nn.ReLU(), nn.Linear(32, states))

    def forward(self, x):
        out, h = self.rnn(x)
        return self.head(torch.cat([out.mean(1), h[-1]], dim=1))


def load(path):
    z = np.load(path)
    x = torch.tensor(z["signal"].astype("float32"))
    y = torch.tensor(z["state"].astype("int64"))
    order = torch.randperm(len(x), generator=torch.Generator().manual_seed(1))
    x, y = x[order], y[order]
    k = 960
    mu, sd = x[:k].mean((0, 1)), x[:k].std((0, 1))
    x = (x - mu) / sd
    return TensorDataset(x[:k], y[:k]), TensorDataset(x[k:], y[k:])


@torch.no_grad()
def score(model, loader):
    model.eval()
    hit = tot = 0
    for x, y in loader:
        hit += (model(x).argmax(1) == y).sum().item()
        tot += len(y)
    return hit / tot


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=10)
    ap.add_argument("--lr", type=float, default=3e-3)
    ap.add_argument("--max-norm", type=float, default=1.0)
    a = ap.parse_args()
    torch.manual_seed(7)
    tr, te = load("bearings.npz")
    dl = DataLoader(tr, batch_size=32, shuffle=True)
    ev = DataLoader(te, batch_size=240)
    net = BearingNet()
    opt = torch.optim.Adam(net.parameters(), lr=a.lr)
    lossf = nn.CrossEntropyLoss()
    for ep in range(a.epochs):
        net.train()
        run, norms = 0.0, []
        for x, y in dl:
            loss = lossf(net(x), y)
            opt.zero_grad()
            loss.backward()
            norms.append(nn.utils.clip_grad_norm_(net.parameters(), a.max_norm).item())
            opt.step()
            run += loss.item() * len(y)
        print(f"epoch {ep:2d}  loss {run / len(tr):.3f}  grad {np.median(norms):.2f}/{max(norms):.2f}  held-out acc {score(net, ev):.3f}")


if __name__ == "__main__":
    main()
