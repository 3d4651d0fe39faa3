"""Matrix factorisation of a rating table with plain tensors and a hand-written SGD."""
import math
import random

import torch

USERS, ITEMS, RANK = 200, 150, 4


def ratings(seed):
    g = torch.Generator().manual_seed(seed)
    u, v = torch.randn(USERS, RANK, generator=g), torch.randn(ITEMS, RANK, generator=g)
    bu, bi = 0.4 * torch.randn(USERS, generator=g), 0.5 * torch.randn(ITEMS, generator=g)
    seen = torch.nonzero(torch.rand(USERS, ITEMS, generator=g) < 0.4)
    r = 3.5 + bu[seen[:, 0]] + bi[seen[:, 1]] + 0.5 * (u[seen[:, 0]] * v[seen[:, 1]]).sum(1)
    r = r + 0.2 * torch.randn(len(r), generator=g)
    order = torch.randperm(len(r), generator=g)
    seen, r = seen[order], r[order]
    cut = int(0.9 * len(r))
    return (seen[:cut], r[:cut]), (seen[cut:], r[cut:])


def predict(params, pairs, mean):
    P, Q, bu, bi = params
    u, i = pairs[:, 0], pairs[:, 1]
    return mean + bu[u] + bi[i] + (P[u] * Q[i]).sum(1)


def sgd(params, velocity, lr, momentum=0.9):
    with torch.no_grad():
        for p, v in zip(params, velocity):
            v.mul_(momentum).add_(p.grad)
            p.sub_(lr * v)
            p.grad = None


def main():
    torch.manual_seed(0)
    random.seed(0)
    (pairs, r), (val_pairs, val_r) = ratings(seed=7)
    mean = r.mean()
    P = (0.3 * torch.randn(USERS, RANK)).requires_grad_()
    Q = (0.3 * torch.randn(ITEMS, RANK)).requires_grad_()
    bu, bi = torch.zeros(USERS, requires_grad=True), torch.zeros(ITEMS, requires_grad=True)
    params = [P, Q, bu, bi]
    velocity = [torch.zeros_like(p) for p in params]
    epochs, batch, base = 20, 64, 0.4
    for epoch in range(epochs):
        lr = 0.5 * base * (1 + math.cos(math.pi * epoch / epochs))
        total = 0.0
        for idx in torch.randperm(len(r)).split(batch):
            err = predict(params, pairs[idx], mean) - r[idx]
            u, i = pairs[idx, 0], pairs[idx, 1]
            ridge = P[u].pow(2).sum(1) + Q[i].pow(2).sum(1) + bu[u] ** 2 + bi[i] ** 2
            loss = err.pow(2).mean() + 0.01 * ridge.mean()
            loss.backward()
            sgd(params, velocity, lr)
            total += err.detach().pow(2).sum().item()
        if epoch % 4 == 3:
            with torch.no_grad():
                rmse = (predict(params, val_pairs, mean) - val_r).pow(2).mean().sqrt().item()
            print(f"epoch {epoch + 1} lr {lr:.4f} train rmse {math.sqrt(total / len(r)):.4f} val rmse {rmse:.4f} (std {val_r.std():.3f})")


if __name__ == "__main__":
    main()
