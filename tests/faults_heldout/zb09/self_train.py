import copy
import math
from types import SimpleNamespace

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits

hp = SimpleNamespace(labels_per_class=4, steps=380, bs_lab=40, bs_unl=128, lr=2e-3, ema=0.97,
                     unl_max=1.0, ramp=120, tau=0.8, seed=4)


def digits(hp):
    d = load_digits()
    x = torch.tensor(d.images / 8.0 - 1.0, dtype=torch.float32)[:, None]
    y = torch.tensor(d.target)
    g = torch.Generator().manual_seed(hp.seed)
    perm = torch.randperm(len(x), generator=g)
    test, pool = perm[:400], perm[400:]
    lab = torch.cat([pool[y[pool] == c][:hp.labels_per_class] for c in range(10)])
    return SimpleNamespace(x_lab=x[lab], y_lab=y[lab], x_unl=x[pool], x_test=x[test], y_test=y[test])


def warp(x, strength):
    n = len(x)
    theta = torch.eye(2, 3).repeat(n, 1, 1)
    theta[:, :, :2] += strength * 0.2 * torch.randn(n, 2, 2)
    theta[:, :, 2] += strength * 0.2 * torch.randn(n, 2)
    y = F.grid_sample(x + 1, F.affine_grid(theta, x.shape, align_corners=False), align_corners=False) - 1
    return y + strength * 0.25 * torch.randn_like(y)


def network():
    return nn.Sequential(
        nn.Conv2d(1, 16, 3, padding=1), nn.GroupNorm(4, 16), nn.ReLU(),
        nn.Conv2d(16, 32, 3, stride=2, padding=1), nn.GroupNorm(4, 32), nn.ReLU(),
        nn.Flatten(), nn.Dropout(0.3), nn.Linear(512, 64), nn.ReLU(), nn.Linear(64, 10))


class SelfTrainer:
    def __init__(self, hp):
        self.hp = hp
        self.student = network()
        self.teacher = copy.deepcopy(self.student).requires_grad_(False)
        self.opt = torch.optim.Adam(self.student.parameters(), lr=hp.lr)
        self.step_no = 0

    def weight(self):
        r = min(1.0, self.step_no / self.hp.ramp)
        return self.hp.unl_max * math.exp(-5 * (1 - r) ** 2)

    @torch.no_grad()
    def update_teacher(self):
        a = min(self.hp.ema, 1 - 1 / (self.step_no + 1))
        for t, s in zip(self.teacher.parameters(), self.student.parameters()):
            t.lerp_(s, 1 - a)

    def step(self, xl, yl, xu):
        self.student.train()
        self.teacher.eval()
        ce = F.cross_entropy(self.student(warp(xl, 0.6)), yl)
        with torch.no_grad():
            conf, pseudo = self.teacher(warp(xu, 0.2)).softmax(1).max(1)
            keep = (conf > self.hp.tau).float()
        unl = (F.cross_entropy(self.student(warp(xu, 0.8)), pseudo, reduction="none") * keep).mean()
        loss = ce + self.weight() * unl
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.step_no += 1
        self.update_teacher()
        return ce.item(), unl.item(), keep.mean().item()

    @torch.no_grad()
    def accuracy(self, net, x, y):
        net.eval()
        return (net(x).argmax(1) == y).float().mean().item()


def main():
    torch.manual_seed(hp.seed)
    d = digits(hp)
    tr = SelfTrainer(hp)
    print(f"{len(d.x_lab)} labelled, {len(d.x_unl)} unlabelled, {len(d.x_test)} test")
    for s in range(hp.steps):
        li = torch.randint(len(d.x_lab), (hp.bs_lab,))
        ui = torch.randint(len(d.x_unl), (hp.bs_unl,))
        ce, unl, used = tr.step(d.x_lab[li], d.y_lab[li], d.x_unl[ui])
        if s % 50 == 0 or s == hp.steps - 1:
            print(f"{s:4d} ce {ce:.4f} pseudo {unl:.4f} used {used:.2f} w {tr.weight():.2f} | "
                  f"student {tr.accuracy(tr.student, d.x_test, d.y_test):.3f} "
                  f"teacher {tr.accuracy(tr.teacher, d.x_test, d.y_test):.3f}")


if __name__ == "__main__":
    main()
