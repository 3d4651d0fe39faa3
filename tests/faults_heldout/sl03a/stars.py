"""Variable-star classes from phase-folded light curves (RRab, RRc, EA, EW)."""
import os
import sys

import numpy as np
import torch
import torch.nn.functional as F
import yaml
from torch import nn


class Curve(nn.Module):
    def __init__(self, channels, kinds):
        super().__init__()
        layers, prev = [], 1
        for c in channels:
            layers += [nn.Conv1d(prev, c, 4, stride=2, padding=1, bias=False), nn.BatchNorm1d(c), nn.ReLU()]
            prev = c
        self.body = nn.Sequential(*layers)
        self.neck = nn.Sequential(nn.Flatten(), nn.LazyLinear(64, bias=False), nn.BatchNorm1d(64), nn.ReLU())
        self.out = nn.Linear(64, kinds)

    def forward(self, x):
        return self.out(self.neck(self.body(x)))


class Trainer:
    def __init__(self, cfg):
        self.t = cfg["train"]
        torch.manual_seed(int(os.environ.get("SEED", self.t["seed"])))
        z = np.load(cfg["data"])
        flux = torch.from_numpy(z["flux"].astype(np.float32))
        flux = (flux - flux.mean(1, keepdim=True)) / flux.std(1, keepdim=True)
        kind = torch.from_numpy(z["kind"].astype(np.int64))
        cut = int(z["n_train"])
        self.x, self.y = flux[:cut, None], kind[:cut]
        self.vx, self.vy = flux[cut:, None], kind[cut:]
        self.net = Curve(**cfg["model"])
        self.net.eval()
        self.net(self.x[:1])
        self.opt = torch.optim.AdamW(self.net.parameters(), lr=self.t["lr"], weight_decay=self.t["weight_decay"])
        group = self.t["micro_batch"] * self.t["accumulate"]
        self.sched = torch.optim.lr_scheduler.CosineAnnealingLR(self.opt, self.t["epochs"] * (cut // group))

    def epoch(self):
        self.net.train()
        m, k = self.t["micro_batch"], self.t["accumulate"]
        order = torch.randperm(len(self.x))
        total, right, seen = 0.0, 0, 0
        for group in order[: len(order) // (m * k) * (m * k)].split(m * k):
            self.opt.zero_grad()
            for idx in group.split(m):
                shift = int(torch.randint(64, ()))          # phase zero is arbitrary
                logits = self.net(self.x[idx].roll(shift, -1))
                loss = F.cross_entropy(logits, self.y[idx]) / k
                loss.backward()
                total += loss.item() * k * len(idx)
                right += (logits.argmax(1) == self.y[idx]).sum().item()
                seen += len(idx)
            self.opt.step()
            self.sched.step()
        return total / seen, right / seen

    @torch.no_grad()
    def validate(self):
        self.net.eval()
        logits = self.net(self.vx)
        return F.cross_entropy(logits, self.vy).item(), (logits.argmax(1) == self.vy).float().mean().item()

    def fit(self):
        for e in range(1, self.t["epochs"] + 1):
            tl, ta = self.epoch()
            vl, va = self.validate()
            print(f"[{e:02d}] train {tl:.3f}/{ta:.3f}  valid {vl:.3f}/{va:.3f}", flush=True)


if __name__ == "__main__":
    with open(sys.argv[1] if len(sys.argv) > 1 else "run.yaml") as fh:
        Trainer(yaml.safe_load(fh)).fit()
