import argparse
import logging
from pathlib import Path

import numpy as np
import torch
from torch import nn

LOG = logging.getLogger("perception")
FOLDER = Path(__file__).resolve().parent


class Space(nn.Module):
    """Maps sound descriptors to a space where euclidean distance is the rated dissimilarity."""

    def __init__(self, n_in, width, dim):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(n_in, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU(), nn.Linear(width, dim))

    def forward(self, a, b):
        diff = self.f(a) - self.f(b)
        return diff.pow(2).sum(-1).sqrt()


def load():
    z = np.load(FOLDER / "ratings.npz")
    items = torch.from_numpy(z["descriptors"].astype(np.float32))
    items = (items - items.mean(0)) / items.std(0)
    pairs = torch.from_numpy(z["pairs"].astype(np.int64))
    rating = torch.from_numpy(z["dissimilarity"].astype(np.float32))
    n = int(0.85 * len(pairs))
    return items, (pairs[:n], rating[:n]), (pairs[n:], rating[n:])


def fit(opts):
    items, (pt, rt), (pv, rv) = load()
    net = Space(items.shape[1], opts.width, opts.dim)
    optimizer = torch.optim.RMSprop(net.parameters(), lr=opts.lr)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.92)
    for epoch in range(opts.epochs):
        net.train()
        seen = 0.0
        for idx in torch.randperm(len(pt)).split(opts.batch):
            i, j = pt[idx].T
            err = net(items[i], items[j]) - rt[idx]
            loss = err.pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            seen += loss.item() * len(idx)
        scheduler.step()
        net.eval()
        with torch.no_grad():
            p = net(items[pv[:, 0]], items[pv[:, 1]])
            mse = (p - rv).pow(2).mean().item()
            corr = torch.corrcoef(torch.stack([p, rv]))[0, 1].item()
        LOG.info("epoch %2d  train %.4f  valid %.4f  r %.3f", epoch + 1, seen / len(pt), mse, corr)
    torch.save(net.state_dict(), FOLDER / "space.pt")


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(name)s: %(message)s")
    parser = argparse.ArgumentParser()
    parser.add_argument("--width", type=int, default=96)
    parser.add_argument("--dim", type=int, default=6)
    parser.add_argument("--lr", type=float, default=1e-3)
    parser.add_argument("--batch", type=int, default=60)
    parser.add_argument("--epochs", type=int, default=25)
    torch.set_num_threads(1)
    torch.manual_seed(90)
    fit(parser.parse_args())
