"""Mean-teacher self-training on digits: 250 labelled images, the rest unlabelled."""
import copy

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

THRESHOLD, LAMBDA_MAX, STEPS = 0.9, 1.0, 700


def shift(x, k):
    pad = F.pad(x, (k, k, k, k))
    out = torch.empty_like(x)
    for i in range(len(x)):
        r, c = torch.randint(0, 2 * k + 1, (2,)).tolist()
        out[i] = pad[i, :, r:r + 8, c:c + 8]
    return out


def weak(x):
    return x + 0.02 * torch.randn_like(x)


def strong(x):
    x = shift(x, 1) + 0.15 * torch.randn_like(x)
    return x * (torch.rand_like(x) > 0.1)


class Student(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(32, 32, 3, padding=1), nn.ReLU(), nn.Flatten(), nn.Dropout(0.4), nn.Linear(32 * 16, 10))

    def forward(self, x):
        return self.body(x)


class SelfTrainer:
    def __init__(self):
        d = load_digits()
        x = torch.tensor(d.images, dtype=torch.float32).unsqueeze(1) / 16
        y = torch.tensor(d.target)
        pool, test = train_test_split(range(len(y)), test_size=400, random_state=1, stratify=y)
        lab, unl = train_test_split(pool, train_size=250, random_state=1, stratify=y[pool])
        self.lx, self.ly = x[lab], y[lab]
        self.ux, self.uy_hidden = x[unl], y[unl]       # kept only to report pseudo-label quality
        self.tx, self.ty = x[test], y[test]
        self.student = Student()
        self.teacher = copy.deepcopy(self.student).eval()
        for p in self.teacher.parameters():
            p.requires_grad = False
        self.opt = torch.optim.AdamW(self.student.parameters(), lr=2e-3, weight_decay=1e-2)
        self.sched = torch.optim.lr_scheduler.CosineAnnealingLR(self.opt, STEPS)

    def step(self, i):
        li = torch.randint(len(self.lx), (32,))
        ui = torch.randint(len(self.ux), (96,))
        with torch.no_grad():
            conf, pseudo = self.teacher(weak(self.ux[ui])).softmax(1).max(1)
        keep = conf > THRESHOLD
        out = self.student(torch.cat([strong(self.lx[li]), strong(self.ux[ui])]))
        sup = F.cross_entropy(out[:32], self.ly[li], label_smoothing=0.05)
        uns = (F.cross_entropy(out[32:], pseudo, reduction="none") * keep).mean()
        loss = sup + min(1.0, i / 150) * LAMBDA_MAX * uns
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.sched.step()
        with torch.no_grad():
            for t, s in zip(self.teacher.parameters(), self.student.parameters()):
                t.mul_(0.97).add_(s, alpha=0.03)
        right = (pseudo == self.uy_hidden[ui])[keep].float().mean().item() if keep.any() else float("nan")
        return sup.item(), uns.item(), keep.float().mean().item(), right

    def test(self):
        with torch.no_grad():
            z = self.teacher(self.tx)
        return F.cross_entropy(z, self.ty).item(), (z.argmax(1) == self.ty).float().mean().item()


if __name__ == "__main__":
    torch.manual_seed(5)
    tr = SelfTrainer()
    for i in range(1, STEPS + 1):
        sup, uns, kept, right = tr.step(i)
        if i % 50 == 0:
            print("step %4d sup %.3f unsup %.3f kept %.2f pseudo ok %.3f | test loss %.4f acc %.4f" % (i, sup, uns, kept, right, *tr.test()))
