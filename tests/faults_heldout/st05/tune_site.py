import argparse

import numpy as np
import torch

from nets import PowerCurve, adapt


def load_site(path, fit_rows):
    z = np.load(path)
    x = torch.from_numpy(z["x"].astype(np.float32))
    y = torch.from_numpy(z["y"])
    return (x[:fit_rows], y[:fit_rows]), (x[fit_rows:], y[fit_rows:])


def rmse(model, data):
    with torch.no_grad():
        return (model(data[0]) - data[1]).square().mean().sqrt().item()


def run(opts):
    torch.manual_seed(opts.seed)
    fit, check = load_site(opts.site, opts.rows)
    model = PowerCurve()
    weights = torch.load(opts.weights, weights_only=True)
    model.load_state_dict({k: v.float() for k, v in weights.items()})
    print(f"before: rmse {rmse(model, check):.4f}")

    model = adapt(model, ["l1", "l2", "l3", "head"], opts.rank, opts.alpha)
    live = [p for p in model.parameters() if p.requires_grad]
    every = sum(p.numel() for p in model.parameters())
    print(f"tuning {sum(p.numel() for p in live)} of {every} weights")

    optim = torch.optim.Adam(live, lr=opts.lr)
    plan = torch.optim.lr_scheduler.CosineAnnealingLR(optim, opts.epochs)
    for ep in range(1, opts.epochs + 1):
        tot = 0.0
        for idx in torch.randperm(opts.rows).split(opts.batch):
            loss = torch.nn.functional.mse_loss(model(fit[0][idx]), fit[1][idx])
            optim.zero_grad()
            loss.backward()
            optim.step()
            tot += loss.item() * len(idx)
        plan.step()
        if ep % 10 == 0 or ep == 1:
            print(f"epoch {ep:3d}  mse {tot / opts.rows:.5f}  check rmse {rmse(model, check):.4f}")


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--weights", default="fleet.pt")
    p.add_argument("--site", default="site_b7.npz")
    p.add_argument("--rows", type=int, default=1000)
    p.add_argument("--rank", type=int, default=1)
    p.add_argument("--alpha", type=float, default=2.0)
    p.add_argument("--lr", type=float, default=4e-3)
    p.add_argument("--batch", type=int, default=32)
    p.add_argument("--epochs", type=int, default=50)
    p.add_argument("--seed", type=int, default=0)
    run(p.parse_args())
