import math

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from teacher import MeanTeacher

CFG = dict(labelled=100, batch=100, unlabelled_batch=128, steps=800, lr=5e-3, weight=3.0, ramp=300)


class Conv(nn.Module):
    def __init__(self, classes=10, c=16):
        super().__init__()
        self.a = nn.Conv2d(1, c, 3, padding=1)
        self.b = nn.Conv2d(c, 2 * c, 3, padding=1)
        self.na, self.nb = nn.GroupNorm(4, c), nn.GroupNorm(4, 2 * c)
        self.drop = nn.Dropout(0.3)
        self.out = nn.Linear(2 * c * 4, classes)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.na(self.a(x))), 2)
        x = F.max_pool2d(F.relu(self.nb(self.b(x))), 2)
        return self.out(self.drop(x.flatten(1)))


def perturb(x):
    """A shift of at most one pixel, a gain and pixel noise."""
    n = len(x)
    pad = F.pad(x, (1, 1, 1, 1))
    dx, dy = torch.randint(0, 3, (n,)), torch.randint(0, 3, (n,))
    r = torch.arange(8)
    rows, cols = (r[None] + dy[:, None])[:, :, None], (r[None] + dx[:, None])[:, None, :]
    x = pad[torch.arange(n)[:, None, None], 0, rows, cols][:, None]
    return x * (0.9 + 0.2 * torch.rand(n, 1, 1, 1)) + 0.1 * torch.randn_like(x)


def split():
    from sklearn.datasets import load_digits
    X, y = load_digits(return_X_y=True)
    X = torch.tensor(X.reshape(-1, 1, 8, 8) / 16.0, dtype=torch.float32)
    y = torch.tensor(y)
    g = np.random.default_rng(19)
    per = CFG["labelled"] // 10
    lab = np.concatenate([g.choice(np.where(y == c)[0], per, replace=False) for c in range(10)])
    rest = g.permutation(np.setdiff1d(np.arange(len(y)), lab))
    test, unl = rest[:600], rest[600:]
    return X[lab], y[lab], X[unl], X[test], y[test]


@torch.no_grad()
def score(net, x, y):
    was = net.training
    net.eval()
    out = net(x)
    net.train(was)
    return F.cross_entropy(out, y).item(), (out.argmax(1) == y).float().mean().item()


def main():
    torch.manual_seed(19)
    xl, yl, xu, xt, yt = split()
    student = Conv()
    teacher = MeanTeacher(student)
    teacher.net.train()
    opt = torch.optim.AdamW(student.parameters(), lr=CFG["lr"], weight_decay=0.02)
    student.train()
    for step in range(CFG["steps"]):
        opt.param_groups[0]["lr"] = CFG["lr"] * 0.5 * (1 + math.cos(math.pi * step / CFG["steps"]))
        u = xu[torch.randint(len(xu), (CFG["unlabelled_batch"],))]
        lam = CFG["weight"] * math.exp(-5 * (1 - min(1.0, step / CFG["ramp"])) ** 2)
        logits = student(torch.cat([perturb(xl), perturb(u)]))
        sup = F.cross_entropy(logits[:len(xl)], yl)
        cons = (torch.softmax(logits[len(xl):], 1) - teacher(perturb(u))).pow(2).sum(1).mean()
        loss = sup + lam * cons
        opt.zero_grad()
        loss.backward()
        opt.step()
        teacher.follow(student)
        if step % 100 == 99:
            sl, sa = score(student, xt, yt)
            tl, ta = score(teacher.net, xt, yt)
            print(f"{step + 1:5d} supervised {sup.item():.4f} consistency {cons.item():.4f} x {lam:.2f} | "
                  f"test student {sl:.3f}/{sa:.3f} teacher {tl:.3f}/{ta:.3f}")


if __name__ == "__main__":
    main()
