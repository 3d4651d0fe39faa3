# Explicit-feedback matrix factorisation: r_ui = mu + b_u + b_i + <p_u, q_i>
import numpy as np
import torch

rng = np.random.default_rng(11)
N_USERS, N_ITEMS, RANK = 300, 200, 6

# ---- ratings ---------------------------------------------------------------
P0 = rng.normal(0, 0.7, (N_USERS, RANK))
Q0 = rng.normal(0, 0.7, (N_ITEMS, RANK))
bu0, bi0 = rng.normal(0, 0.4, N_USERS), rng.normal(0, 0.5, N_ITEMS)
full = 3.4 + bu0[:, None] + bi0[None] + P0 @ Q0.T + rng.normal(0, 0.3, (N_USERS, N_ITEMS))
cells = rng.permutation(N_USERS * N_ITEMS)[:18000]
users, items = np.divmod(cells, N_ITEMS)
ratings = full[users, items]

users = torch.from_numpy(users)
items = torch.from_numpy(items)
ratings = torch.tensor(ratings, dtype=torch.float32)
train, test = slice(0, 15000), slice(15000, None)

# ---- parameters ------------------------------------------------------------
g = torch.Generator().manual_seed(1)
mu = ratings[train].mean()
p = (0.1 * torch.randn(N_USERS, 8, generator=g)).requires_grad_()
q = (0.1 * torch.randn(N_ITEMS, 8, generator=g)).requires_grad_()
b_u = torch.zeros(N_USERS, requires_grad=True)
b_i = torch.zeros(N_ITEMS, requires_grad=True)

opt_factors = torch.optim.Adam([p, q], lr=0.01)
opt_bias = torch.optim.Adam([b_u, b_i], lr=0.01)
optimizers = (opt_factors, opt_bias)


def predict(u, i):
    return mu + b_u[u] + b_i[i] + (p[u] * q[i]).sum(-1)


def rmse(part):
    with torch.no_grad():
        return (predict(users[part], items[part]) - ratings[part]).pow(2).mean().sqrt().item()


print(f"start: train rmse {rmse(train):.4f}  test rmse {rmse(test):.4f}")
for epoch in range(8):
    order = torch.randperm(15000, generator=g)
    running = 0.0
    for idx in order.split(256):
        u, i, r = users[idx], items[idx], ratings[idx]
        err = (predict(u, i) - r).pow(2).mean()
        reg = 0.02 * (p[u].pow(2).sum(-1) + q[i].pow(2).sum(-1)).mean()
        (err + reg).backward()
        for opt in optimizers:
            opt.zero_grad()
            opt.step()
        running += err.item() * len(idx)
    print(f"epoch {epoch}: sq err {running / 15000:.4f}  test rmse {rmse(test):.4f}")
