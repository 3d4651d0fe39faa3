import json
import sys

import numpy as np
import torch

from factor import BiasedFactors


def batches(table, size, gen):
    for idx in torch.randperm(len(table), generator=gen).split(size):
        yield table[idx, 0], table[idx, 1], table[idx, 2].float()


@torch.no_grad()
def rmse(model, table):
    model.eval()
    pred, _ = model(table[:, 0], table[:, 1])
    return (pred.clamp(1, 5) - table[:, 2]).pow(2).mean().sqrt().item()


def main(path):
    cfg = json.load(open(path))
    torch.manual_seed(1)
    table = torch.from_numpy(np.loadtxt(cfg["ratings"], delimiter=",", skiprows=1, dtype=np.int64))
    n_users, n_items = int(table[:, 0].max()) + 1, int(table[:, 1].max()) + 1
    gen = torch.Generator().manual_seed(7)
    table = table[torch.randperm(len(table), generator=gen)]
    cut = int(0.85 * len(table))
    train, test = table[:cut], table[cut:]
    model = BiasedFactors(n_users, n_items, cfg["rank"], train[:, 2].float().mean())
    spec = dict(cfg["optimizer"])
    opt = getattr(torch.optim, spec.pop("name"))(model.parameters(), **spec)
    for epoch in range(1, cfg["epochs"] + 1):
        model.train()
        err = 0.0
        for u, i, r in batches(train, cfg["batch_size"], gen):
            pred, penalty = model(u, i)
            fit = (pred - r).pow(2).mean()
            loss = fit + cfg["reg"] * penalty.mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            err += fit.item() * len(r)
        print(f"epoch {epoch:2d}  train rmse {(err / len(train)) ** 0.5:.4f}  test rmse {rmse(model, test):.4f}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "config.json")
