import json
import os

import numpy as np
import torch

from model import BiasedMF

CFG = json.load(open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "mf.json")))


def split(n, rng):
    p = rng.permutation(n)
    a, b = int(0.8 * n), int(0.9 * n)
    return p[:a], p[a:b], p[b:]


def rmse(model, u, i, y):
    model.eval()
    with torch.no_grad():
        s, _ = model(u, i)
        return (s.clamp(0.5, 5.0) - y).pow(2).mean().sqrt().item()


def main():
    torch.manual_seed(CFG["seed"])
    z = np.load("ratings.npz")
    u, i = (torch.from_numpy(z[k].astype(np.int64)) for k in ("user", "item"))
    y = torch.from_numpy(z["stars"])
    tr, va, te = (torch.from_numpy(s) for s in split(len(y), np.random.default_rng(CFG["seed"])))
    model = BiasedMF(int(u.max()) + 1, int(i.max()) + 1, CFG["dim"], y[tr].mean())
    opt = torch.optim.SparseAdam(model.parameters(), lr=CFG["lr"])
    best, keep, stale = 9e9, None, 0
    for epoch in range(CFG["epochs"]):
        model.train()
        se = 0.0
        for b in tr[torch.randperm(len(tr))].split(CFG["batch"]):
            s, l2 = model(u[b], i[b])
            mse = (s - y[b]).pow(2).mean()
            opt.zero_grad()
            (mse + CFG["reg"] * l2).backward()
            opt.step()
            se += mse.item() * len(b)
        for g in opt.param_groups:
            g["lr"] *= CFG["decay"]
        v = rmse(model, u[va], i[va], y[va])
        print(f"epoch {epoch} train RMSE {np.sqrt(se / len(tr)):.4f} val RMSE {v:.4f}")
        if v < best - 1e-4:
            best, stale = v, 0
            keep = {k: t.clone() for k, t in model.state_dict().items()}
        else:
            stale += 1
            if stale == CFG["patience"]:
                break
    model.load_state_dict(keep)
    base = (y[te] - y[tr].mean()).pow(2).mean().sqrt().item()
    print(f"test RMSE {rmse(model, u[te], i[te], y[te]):.4f} (mean rating: {base:.4f})")


main()
