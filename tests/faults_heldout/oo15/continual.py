"""Class-incremental digits (two new classes per experience) with dark experience replay."""
from dataclasses import dataclass, field
from typing import List, Tuple

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from memory import ReservoirMemory


@dataclass
class Settings:
    experiences: List[Tuple[int, int]] = field(default_factory=lambda: [(0, 1), (2, 3), (4, 5), (6, 7), (8, 9)])
    passes: int = 10
    batch: int = 16
    memory: int = 500
    replay: int = 64
    alpha: float = 0.3
    lr: float = 0.02
    seed: int = 10


def network():
    return nn.Sequential(nn.Flatten(), nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 64), nn.ReLU(), nn.Linear(64, 10))


class Learner:
    def __init__(self, s: Settings):
        self.s = s
        self.net = network()
        self.opt = torch.optim.SGD(self.net.parameters(), lr=s.lr, momentum=0.5)
        self.mem = ReservoirMemory(s.memory, torch.Generator().manual_seed(s.seed))

    def update(self, x, y, remember):
        out = self.net(x)
        loss = F.cross_entropy(out, y)
        if len(self.mem):
            mx, my, ml = self.mem.draw(self.s.replay)
            again = self.net(mx)
            loss = loss + F.cross_entropy(again, my) + self.s.alpha * F.mse_loss(again, ml)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        if remember:
            with torch.no_grad():
                self.mem.add(x, y, self.net(x))
        return loss.item()

    @torch.no_grad()
    def accuracy(self, x, y):
        return (self.net(x).argmax(1) == y).float().mean().item()


def main():
    s = Settings()
    torch.manual_seed(s.seed)
    z = np.load("data/digits8x8.npz")
    x, y = torch.from_numpy(z["x"]).float() / 8.0 - 1.0, torch.from_numpy(z["y"]).long()
    xtr, ytr, xte, yte = x[:1400], y[:1400], x[1400:], y[1400:]
    lrn = Learner(s)
    known: List[int] = []
    for k, classes in enumerate(s.experiences):
        known += classes
        pick = torch.isin(ytr, torch.tensor(classes)).nonzero().squeeze(1)
        losses = []
        for p in range(s.passes):
            for idx in pick[torch.randperm(len(pick))].split(s.batch):
                losses.append(lrn.update(xtr[idx], ytr[idx], remember=(p == s.passes - 1)))
            if p in (0, s.passes - 1):
                print(f"experience {k} pass {p} loss {np.mean(losses[-len(pick) // s.batch:]):.4f}")
        sel = torch.isin(yte, torch.tensor(known))
        per = [f"{lrn.accuracy(xte[yte == c], yte[yte == c]):.2f}" for c in known]
        print(f"after experience {k} {classes}: known classes {lrn.accuracy(xte[sel], yte[sel]):.4f} per class {per}")
    print(f"all ten classes: train {lrn.accuracy(xtr, ytr):.4f} test {lrn.accuracy(xte, yte):.4f}")


if __name__ == "__main__":
    main()
