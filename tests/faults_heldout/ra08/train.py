import numpy as np
import torch
from torch import nn

from model import TwoTower

USERS, ITEMS, RANK = 300, 200, 5


def ratings(seed=0):
    g = np.random.default_rng(seed)
    p, q = g.normal(size=(USERS, RANK)), g.normal(size=(ITEMS, RANK))
    full = p @ q.T / np.sqrt(RANK) + 0.3 * g.normal(size=ITEMS) + 3.5
    mask = g.random((USERS, ITEMS)) < 0.45
    u, i = np.nonzero(mask)
    r = full[u, i] + 0.2 * g.normal(size=len(u))
    order = g.permutation(len(u))
    u, i, r = (torch.as_tensor(a[order]) for a in (u, i, r))
    cut = int(0.9 * len(u))
    return (u[:cut], i[:cut], r[:cut].float()), (u[cut:], i[cut:], r[cut:].float())


def make_optimizer(model, lr):
    decay, plain = [], []
    for name, p in model.user.named_parameters():
        (plain if name.endswith("bias") else decay).append(p)
    plain += [model.mu, model.item.bias.weight]
    return torch.optim.AdamW([
        {"params": decay, "weight_decay": 1e-3},
        {"params": plain, "weight_decay": 0.0},
    ], lr=lr)


def rmse(model, part):
    model.eval()
    with torch.no_grad():
        return nn.functional.mse_loss(model(part[0], part[1]), part[2]).sqrt().item()


def main():
    torch.manual_seed(0)
    train, test = ratings()
    model = TwoTower(USERS, ITEMS)
    opt = make_optimizer(model, lr=1e-2)
    for epoch in range(20):
        model.train()
        perm = torch.randperm(len(train[0]))
        tot = 0.0
        for idx in perm.split(256):
            pred = model(train[0][idx], train[1][idx])
            loss = nn.functional.mse_loss(pred, train[2][idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            tot += loss.item() * len(idx)
        print(f"epoch={epoch} train_rmse={(tot / len(perm)) ** 0.5:.4f} test_rmse={rmse(model, test):.4f}")


if __name__ == "__main__":
    main()
