import json
import sys

import torch
from torch.utils.data import DataLoader, TensorDataset

import dataio
from net import Potency


class Fitter:
    def __init__(self, cfg):
        self.cfg = cfg
        torch.manual_seed(cfg["seed"])
        names, x = dataio.load_fingerprints(cfg["fingerprints"])
        y = dataio.load_assay(cfg["assay"], cfg["target"])
        assert len(names) == len(y)
        tr, te = dataio.split(len(y), 0.8, cfg["seed"])
        self.mu, self.sd = float(y[tr].mean()), float(y[tr].std())
        y = (y - self.mu) / self.sd
        x, y = torch.from_numpy(x), torch.from_numpy(y)
        self.train = DataLoader(TensorDataset(x[tr], y[tr]), batch_size=cfg["batch"], shuffle=True)
        self.test = DataLoader(TensorDataset(x[te], y[te]), batch_size=512)
        self.model = Potency(x.shape[1], cfg["widths"], cfg["dropout"])
        self.opt = torch.optim.AdamW(self.model.parameters(), lr=cfg["lr"], weight_decay=cfg["weight_decay"])
        self.sched = torch.optim.lr_scheduler.CosineAnnealingLR(self.opt, cfg["epochs"])
        self.crit = torch.nn.MSELoss()

    def one_epoch(self):
        self.model.train()
        acc = 0.0
        for xb, yb in self.train:
            self.opt.zero_grad()
            loss = self.crit(self.model(xb), yb)
            loss.backward()
            self.opt.step()
            acc += loss.item() * len(yb)
        self.sched.step()
        return acc / len(self.train.dataset)

    @torch.no_grad()
    def rmse(self):
        self.model.eval()
        se = sum(((self.model(xb) - yb) ** 2).sum().item() for xb, yb in self.test)
        return (se / len(self.test.dataset)) ** 0.5 * self.sd

    def run(self):
        for ep in range(self.cfg["epochs"]):
            loss = self.one_epoch()
            if ep % 2 == 1:
                print(f"[{ep + 1:3d}] mse={loss:.4f}  test rmse={self.rmse():.3f} log units (spread {self.sd:.3f})")


if __name__ == "__main__":
    Fitter(json.load(open(sys.argv[1] if len(sys.argv) > 1 else "potency.json"))).run()
