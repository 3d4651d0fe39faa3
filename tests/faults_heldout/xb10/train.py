import math

import torch
import torch.nn as nn
import torch.nn.functional as F

from semi.data import UNLABELLED, MixedBatches, jitter, load
from semi.teacher import MeanTeacher

EPOCHS, RAMP, WEIGHT = 16, 6, 8.0


def net():
    return nn.Sequential(
        nn.Conv2d(1, 24, 3, padding=1), nn.GroupNorm(4, 24), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(24, 48, 3, padding=1), nn.GroupNorm(4, 48), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Linear(192, 10),
    )


def accuracy(model, x, y):
    model.eval()
    with torch.no_grad():
        acc = (model(x).argmax(1) == y).float().mean().item()
    model.train()
    return acc


def main():
    torch.manual_seed(17)
    gen = torch.Generator().manual_seed(17)
    (x, y), (xv, yv) = load(6, seed=17)
    print(f"{int((y != UNLABELLED).sum())} labelled of {len(y)}")
    student = net()
    teacher = MeanTeacher(student, 0.98)
    opt = torch.optim.Adam(student.parameters(), lr=3e-3)
    for epoch in range(EPOCHS):
        ramp = WEIGHT * math.exp(-5 * (1 - min(1.0, epoch / RAMP)) ** 2)
        sums = torch.zeros(2)
        n = 0
        for idx in MixedBatches(y, 20, 60, gen):
            xb, yb = x[idx], y[idx]
            logits = student(jitter(xb, gen))
            with torch.no_grad():
                target = teacher.model(jitter(xb, gen)).softmax(1)
            sup = F.cross_entropy(logits, yb, ignore_index=UNLABELLED)
            cons = F.mse_loss(logits.softmax(1), target)
            opt.zero_grad()
            (sup + ramp * cons).backward()
            opt.step()
            teacher.update(student)
            sums += torch.tensor([sup.item(), cons.item()])
            n += 1
        s, c = (sums / n).tolist()
        print(f"ep {epoch:2d} sup {s:.4f} cons {c:.5f} (w {ramp:.2f}) student {accuracy(student, xv, yv):.3f} teacher {accuracy(teacher.model, xv, yv):.3f}")


if __name__ == "__main__":
    main()
