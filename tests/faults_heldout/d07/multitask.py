"""One shared trunk, three plants with their own heads.  A step sums the gradients of one batch per plant."""
import argparse

import numpy as np
import torch
from torch import nn

PLANTS = ("north", "south", "harbour")


def plant_data(n, seed):
    rng = np.random.default_rng(40)
    basis = rng.normal(size=(16, 6)) / 4
    maps = {p: rng.normal(size=(6, 2)) for p in PLANTS}
    out, r = {}, np.random.default_rng(seed)
    for p in PLANTS:
        x = r.normal(size=(n, 16))
        z = np.tanh(2 * x @ basis)
        y = z @ maps[p] + 0.1 * r.normal(size=(n, 2))
        out[p] = (torch.tensor(x, dtype=torch.float32), torch.tensor(y, dtype=torch.float32))
    return out


class PlantModel(nn.Module):
    def __init__(self, d=16, width=64):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(d, width), nn.GELU(), nn.Linear(width, width), nn.GELU())
        self.heads = nn.ModuleDict({p: nn.Linear(width, 2) for p in PLANTS})

    def forward(self, x, plant):
        return self.heads[plant](self.trunk(x))


def batches(data, size, gen):
    """Endless tuples with one random batch of every plant."""
    n = len(data[PLANTS[0]][0])
    while True:
        perm = {p: torch.randperm(n, generator=gen) for p in PLANTS}
        for s in range(0, n - size + 1, size):
            yield {p: (data[p][0][perm[p][s:s + size]], data[p][1][perm[p][s:s + size]]) for p in PLANTS}


def accumulate(model, optimizer, plant, x, y, share):
    optimizer.zero_grad(set_to_none=False)
    loss = nn.functional.smooth_l1_loss(model(x, plant), y)
    (loss * share).backward()
    return loss.item()


def explained(model, data):
    model.eval()
    res = {}
    with torch.no_grad():
        for p, (x, y) in data.items():
            res[p] = 1 - ((model(x, p) - y) ** 2).mean().item() / y.var(0).mean().item()
    model.train()
    return res


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=900)
    ap.add_argument("--batch", type=int, default=64)
    ap.add_argument("--lr", type=float, default=2e-3)
    a = ap.parse_args()
    torch.manual_seed(8)
    train, test = plant_data(3000, 1), plant_data(800, 2)
    model = PlantModel()
    optimizer = torch.optim.Adam(model.parameters(), lr=a.lr)
    feed = batches(train, a.batch, torch.Generator().manual_seed(5))
    for step in range(1, a.steps + 1):
        group = next(feed)
        losses = {p: accumulate(model, optimizer, p, x, y, 1.0 / len(PLANTS)) for p, (x, y) in group.items()}
        optimizer.step()
        if step % 100 == 0:
            r2 = explained(model, test)
            print(f"{step:4d} loss {sum(losses.values()) / len(PLANTS):.4f}  R2 " +
                  "  ".join(f"{p}={v:.3f}" for p, v in r2.items()))


if __name__ == "__main__":
    main()
