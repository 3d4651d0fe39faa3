"""Biased matrix factorisation on 1-5 star ratings (implicit regularisation through small factors)."""
import argparse
import collections
import numpy as np
import torch
from torch import nn

Split = collections.namedtuple("Split", "user item stars")


def ratings(n_users=300, n_items=200, n=24000, seed=55):
    g = np.random.default_rng(seed)
    pu, qi = g.normal(0, .55, (n_users, 4)), g.normal(0, .55, (n_items, 4))
    bu, bi = g.normal(0, .4, n_users), g.normal(0, .5, n_items)
    pairs = g.choice(n_users * n_items, n, replace=False)
    u, i = pairs // n_items, pairs % n_items
    s = np.clip(np.round(3.4 + bu[u] + bi[i] + (pu[u] * qi[i]).sum(1) + g.normal(0, .5, n)), 1, 5)
    t = lambda a, k: torch.as_tensor(a).to(k)
    cut = int(.9 * n)
    mk = lambda sl: Split(t(u[sl], torch.long), t(i[sl], torch.long), t(s[sl], torch.float32))
    return mk(slice(0, cut)), mk(slice(cut, n))


class BiasedMF(nn.Module):
    def __init__(self, n_users, n_items, k, mean):
        super().__init__()
        self.P, self.Q = nn.Embedding(n_users, k), nn.Embedding(n_items, k)
        self.bu, self.bi = nn.Embedding(n_users, 1), nn.Embedding(n_items, 1)
        nn.init.normal_(self.P.weight, 0, .1)
        nn.init.normal_(self.Q.weight, 0, .1)
        nn.init.zeros_(self.bu.weight)
        nn.init.zeros_(self.bi.weight)
        self.register_buffer("mean", torch.tensor(mean))

    def forward(self, u, i):
        return self.mean + self.bu(u).squeeze(1) + self.bi(i).squeeze(1) + (self.P(u) * self.Q(i)).sum(1)

    def penalty(self, u, i):
        return (self.P(u).pow(2) + self.Q(i).pow(2)).sum(1).mean() + (self.bu(u).pow(2) + self.bi(i).pow(2)).mean()


def rmse(model, s):
    with torch.no_grad():
        return (model(s.user, s.item).clamp(1, 5) - s.stars).pow(2).mean().sqrt().item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--k", type=int, default=4)
    ap.add_argument("--reg", type=float, default=0.06)
    ap.add_argument("--epochs", type=int, default=18)
    ap.add_argument("--batch", type=int, default=400)
    a = ap.parse_args()
    torch.manual_seed(23)
    tr, te = ratings()
    model = BiasedMF(300, 200, a.k, tr.stars.mean().item())
    opt = torch.optim.Adam(model.parameters(), lr=0.02)
    decay = torch.optim.lr_scheduler.ExponentialLR(opt, 0.85)
    print("global mean rmse", round((te.stars - tr.stars.mean()).pow(2).mean().sqrt().item(), 4))
    for ep in range(a.epochs):
        for rows in torch.randperm(len(tr.stars)).split(a.batch):
            u, i, s = (c[rows] for c in tr)
            loss = nn.functional.mse_loss(model(u, i), s) + a.reg * model.penalty(u, i)
            opt.zero_grad()
            loss.backward()
            opt.step()
        decay.step()
        print(f"epoch {ep:2d} loss {loss.item():.4f} train rmse {rmse(model, tr):.4f} test rmse {rmse(model, te):.4f}")


if __name__ == "__main__":
    main()
