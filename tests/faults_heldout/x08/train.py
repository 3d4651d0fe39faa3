"""Distil a wide digit classifier into a tiny one."""
from __future__ import annotations

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split


def mlp(*sizes, drop=0.0):
    layers = []
    for a, b in zip(sizes[:-2], sizes[1:-1]):
        layers += [nn.Linear(a, b), nn.ReLU(), nn.Dropout(drop)]
    return nn.Sequential(*layers, nn.Linear(sizes[-2], sizes[-1]))


class Distiller:
    def __init__(self, teacher, student, temperature=3.0, alpha=0.7, lr=3e-3):
        self.teacher = teacher.eval().requires_grad_(False)
        self.student = student
        self.T, self.alpha = temperature, alpha
        self.opt = torch.optim.Adam(student.parameters(), lr=lr)

    def loss(self, x, y):
        with torch.no_grad():
            soft = F.log_softmax(self.teacher(x) / self.T, dim=1)
        out = self.student(x)
        kd = F.kl_div(F.log_softmax(out / self.T, dim=1), soft, reduction="batchmean", log_target=True) * self.T ** 2
        ce = F.cross_entropy(out, y)
        return self.alpha * kd + (1 - self.alpha) * ce, kd.item(), ce.item()

    def step(self, x, y):
        self.student.train()
        total, kd, ce = self.loss(x, y)
        self.opt.zero_grad()
        total.backward()
        self.opt.step()
        return kd, ce


@torch.no_grad()
def accuracy(net, x, y):
    was = net.training
    net.eval()
    acc = (net(x).argmax(1) == y).float().mean().item()
    net.train(was)
    return acc


def minibatches(n, size):
    yield from torch.randperm(n).split(size)


def main():
    torch.manual_seed(77)
    x, y = load_digits(return_X_y=True)
    xtr, xte, ytr, yte = train_test_split(x, y, test_size=0.3, stratify=y, random_state=8)
    mu, sd = xtr.mean(), xtr.std()
    xtr, xte = (torch.tensor((a - mu) / sd, dtype=torch.float32) for a in (xtr, xte))
    ytr, yte = torch.tensor(ytr), torch.tensor(yte)

    teacher = mlp(64, 256, 256, 10, drop=0.3)
    opt = torch.optim.Adam(teacher.parameters(), lr=1e-3)
    teacher.train()
    for epoch in range(15):
        for idx in minibatches(len(xtr), 64):
            loss = F.cross_entropy(teacher(xtr[idx]), ytr[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
    print(f"teacher test accuracy {accuracy(teacher, xte, yte):.4f}")

    distiller = Distiller(teacher, mlp(64, 16, 10))
    for epoch in range(30):
        sums = torch.zeros(2)
        for k, idx in enumerate(minibatches(len(xtr), 64), 1):
            sums += torch.tensor(distiller.step(xtr[idx], ytr[idx]))
        if epoch % 3 == 2:
            kd, ce = (sums / k).tolist()
            print(f"epoch {epoch:2d} kd {kd:.3f} ce {ce:.3f} student test accuracy {accuracy(distiller.student, xte, yte):.4f}")


if __name__ == "__main__":
    main()
