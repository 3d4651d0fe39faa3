"""Biased matrix factorisation on a ratings table (explicit feedback)."""
import numpy as np
import torch
from torch import nn

N_USERS, N_ITEMS, N_RATINGS = 600, 400, 30000


def make_ratings(seed=17):
    rng = np.random.default_rng(seed)
    pu, qi = rng.normal(size=(N_USERS, 4)), rng.normal(size=(N_ITEMS, 4))
    bu, bi = rng.normal(size=N_USERS) * 0.4, rng.normal(size=N_ITEMS) * 0.5
    cells = rng.choice(N_USERS * N_ITEMS, N_RATINGS, replace=False)
    u, i = np.divmod(cells, N_ITEMS)
    r = 3.4 + bu[u] + bi[i] + 0.35 * (pu[u] * qi[i]).sum(1) + rng.normal(size=N_RATINGS) * 0.5
    return torch.tensor(u), torch.tensor(i), torch.tensor(r, dtype=torch.float32).clamp(0.5, 5.5)


def split(n, val_frac=0.15, test_frac=0.15, seed=0):
    """Random train / validation / test row indices."""
    perm = torch.randperm(n, generator=torch.Generator().manual_seed(seed))
    n_val, n_test = int(n * val_frac), int(n * test_frac)
    test = perm[n - n_test:]
    train = perm[:n - n_test]
    val = perm[n - n_test - n_val:n - n_test]
    return train, val, test


class BiasedMF(nn.Module):
    def __init__(self, n_users, n_items, rank, mean):
        super().__init__()
        self.user, self.item = nn.Embedding(n_users, rank), nn.Embedding(n_items, rank)
        self.user_bias, self.item_bias = nn.Embedding(n_users, 1), nn.Embedding(n_items, 1)
        self.register_buffer("mean", mean)
        for emb in (self.user, self.item):
            nn.init.normal_(emb.weight, std=0.1)
        for emb in (self.user_bias, self.item_bias):
            nn.init.zeros_(emb.weight)

    def forward(self, u, i):
        dot = (self.user(u) * self.item(i)).sum(-1)
        return self.mean + self.user_bias(u).squeeze(-1) + self.item_bias(i).squeeze(-1) + dot

    def penalty(self, u, i):
        return (self.user(u).pow(2).sum(-1) + self.item(i).pow(2).sum(-1)).mean()


@torch.no_grad()
def rmse(model, u, i, r):
    return (model(u, i) - r).pow(2).mean().sqrt().item()


def main(epochs=20, batch=256, rank=6, lam=0.12, lr=5e-3):
    torch.manual_seed(1)
    u, i, r = make_ratings()
    train, val, test = split(len(r))
    model = BiasedMF(N_USERS, N_ITEMS, rank, r[train].mean())
    opt = torch.optim.Adam(model.parameters(), lr=lr)
    best, best_state = float("inf"), None
    for epoch in range(epochs):
        for b in train[torch.randperm(len(train))].split(batch):
            loss = (model(u[b], i[b]) - r[b]).pow(2).mean() + lam * model.penalty(u[b], i[b])
            opt.zero_grad()
            loss.backward()
            opt.step()
        score = rmse(model, u[val], i[val], r[val])
        if score < best:
            best, best_state = score, {k: v.clone() for k, v in model.state_dict().items()}
        if epoch % 3 == 0 or epoch == epochs - 1:
            print(f"epoch {epoch:3d}  train rmse {rmse(model, u[train], i[train], r[train]):.4f}  val rmse {score:.4f}")
    model.load_state_dict(best_state)
    print(f"best val rmse {best:.4f}   test rmse {rmse(model, u[test], i[test], r[test]):.4f}")


if __name__ == "__main__":
    main()
