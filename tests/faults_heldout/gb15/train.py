"""Cultivar recognition on the wine table with a deep stack of equal-width layers."""
import argparse
import logging

import torch
from sklearn.datasets import load_wine
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.preprocessing import StandardScaler
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
log = logging.getLogger("wine")


class DeepStack(nn.Module):
    def __init__(self, n_in, width, depth, n_out, act):
        super().__init__()
        self.inp = nn.Linear(n_in, width)
        self.blocks = nn.ModuleList(nn.Linear(width, width) for _ in range(depth))
        self.out = nn.Linear(width, n_out)
        self.act = act

    def forward(self, x):
        h = self.act(self.inp(x))
        for layer in self.blocks:
            h = self.act(layer(h))
        return self.out(h)


def get_args():
    p = argparse.ArgumentParser()
    p.add_argument("--depth", type=int, default=10)
    p.add_argument("--width", type=int, default=40)
    p.add_argument("--act", choices=["sigmoid", "tanh", "gelu"], default="sigmoid")
    p.add_argument("--lr", type=float, default=0.05)
    p.add_argument("--epochs", type=int, default=150)
    return p.parse_args()


def main():
    args = get_args()
    torch.manual_seed(40)
    x, y = load_wine(return_X_y=True)
    tr, te = next(StratifiedShuffleSplit(1, test_size=0.3, random_state=40).split(x, y))
    scaler = StandardScaler().fit(x[tr])
    x = torch.tensor(scaler.transform(x), dtype=torch.float32)
    y = torch.tensor(y)
    loader = DataLoader(TensorDataset(x[tr], y[tr]), batch_size=16, shuffle=True)
    act = {"sigmoid": torch.sigmoid, "tanh": torch.tanh, "gelu": nn.functional.gelu}[args.act]
    model = DeepStack(x.shape[1], args.width, args.depth, 3, act)
    opt = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9)
    for epoch in range(1, args.epochs + 1):
        tot = 0.0
        for xb, yb in loader:
            loss = nn.functional.cross_entropy(model(xb), yb)
            opt.zero_grad()
            loss.backward()
            opt.step()
            tot += loss.item() * len(yb)
        if epoch % 15 == 0:
            with torch.no_grad():
                acc = (model(x[te]).argmax(1) == y[te]).float().mean().item()
            log.info("epoch %d loss %.4f test acc %.3f", epoch, tot / len(tr), acc)


main()
