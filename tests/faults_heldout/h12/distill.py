import argparse

import torch
from torch.nn import functional as F

from common import TEACHER, Student, Teacher, accuracy, load


class Distiller:
    def __init__(self, teacher, student, temperature, alpha, lr):
        self.teacher = teacher.eval().requires_grad_(False)
        self.student = student
        self.T, self.alpha = temperature, alpha
        self.opt = torch.optim.Adam(student.parameters(), lr=lr)

    def loss(self, x, y):
        with torch.no_grad():
            soft = F.softmax(self.teacher(x) / self.T, dim=1)
        logits = self.student(x)
        kd = F.kl_div(F.log_softmax(logits / self.T, dim=1), soft, reduction="batchmean") * self.T ** 2
        ce = F.cross_entropy(logits, y)
        return self.alpha * kd + (1 - self.alpha) * ce, kd.detach(), ce.detach()

    def epoch(self, x, y, batch):
        self.student.train()
        log = torch.zeros(3)
        order = torch.randperm(len(x))
        for b in order.split(batch):
            loss, kd, ce = self.loss(x[b], y[b])
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            log += torch.stack([loss.detach(), kd, ce]) * len(b)
        return (log / len(x)).tolist()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=30)
    ap.add_argument("--batch", type=int, default=32)
    ap.add_argument("--temperature", type=float, default=3.0)
    ap.add_argument("--alpha", type=float, default=0.7)
    ap.add_argument("--lr", type=float, default=3e-3)
    args = ap.parse_args()
    torch.manual_seed(1)
    x, y, xt, yt = load()
    teacher = Teacher()
    teacher.load_state_dict(torch.load(TEACHER, weights_only=True)["model"])
    print(f"teacher test accuracy {accuracy(teacher, xt, yt):.4f}")
    student = Student()
    d = Distiller(teacher, student, args.temperature, args.alpha, args.lr)
    for e in range(args.epochs):
        total, kd, ce = d.epoch(x, y, args.batch)
        if e % 5 == 4:
            print(f"epoch {e + 1:3d}  total {total:.3f}  kd {kd:.3f}  ce {ce:.3f}  "
                  f"student test accuracy {accuracy(student, xt, yt):.4f}")


if __name__ == "__main__":
    main()
