import argparse

import numpy as np
import torch

from recommender import Factors


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--file", default="ratings.tsv")
    p.add_argument("--dim", type=int, default=4)
    p.add_argument("--epochs", type=int, default=90)
    p.add_argument("--batch", type=int, default=64)
    p.add_argument("--lr", type=float, default=5e-4)
    p.add_argument("--decay", type=float, default=0.0)
    p.add_argument("--dtype", default="bfloat16")
    return p.parse_args()


def rmse(model, u, i, r):
    model.eval()
    with torch.no_grad():
        e = (model(u, i).float().clamp(0.5, 5.5) - r).pow(2).mean().sqrt().item()
    model.train()
    return e


def main():
    args = parse()
    torch.manual_seed(31)
    t = torch.from_numpy(np.loadtxt(args.file))
    t = t[torch.randperm(len(t))]
    u, i, r = t[:, 0].long(), t[:, 1].long(), t[:, 2].float()
    n = int(0.85 * len(t))
    model = Factors(int(u.max()) + 1, int(i.max()) + 1, args.dim, r[:n].mean().item())
    model = model.to(getattr(torch, args.dtype))   # halves the table size on the server
    opt = torch.optim.Adam(model.parameters(), lr=args.lr, betas=(0.9, 0.99), weight_decay=args.decay)
    print(f"spread of ratings {r[n:].std():.3f}")
    for epoch in range(1, args.epochs + 1):
        total = 0.0
        for b in torch.randperm(n).split(args.batch):
            loss = (model(u[b], i[b]).float() - r[b]).pow(2).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(b)
        if epoch % 5 == 0:
            print(f"epoch {epoch} train rmse {(total / n) ** 0.5:.3f} test rmse {rmse(model, u[n:], i[n:], r[n:]):.3f}")


if __name__ == "__main__":
    main()
