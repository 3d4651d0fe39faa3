"""Builds the tables used by finetune.py: last season's model (base.pt) and this season's ratings (ratings.npz)."""
import pathlib

import numpy as np
import torch

from recsys.model import RatingModel

HERE = pathlib.Path(__file__).resolve().parent
USERS, ITEMS, RANK = 420, 260, 6


def simulate(u, v, bu, bi, n, rng):
    users, items = rng.integers(0, USERS, n), rng.integers(0, ITEMS, n)
    score = 3.4 + bu[users] + bi[items] + (u[users] * v[items]).sum(1) + rng.normal(0, 0.45, n)
    return users.astype(np.int16), items.astype(np.int16), np.clip(np.round(score * 2) / 2, 0.5, 5.0).astype(np.float32)


def main():
    rng = np.random.default_rng(90)
    torch.manual_seed(90)
    u, v = rng.normal(0, 0.62, (USERS, RANK)), rng.normal(0, 0.62, (ITEMS, RANK))
    bu, bi = rng.normal(0, 0.3, USERS), rng.normal(0, 0.4, ITEMS)
    users, items, stars = simulate(u, v, bu, bi, 30000, rng)
    model = RatingModel(USERS, ITEMS, 16)
    with torch.no_grad():
        model.offset.fill_(float(stars.mean()))
    opt = torch.optim.Adam(model.parameters(), lr=5e-3, weight_decay=2e-5)
    users, items, target = torch.from_numpy(users).long(), torch.from_numpy(items).long(), torch.from_numpy(stars)
    for _ in range(14):
        for idx in torch.randperm(len(target)).split(256):
            loss = ((model(users[idx], items[idx]) - target[idx]) ** 2).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
    print("base model, train mse", loss.item())
    torch.save(model.state_dict(), HERE / "base.pt")
    # the catalogue changed its editions over the summer
    v = 0.8 * v + rng.normal(0, 0.3, v.shape)
    bi = 0.7 * bi + rng.normal(0, 0.35, ITEMS)
    users, items, stars = simulate(u, v, bu, bi, 30000, rng)
    np.savez_compressed(HERE / "ratings.npz", users=users, items=items, stars=stars)


if __name__ == "__main__":
    main()
