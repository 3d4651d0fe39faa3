import argparse
import math

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import yaml

CLASSES = ["sine", "square", "saw", "chirp", "burst"]


def make_signal(kind, rng, length):
    t = np.arange(length) / length
    f = rng.uniform(3.0, 8.0)
    ph = rng.uniform(0, 2 * math.pi)
    if kind == "sine":
        s = np.sin(2 * math.pi * f * t + ph)
    elif kind == "square":
        s = np.sign(np.sin(2 * math.pi * f * t + ph))
    elif kind == "saw":
        s = 2 * ((f * t + ph) % 1.0) - 1
    elif kind == "chirp":
        s = np.sin(2 * math.pi * (f * t + rng.uniform(4, 8) * t ** 2) + ph)
    else:
        c, w = rng.uniform(0.25, 0.75), rng.uniform(0.08, 0.15)
        s = np.sin(2 * math.pi * f * t + ph) * np.exp(-((t - c) / w) ** 2) * 1.5
    return s * rng.uniform(0.7, 1.3) + rng.normal(0, 0.35, length)


def make_split(n, rng, length):
    y = rng.integers(0, len(CLASSES), n)
    x = np.stack([make_signal(CLASSES[k], rng, length) for k in y])
    return torch.tensor(x, dtype=torch.float32).unsqueeze(1), torch.tensor(y)


class WaveNet1d(nn.Module):
    def __init__(self, width, n_classes):
        super().__init__()
        self.c1 = nn.Conv1d(1, width, 9, padding=4)
        self.b1 = nn.BatchNorm1d(width)
        self.c2 = nn.Conv1d(width, 2 * width, 7, padding=3)
        self.b2 = nn.BatchNorm1d(2 * width)
        self.c3 = nn.Conv1d(2 * width, 2 * width, 5, padding=2)
        self.b3 = nn.BatchNorm1d(2 * width)
        self.fc = nn.Linear(2 * width, n_classes)

    def forward(self, x):
        x = F.max_pool1d(F.relu(self.b1(self.c1(x))), 2)
        x = F.max_pool1d(F.relu(self.b2(self.c2(x))), 2)
        x = F.relu(self.b3(self.c3(x)))
        return self.fc(x.mean(dim=2))


class Trainer:
    def __init__(self, cfg, seed):
        rng = np.random.default_rng(cfg["data"]["seed"])
        d = cfg["data"]
        self.xtr, self.ytr = make_split(d["train"], rng, d["length"])
        self.xva, self.yva = make_split(d["valid"], rng, d["length"])
        torch.manual_seed(seed)
        self.cfg = cfg
        self.model = WaveNet1d(cfg["model"]["width"], len(CLASSES))
        o = cfg["optim"]
        self.opt = torch.optim.SGD(self.model.parameters(), lr=o["lr"], momentum=o["momentum"],
                                   weight_decay=o["weight_decay"])
        s = cfg["scheduler"]
        self.sched = torch.optim.lr_scheduler.StepLR(self.opt, step_size=s["step_size"], gamma=s["gamma"])
        self.interval = s["interval"]

    def train_epoch(self):
        self.model.train()
        bs = self.cfg["optim"]["batch_size"]
        perm = torch.randperm(len(self.xtr))
        losses = []
        for i in range(0, len(perm), bs):
            idx = perm[i:i + bs]
            loss = F.cross_entropy(self.model(self.xtr[idx]), self.ytr[idx])
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            if self.interval == "step":
                self.sched.step()
            losses.append(loss.item())
        if self.interval == "epoch":
            self.sched.step()
        return sum(losses) / len(losses)

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        out = self.model(self.xva)
        return F.cross_entropy(out, self.yva).item(), (out.argmax(1) == self.yva).float().mean().item()

    def fit(self):
        for ep in range(self.cfg["epochs"]):
            tr = self.train_epoch()
            vl, va = self.validate()
            print(f"[{ep + 1:02d}] train {tr:.4f} | valid {vl:.4f} acc {va:.4f}")
        print(f"valid accuracy: {va:.4f}")


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("-c", "--config", default="conf.yaml")
    p.add_argument("--seed", type=int, default=1)
    a = p.parse_args()
    with open(a.config) as fh:
        conf = yaml.safe_load(fh)
    Trainer(conf, a.seed).fit()
