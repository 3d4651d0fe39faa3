"""Matrix factorisation with biases on a ratings table (user, item, stars)."""
import argparse

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def ratings(n_users=600, n_items=250, rank=6, density=0.12, seed=4):
    r = np.random.default_rng(seed)
    taste = r.normal(size=(n_users, rank)) / np.sqrt(rank)
    style = r.normal(size=(n_items, rank))
    full = 3.4 + 0.25 * r.normal(size=(n_users, 1)) + 0.3 * r.normal(size=(1, n_items)) + 0.9 * taste @ style.T
    full = np.clip(full + 0.25 * r.normal(size=full.shape), 0.5, 5.0)
    u, i = np.nonzero(r.random(full.shape) < density)
    stars = np.round(full[u, i] * 2) / 2
    order = r.permutation(len(u))
    u, i, stars = u[order], i[order], stars[order]
    return (torch.from_numpy(u), torch.from_numpy(i), torch.from_numpy(stars).float()), n_users, n_items


class MF(nn.Module):
    def __init__(self, n_users, n_items, rank, mean):
        super().__init__()
        self.users = nn.Embedding(n_users, rank)
        nn.init.normal_(self.users.weight, std=0.1)
        # stored as (rank, items) so that scoring a user against the catalogue is one matmul
        self.items = nn.Parameter(0.1 * torch.randn(n_items, rank)).t()
        self.user_bias = nn.Embedding(n_users, 1)
        self.item_bias = nn.Parameter(torch.zeros(n_items))
        nn.init.zeros_(self.user_bias.weight)
        self.register_buffer("mean", torch.tensor(mean))

    def forward(self, u, i):
        dot = (self.users(u) * self.items[:, i].t()).sum(-1)
        return self.mean + dot + self.user_bias(u).squeeze(-1) + self.item_bias[i]

    @torch.no_grad()
    def top(self, user, k=5):
        scores = self.users.weight[user] @ self.items + self.item_bias
        return scores.topk(k).indices.tolist()


def rmse(model, data):
    model.eval()
    with torch.no_grad():
        err = model(data[0], data[1]).clamp(0.5, 5.0) - data[2]
    model.train()
    return err.pow(2).mean().sqrt().item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--rank", type=int, default=8)
    ap.add_argument("--epochs", type=int, default=25)
    ap.add_argument("--lr", type=float, default=0.01)
    ap.add_argument("--decay", type=float, default=2e-2)
    a = ap.parse_args()

    torch.manual_seed(11)
    (u, i, s), n_users, n_items = ratings()
    cut = int(0.85 * len(u))
    train, test = (u[:cut], i[:cut], s[:cut]), (u[cut:], i[cut:], s[cut:])
    loader = DataLoader(TensorDataset(*train), batch_size=256, shuffle=True)
    model = MF(n_users, n_items, a.rank, train[2].mean().item())
    opt = torch.optim.AdamW(model.parameters(), lr=a.lr, weight_decay=a.decay)
    loss_fn = nn.MSELoss()
    for epoch in range(a.epochs):
        total = 0.0
        for ub, ib, sb in loader:
            opt.zero_grad()
            loss = loss_fn(model(ub, ib), sb)
            loss.backward()
            opt.step()
            total += loss.item() * len(sb)
        if epoch % 4 == 0 or epoch == a.epochs - 1:
            print(f"epoch {epoch:2d}  train mse {total / cut:.4f}  test rmse {rmse(model, test):.4f}")
    print("user 7 gets", model.top(7))


if __name__ == "__main__":
    main()
