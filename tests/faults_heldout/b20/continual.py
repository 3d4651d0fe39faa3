"""Class-incremental digits: five tasks of two classes each, learned one after the other.

Rehearsal buffer (40 images a class) plus a distillation term towards the model of the previous task.
"""
import copy
from dataclasses import dataclass, field

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split


@dataclass
class Options:
    tasks: list = field(default_factory=lambda: [(0, 1), (2, 3), (4, 5), (6, 7), (8, 9)])
    steps_per_task: int = 120
    batch: int = 32
    lr: float = 0.05
    momentum: float = 0.9
    per_class: int = 40
    distill: float = 0.5
    temperature: float = 2.0


class Buffer:
    def __init__(self, per_class):
        self.per_class, self.x, self.y = per_class, [], []

    def add(self, x, y):
        for c in y.unique():
            idx = (y == c).nonzero().squeeze(1)[: self.per_class]
            self.x.append(x[idx]); self.y.append(y[idx])

    def draw(self, n):
        x, y = torch.cat(self.x), torch.cat(self.y)
        idx = torch.randint(len(x), (n,))
        return x[idx], y[idx]

    def __bool__(self):
        return bool(self.x)


def net():
    return nn.Sequential(nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
                         nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(), nn.Flatten(),
                         nn.Linear(512, 64), nn.ReLU(), nn.Linear(64, 10))


def kd(student, teacher, t):
    return F.kl_div(F.log_softmax(student / t, 1), F.softmax(teacher / t, 1), reduction="batchmean") * t * t


@torch.no_grad()
def accuracy(model, x, y, classes):
    model.eval()
    keep = torch.isin(y, torch.tensor(classes))
    return (model(x[keep]).argmax(1) == y[keep]).float().mean().item()


def main(o=Options()):
    torch.manual_seed(64)
    d = load_digits()
    x = torch.tensor(d.images, dtype=torch.float32)[:, None] / 16 - 0.3
    y = torch.tensor(d.target)
    tr, te = train_test_split(torch.arange(len(y)).numpy(), test_size=0.25, stratify=d.target, random_state=0)
    xtr, ytr, xte, yte = x[tr], y[tr], x[te], y[te]
    model, old, buf, seen = net(), None, Buffer(o.per_class), []
    for k, classes in enumerate(o.tasks):
        keep = torch.isin(ytr, torch.tensor(classes))
        xt, yt = xtr[keep], ytr[keep]
        opt = torch.optim.SGD(model.parameters(), lr=o.lr, momentum=o.momentum)   # fresh momentum for a new task
        model.train()
        tot = 0.0
        for step in range(1, o.steps_per_task + 1):
            idx = torch.randint(len(xt), (o.batch,))
            xb, yb = xt[idx], yt[idx]
            if buf:
                # as many rehearsed images per old class as new images per new class
                xr, yr = buf.draw(o.batch * len(seen) // 2)
                xb, yb = torch.cat([xb, xr]), torch.cat([yb, yr])
            out = model(xb)
            loss = F.cross_entropy(out, yb)
            if old is not None:
                with torch.no_grad():
                    ref = old(xb)
                loss = loss + o.distill * kd(out[:, seen], ref[:, seen], o.temperature)
            opt.zero_grad()
            loss.backward()
            opt.step()
            tot += loss.item()
            if step % 40 == 0:
                print(f"task {k} step {step:3d} loss {tot/40:.4f}")
                tot = 0.0
        buf.add(xt, yt)
        seen = seen + list(classes)
        old = copy.deepcopy(model).eval().requires_grad_(False)
        per_task = [accuracy(model, xte, yte, list(c)) for c in o.tasks[: k + 1]]
        print(f"after task {k}: seen-class accuracy {accuracy(model, xte, yte, seen):.3f}  per task "
              + " ".join(f"{a:.3f}" for a in per_task))


if __name__ == "__main__":
    main()
