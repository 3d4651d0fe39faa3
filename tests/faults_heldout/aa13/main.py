"""Star ratings by matrix factorisation."""
import argparse

import numpy as np
import torch
import torch.nn.functional as F

from recsys import Factorizer, parse_dtype, to_device

ap = argparse.ArgumentParser()
ap.add_argument("--epochs", type=int, default=16)
ap.add_argument("--batch", type=int, default=64)
ap.add_argument("--lr", type=float, default=1e-3)
ap.add_argument("--weight-decay", type=float, default=0.02)
ap.add_argument("--dim", type=int, default=6)
ap.add_argument("--precision", default="bf16")
ap.add_argument("--device", default="cpu")


@torch.no_grad()
def rmse(model, u, i, r):
    return (model(u, i).float().clamp(0.5, 5.0) - r).pow(2).mean().sqrt().item()


def main(args):
    torch.manual_seed(77)
    dtype = parse_dtype(args.precision)
    t = np.genfromtxt("ratings.csv", delimiter=",", skip_header=1)
    u, i = (torch.from_numpy(t[:, c].astype(np.int64)) for c in (0, 1))
    r = torch.from_numpy(t[:, 2].astype(np.float32))
    n_users, n_items, cut = int(u.max()) + 1, int(i.max()) + 1, int(0.85 * len(r))

    model = Factorizer(n_users, n_items, args.dim, mean=r[:cut].mean())
    model = to_device(model, args.device, dtype)
    opt = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=args.weight_decay)
    print(f"{n_users} users, {n_items} items, {cut} training ratings, rating std {r.std().item():.3f}")

    for epoch in range(1, args.epochs + 1):
        total = 0.0
        for b in torch.randperm(cut).split(args.batch):
            with torch.autocast(args.device, dtype=dtype, enabled=dtype != torch.float32):
                pred = model(u[b], i[b])
            loss = F.mse_loss(pred.float(), r[b])
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(b)
        if epoch % 4 == 0:
            print(f"epoch {epoch:2d} train mse {total / cut:.3f} test rmse {rmse(model, u[cut:], i[cut:], r[cut:]):.3f}")


if __name__ == "__main__":
    main(ap.parse_args())
