"""Churn model: gated MLP over the monthly customer export."""
from pathlib import Path
import sys

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import BatchSampler, DataLoader, RandomSampler, TensorDataset

HERE = Path(__file__).resolve().parent


def load(name):
    raw = np.genfromtxt(HERE / name, delimiter=",", names=True)
    cols = [c for c in raw.dtype.names if c not in ("customer", "churned")]
    x = np.stack([raw[c] for c in cols], 1).astype(np.float32)
    return cols, torch.from_numpy(x), torch.from_numpy(raw["churned"].astype(np.int64))


class Scaler:
    def fit(self, x):
        self.m, self.s = x.mean(0), x.std(0).clamp_min(1e-6)
        return self

    def __call__(self, x):
        return (x - self.m) / self.s


class GatedMLP(nn.Module):
    def __init__(self, n_in, width=64, p=0.1):
        super().__init__()
        self.inp = nn.Linear(n_in, width)
        self.gate = nn.Linear(n_in, width)
        self.drop = nn.Dropout(p)
        self.mid = nn.Linear(width, width)
        self.out = nn.Linear(width, 2)

    def forward(self, x):
        h = torch.sigmoid(self.gate(x)) * torch.tanh(self.inp(x))
        h = torch.relu(self.mid(self.drop(h)))
        return torch.log_softmax(self.out(h), dim=-1)


def main(epochs=15):
    torch.set_num_threads(1)
    torch.manual_seed(77)
    cols, xt, yt = load("export_train.csv")
    _, xv, yv = load("export_next_month.csv")
    sc = Scaler().fit(xt)
    ds = TensorDataset(sc(xt), yt)
    dl = DataLoader(ds, sampler=BatchSampler(RandomSampler(ds), 50, drop_last=False), batch_size=None)
    xv = sc(xv)
    net = GatedMLP(len(cols))
    nll = nn.NLLLoss()
    opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-4)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=epochs)
    print("columns", cols, file=sys.stderr)
    for ep in range(epochs):
        net.train()
        tot = right = 0.0
        for xb, yb in dl:
            lp = net(xb)
            loss = nll(lp, yb)
            opt.zero_grad()
            loss.backward()
            opt.step()
            tot += loss.item() * len(yb)
            right += (lp.argmax(1) == yb).sum().item()
        sched.step()
        net.eval()
        with torch.no_grad():
            lp = net(xv)
            vloss = nll(lp, yv).item()
            vacc = (lp.argmax(1) == yv).float().mean().item()
        print(f"ep {ep:2d}: train nll {tot / len(ds):.4f} acc {right / len(ds):.3f} | next month nll {vloss:.4f} acc {vacc:.3f}")
    torch.save(net.state_dict(), HERE / "churn.pt")


if __name__ == "__main__":
    main()
