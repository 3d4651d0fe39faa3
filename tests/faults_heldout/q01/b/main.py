import argparse
import logging

import torch
from torch import nn

from data import Batches, read_table

log = logging.getLogger("building-load")


class LoadNet(nn.Module):
    def __init__(self, n_in, width=96):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(n_in, width), nn.ReLU(),
            nn.Linear(width, width), nn.ReLU(),
        )
        self.head = nn.Linear(width, 1)

    def forward(self, x):
        return self.head(self.body(x)).squeeze(-1)


def r2(pred, y):
    return 1.0 - ((pred - y) ** 2).sum().item() / ((y - y.mean()) ** 2).sum().item()


@torch.no_grad()
def evaluate(model, x, y):
    model.eval()
    pred = model(x)
    model.train()
    return nn.functional.mse_loss(pred, y).item(), r2(pred, y)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=30)
    ap.add_argument("--batch", type=int, default=64)
    ap.add_argument("--lr", type=float, default=1e-3)
    ap.add_argument("--seed", type=int, default=11)
    a = ap.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    torch.manual_seed(a.seed)
    torch.set_num_threads(1)

    xtr, ytr, names = read_table("train.csv")
    xva, yva, _ = read_table("valid.csv")
    log.info("features: %s", ", ".join(names))
    model = LoadNet(xtr.shape[1])
    opt = torch.optim.Adam(model.parameters(), lr=a.lr)
    loader = Batches(xtr, ytr, a.batch, a.seed)

    for epoch in range(a.epochs):
        total, seen = 0.0, 0
        for xb, yb in loader:
            loss = nn.functional.mse_loss(model(xb), yb)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(xb)
            seen += len(xb)
        vl, vr = evaluate(model, xva, yva)
        log.info("epoch %2d  train %.4f  valid %.4f  r2 %.3f", epoch, total / seen, vl, vr)
    torch.save(model.state_dict(), "loadnet.pt")


if __name__ == "__main__":
    main()
