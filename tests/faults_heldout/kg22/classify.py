"""Plankton types from shape descriptors; a few types make up most of the catch."""
import numpy as np
import torch
from torch import nn
from torch.nn import functional as F


class AdjustedSoftmax(nn.Module):
    """Cross entropy on logits shifted by the log frequency of each type."""

    def __init__(self, counts, tau=1.0):
        super().__init__()
        self.register_buffer("shift", tau * torch.log(counts / counts.sum()))

    def forward(self, logits, y):
        return F.cross_entropy(logits + self.shift, y)


def recall_by_type(pred, y, n):
    return torch.stack([(pred[y == k] == k).float().mean() for k in range(n)])


def main():
    torch.manual_seed(9)
    z = np.load("plankton.npz")
    x, xt = (torch.tensor(z[k].astype("float32")) for k in ("x", "x_test"))
    y, yt = (torch.tensor(z[k]).long() for k in ("y", "y_test"))
    m, s = x.mean(0), x.std(0)
    x, xt = (x - m) / s, (xt - m) / s
    n = int(y.max()) + 1
    counts = torch.bincount(y, minlength=n).float()
    print(f"{len(y)} animals, {n} types, largest {int(counts.max())}, smallest {int(counts.min())}")
    rare = counts < 50

    net = nn.Sequential(nn.Linear(x.shape[1], 96), nn.BatchNorm1d(96), nn.SiLU(), nn.Dropout(0.2),
                        nn.Linear(96, 96), nn.BatchNorm1d(96), nn.SiLU(), nn.Dropout(0.2), nn.Linear(96, n))
    criterion = AdjustedSoftmax(counts)
    opt = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=0.05)
    epochs = 30
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, epochs)
    for epoch in range(epochs):
        net.train()
        run = 0.0
        chunks = [c for c in torch.randperm(len(y)).split(64) if len(c) > 1]
        for idx in chunks:
            opt.zero_grad()
            loss = criterion(net(x[idx]), y[idx])
            loss.backward()
            opt.step()
            run += loss.item()
        sched.step()
        if epoch % 3 == 2:
            net.eval()
            with torch.no_grad():
                out = net(xt)
            rec = recall_by_type(out.argmax(1), yt, n)
            print(f"epoch {epoch + 1} loss {run / len(chunks):.3f} test loss {F.cross_entropy(out, yt).item():.3f} "
                  f"mean recall {rec.mean():.3f} common {rec[~rare].mean():.3f} rare {rec[rare].mean():.3f}")


if __name__ == "__main__":
    main()
