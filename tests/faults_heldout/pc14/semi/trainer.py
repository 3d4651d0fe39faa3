import copy

import torch
import torch.nn.functional as F
from torch import nn

from .augment import strong, weak


def make_net():
    return nn.Sequential(
        nn.Conv2d(1, 24, 3, padding=1), nn.GroupNorm(4, 24), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(24, 48, 3, padding=1), nn.GroupNorm(4, 48), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Linear(48 * 4, 64), nn.ReLU(), nn.Linear(64, 10))


class FixMatch:
    def __init__(self, cfg, gen):
        self.cfg, self.gen = cfg, gen
        self.net = make_net()
        self.teacher = copy.deepcopy(self.net).requires_grad_(False).eval()
        self.opt = torch.optim.SGD(self.net.parameters(), lr=cfg["lr"], momentum=0.9, nesterov=True, weight_decay=5e-4)
        self.sched = torch.optim.lr_scheduler.CosineAnnealingLR(self.opt, cfg["steps"])

    def draw(self, n, k):
        return torch.randint(n, (k,), generator=self.gen)

    def step(self, xl, yl, xu):
        self.net.train()
        i = self.draw(len(xl), self.cfg["batch"])
        sup = F.cross_entropy(self.net(weak(xl[i], self.gen)), yl[i])
        j = self.draw(len(xu), self.cfg["batch"] * self.cfg["mu"])
        with torch.no_grad():
            conf, pseudo = self.net(weak(xu[j], self.gen)).softmax(1).max(1)
            keep = (conf >= self.cfg["threshold"]).float()
        out = self.net(strong(xu[j], self.gen))
        uns = (F.cross_entropy(out, pseudo, reduction="none") * keep).mean()
        share = keep.mean().item()
        loss = sup + self.cfg["lambda_u"] * uns
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.sched.step()
        with torch.no_grad():
            for t, p in zip(self.teacher.parameters(), self.net.parameters()):
                t.lerp_(p, 1 - self.cfg["ema"])
        return sup.item(), uns.item(), share

    @torch.no_grad()
    def accuracy(self, x, y):
        return (self.teacher(x).argmax(1) == y).float().mean().item()
