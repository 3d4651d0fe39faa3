"""Reactor yield from the recipe (temperature, pressure, feed ratios, catalyst age ...)."""
import sys

import numpy as np
import torch

from exp.blocks import build
from exp.settings import read_yaml


class Run:
    def __init__(self, cfg):
        self.cfg = cfg
        t = cfg["training"]
        torch.manual_seed(t["seed"])
        z = np.load(cfg["data"]["file"])
        x, y = z["recipe"].astype(np.float32), z["yield_pct"].astype(np.float32)
        order = np.random.default_rng(t["seed"]).permutation(len(y))
        k = int(len(y) * cfg["data"]["holdout"])
        self.hold, self.fit_idx = order[:k], order[k:]
        x = (x - x[self.fit_idx].mean(0)) / x[self.fit_idx].std(0)
        self.y_mean, self.y_std = y[self.fit_idx].mean(), y[self.fit_idx].std()
        self.x = torch.from_numpy(x)
        self.y = torch.from_numpy((y - self.y_mean) / self.y_std)[:, None]
        self.model = build(cfg["model"], x.shape[1])
        self.opt = torch.optim.Adam(self.model.parameters(), lr=t["lr"], weight_decay=t["weight_decay"])

    def batches(self):
        idx = torch.from_numpy(self.fit_idx)[torch.randperm(len(self.fit_idx))]
        for chunk in idx.split(self.cfg["training"]["batch"]):
            yield self.x[chunk], self.y[chunk]

    def holdout_rmse(self):
        self.model.eval()
        with torch.no_grad():
            err = self.model(self.x[self.hold]) - self.y[self.hold]
        return err.pow(2).mean().sqrt().item()

    def go(self):
        for epoch in range(1, self.cfg["training"]["epochs"] + 1):
            self.model.train()
            total = n = 0
            for xb, yb in self.batches():
                loss = torch.nn.functional.mse_loss(self.model(xb), yb)
                self.opt.zero_grad()
                loss.backward()
                self.opt.step()
                total, n = total + loss.item(), n + 1
            if epoch % 5 == 0:
                r = self.holdout_rmse()
                print(f"{epoch:3d} mse {total / n:.4f}  holdout rmse {r * self.y_std:.2f} %  R2 {1 - r * r:.3f}")


if __name__ == "__main__":
    Run(read_yaml(sys.argv[1] if len(sys.argv) > 1 else "yield.yaml")).go()
