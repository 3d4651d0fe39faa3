"""Tumour classifier on the hospital export (table.npz)."""
import argparse
import logging
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
log = logging.getLogger("tumour")
HERE = Path(__file__).resolve().parent


def load_table(path):
    blob = np.load(path)
    x = blob["x"].astype("float32")
    y = blob["y"].astype("int64")
    n_val = int(0.25 * len(x))
    order = np.random.default_rng(11).permutation(len(x))
    va, tr = order[:n_val], order[n_val:]
    mu, sd = x[tr].mean(0), x[tr].std(0) + 1e-8
    x = (x - mu) / sd
    as_set = lambda idx: TensorDataset(torch.from_numpy(x[idx]), torch.from_numpy(y[idx]))
    return as_set(tr), as_set(va)


class Net(nn.Module):
    def __init__(self, d_in, width, n_out=2):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(d_in, width), nn.ReLU(), nn.Dropout(0.1),
            nn.Linear(width, width), nn.ReLU(),
            nn.Linear(width, n_out))

    def forward(self, x):
        return self.body(x)


@torch.no_grad()
def evaluate(model, loader, loss_fn):
    model.eval()
    tot, hit, n = 0.0, 0, 0
    for xb, yb in loader:
        out = model(xb)
        tot += loss_fn(out, yb).item() * len(yb)
        hit += (out.argmax(1) == yb).sum().item()
        n += len(yb)
    return tot / n, hit / n


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--data", default=str(HERE / "table.npz"))
    p.add_argument("--epochs", type=int, default=40)
    p.add_argument("--lr", type=float, default=1e-3)
    p.add_argument("--width", type=int, default=32)
    p.add_argument("--batch-size", type=int, default=32)
    args = p.parse_args()

    torch.manual_seed(3)
    train_set, val_set = load_table(args.data)
    train_dl = DataLoader(train_set, batch_size=args.batch_size, shuffle=True)
    val_dl = DataLoader(val_set, batch_size=128)
    model = Net(train_set.tensors[0].shape[1], args.width)
    opt = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=1e-2)
    loss_fn = nn.CrossEntropyLoss()

    for epoch in range(1, args.epochs + 1):
        model.train()
        running = 0.0
        for xb, yb in train_dl:
            opt.zero_grad()
            loss = loss_fn(model(xb), yb)
            loss.backward()
            opt.step()
            running += loss.item() * len(yb)
        if epoch % 4 == 0 or epoch == 1:
            vl, va = evaluate(model, val_dl, loss_fn)
            log.info("epoch %d train %.4f val %.4f acc %.3f", epoch, running / len(train_set), vl, va)


if __name__ == "__main__":
    main()
