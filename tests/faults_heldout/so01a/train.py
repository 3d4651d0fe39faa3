import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from recording import Session


class GestureNet(nn.Module):
    def __init__(self, sensors, classes, width=24):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv1d(sensors, width, 7, padding=3), nn.BatchNorm1d(width), nn.ReLU(),
            nn.MaxPool1d(2),
            nn.Conv1d(width, width, 5, padding=2), nn.BatchNorm1d(width), nn.ReLU(),
            nn.MaxPool1d(2),
            nn.Conv1d(width, width, 3, padding=1), nn.BatchNorm1d(width), nn.ReLU(),
        )
        self.drop = nn.Dropout(0.3)
        self.out = nn.Linear(width, classes)

    def forward(self, x):
        return self.out(self.drop(self.features(x).mean(-1)))


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    loss = hit = n = 0
    for x, y in loader:
        p = model(x)
        loss += nn.functional.cross_entropy(p, y, reduction="sum").item()
        hit += (p.argmax(1) == y).sum().item()
        n += len(y)
    return loss / n, hit / n


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--session", default="data")
    ap.add_argument("--epochs", type=int, default=25)
    ap.add_argument("--lr", type=float, default=2e-3)
    ap.add_argument("--seed", type=int, default=0)
    a = ap.parse_args()
    torch.manual_seed(a.seed)

    s = Session(a.session)
    tr, va = s.split(0.7, 11)
    mu = s.x[tr].mean((0, 2), keepdim=True)
    sd = s.x[tr].std((0, 2), keepdim=True)
    x = (s.x - mu) / sd
    train = DataLoader(TensorDataset(x[tr], s.y[tr]), batch_size=32, shuffle=True)
    valid = DataLoader(TensorDataset(x[va], s.y[va]), batch_size=128)

    net = GestureNet(len(s.meta["sensors"]), int(s.y.max()) + 1)
    opt = torch.optim.AdamW(net.parameters(), lr=a.lr, weight_decay=1e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, a.epochs)
    for ep in range(a.epochs):
        net.train()
        tot = 0.0
        for xb, yb in train:
            opt.zero_grad()
            loss = nn.functional.cross_entropy(net(xb), yb)
            loss.backward()
            opt.step()
            tot += loss.item() * len(yb)
        sched.step()
        vl, acc = evaluate(net, valid)
        print(f"epoch {ep + 1:2d}  train {tot / len(tr):.4f}  valid {vl:.4f}  acc {acc:.3f}")


if __name__ == "__main__":
    main()
