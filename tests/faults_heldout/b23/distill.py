"""Compress the CNN teacher (teacher.pt, trained on the same split) into a 24-unit MLP."""
import os

import torch

from nets import Student, Teacher
from splits import digits

T, ALPHA, EPOCHS, BATCH = 3.0, 0.7, 40, 32


def log_softmax(z):
    z = z - z.amax(1, keepdim=True)
    return z - z.exp().sum(1, keepdim=True).log()


def distill_loss(s, t, y):
    hard = -log_softmax(s).gather(1, y[:, None]).mean()
    p = log_softmax(t / T).exp()
    soft = -(p * log_softmax(s / T)).sum(1).mean() * T * T
    return ALPHA * soft + (1 - ALPHA) * hard, hard


@torch.no_grad()
def acc(m, x, y):
    m.eval()
    return (m(x).argmax(1) == y).float().mean().item()


def main():
    torch.manual_seed(2)
    xtr, ytr, xte, yte = digits()
    teacher = Teacher()
    teacher.load_state_dict(torch.load(os.path.join(os.path.dirname(os.path.abspath(__file__)), "teacher.pt")))
    teacher.eval().requires_grad_(False)
    print(f"teacher test acc {acc(teacher, xte, yte):.4f}  params {sum(p.numel() for p in teacher.parameters())}")
    student = Student()
    print(f"student params {sum(p.numel() for p in student.parameters())}")
    opt = torch.optim.Adam(student.parameters(), lr=2e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, EPOCHS)
    for ep in range(EPOCHS):
        student.train()
        s = h = 0.0
        for b in torch.randperm(len(xtr)).split(BATCH):
            with torch.no_grad():
                t = teacher(xtr[b])
            loss, hard = distill_loss(student(xtr[b]), t, ytr[b])
            opt.zero_grad()
            loss.backward()
            opt.step()
            s += loss.item() * len(b); h += hard.item() * len(b)
        sched.step()
        if ep % 5 == 4:
            print(f"epoch {ep+1:2d} loss {s/len(xtr):.4f} hard-ce {h/len(xtr):.4f} "
                  f"train acc {acc(student, xtr, ytr):.4f} test acc {acc(student, xte, yte):.4f}", flush=True)


if __name__ == "__main__":
    main()
