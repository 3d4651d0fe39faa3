"""Star ratings: embeddings for users and items, small MLP on top."""
import argparse
import numpy as np
import torch
import torch.nn as nn


class RatingNet(nn.Module):
    def __init__(self, n_users, n_items, dim=12):
        super().__init__()
        self.users = nn.Embedding(n_users, dim)
        self.items = nn.Embedding(n_items, dim)
        nn.init.normal_(self.users.weight, std=0.3)
        nn.init.normal_(self.items.weight, std=0.3)
        self.mlp = nn.Sequential(nn.Linear(3 * dim, 32), nn.ReLU(), nn.Linear(32, 1))

    def forward(self, u, i):
        a, b = self.users(u), self.items(i)
        return self.mlp(torch.cat([a, b, a * b], 1)).squeeze(1)


def rmse(net, u, i, y):
    net.eval()
    with torch.no_grad():
        out = (net(u, i) - y).pow(2).mean().sqrt().item()
    net.train()
    return out


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=12)
    ap.add_argument("--batch", type=int, default=128)
    ap.add_argument("--emb-lr", type=float, default=5.0)
    ap.add_argument("--mlp-lr", type=float, default=2e-3)
    args = ap.parse_args()
    torch.manual_seed(3)

    raw = np.load("ratings.npz")
    u = torch.from_numpy(raw["user"].astype("int64"))
    i = torch.from_numpy(raw["item"].astype("int64"))
    y = torch.from_numpy(raw["stars"].astype("float32"))
    order = torch.randperm(len(y))
    tr, te = order[:13500], order[13500:]
    mu, sd = y[tr].mean(), y[tr].std()
    y = (y - mu) / sd

    net = RatingNet(int(u.max()) + 1, int(i.max()) + 1)
    # the tables like plain SGD, the MLP likes Adam
    opt_emb = torch.optim.SGD([*net.users.parameters(), *net.items.parameters()], lr=args.emb_lr)
    opt_mlp = torch.optim.Adam(net.mlp.parameters(), lr=args.mlp_lr)

    for epoch in range(1, args.epochs + 1):
        tot = 0.0
        for idx in tr[torch.randperm(len(tr))].split(args.batch):
            opt_mlp.zero_grad()
            loss = nn.functional.mse_loss(net(u[idx], i[idx]), y[idx])
            loss.backward()
            opt_emb.step()
            opt_mlp.step()
            tot += loss.item() * len(idx)
        print(f"epoch {epoch:2d}  train mse {tot / len(tr):.4f}  test rmse {rmse(net, u[te], i[te], y[te]):.4f} (sd units)")


if __name__ == "__main__":
    main()
