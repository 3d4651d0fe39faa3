"""Predict the hours a user spends with a series from the viewing log."""
import argparse
import pathlib

import numpy as np
import torch

from factor import BiasedMF


def load_log(path):
    z = np.load(path)
    user = torch.from_numpy(z["user"].astype(np.int64))
    item = torch.from_numpy(z["series"].astype(np.int64))
    hours = torch.from_numpy(z["minutes"].astype(np.float32) / 60.0)
    return user, item, hours


def batches(idx, size, rng):
    idx = rng.permutation(idx)
    for k in range(0, len(idx), size):
        yield torch.from_numpy(idx[k:k + size])


def main(argv=None):
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--log", default=pathlib.Path(__file__).with_name("viewing.npz"))
    p.add_argument("--rank", type=int, default=6)
    p.add_argument("--epochs", type=int, default=14)
    p.add_argument("--l2", type=float, default=0.02)
    a = p.parse_args(argv)
    rng = np.random.default_rng(17)
    torch.manual_seed(17)

    user, item, hours = load_log(a.log)
    order = rng.permutation(len(hours))
    n = int(0.85 * len(order))
    fit, held = order[:n], order[n:]
    model = BiasedMF(int(user.max()) + 1, int(item.max()) + 1, a.rank, hours[fit].mean())
    opt = torch.optim.Adam(model.parameters(), lr=0.02)
    var = hours[held].var().item()

    for ep in range(a.epochs):
        s = 0.0
        for b in batches(fit, 256, rng):
            err = (model(user[b], item[b]) - hours[b]).pow(2).mean()
            loss = err + a.l2 * model.penalty(user[b], item[b])
            opt.zero_grad()
            loss.backward()
            opt.step()
            s += err.item() * len(b)
        with torch.no_grad():
            mse = (model(user[held], item[held]) - hours[held]).pow(2).mean().item()
        print(f"ep {ep:2d} fit rmse {(s / n) ** 0.5:.3f} h, held-out rmse {mse ** 0.5:.3f} h, R2 {1 - mse / var:.3f}")


if __name__ == "__main__":
    main()
