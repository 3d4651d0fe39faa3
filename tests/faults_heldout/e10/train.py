"""Distil the wide digit net into a very small one."""
import csv
import pathlib
import sys

import torch
import torch.nn.functional as F

from data import tensors
from nets import Small, Wide

HERE = pathlib.Path(__file__).resolve().parent


class Distiller:
    def __init__(self, teacher, student, temperature=3.0, alpha=0.9, lr=8e-3, epochs=25, batch=64):
        self.teacher = teacher.eval().requires_grad_(False)
        self.student = student
        self.T, self.alpha, self.epochs, self.batch = temperature, alpha, epochs, batch
        self.opt = torch.optim.Adam(student.parameters(), lr=lr)
        self.sched = torch.optim.lr_scheduler.CosineAnnealingWarmRestarts(self.opt, T_0=5, T_mult=4, eta_min=lr / 50)

    def loss(self, x, y):
        with torch.no_grad():
            target = F.log_softmax(self.teacher(x) / self.T, dim=1)
        out = self.student(x)
        soft = F.kl_div(F.log_softmax(out / self.T, dim=1), target, log_target=True, reduction="batchmean") * self.T ** 2
        return self.alpha * soft + (1 - self.alpha) * F.cross_entropy(out, y)

    def fit(self, x, y, xt, yt, out=sys.stdout):
        log = csv.writer(out)
        log.writerow(["epoch", "lr", "loss", "test_acc", "agreement"])
        n_batches = -(-len(x) // self.batch)
        for ep in range(self.epochs):
            self.student.train()
            tot = 0.0
            for k, i in enumerate(torch.randperm(len(x)).split(self.batch)):
                loss = self.loss(x[i], y[i])
                self.opt.zero_grad(set_to_none=True)
                loss.backward()
                self.opt.step()
                self.sched.step(ep + (k + 1) / n_batches)
                tot += loss.item() * len(i)
            if ep % 4 == 0 or ep == self.epochs - 1:
                acc, agree = self.test(xt, yt)
                log.writerow([ep + 1, f"{self.opt.param_groups[0]['lr']:.2e}", f"{tot / len(x):.4f}", f"{acc:.4f}", f"{agree:.4f}"])

    @torch.no_grad()
    def test(self, x, y):
        self.student.eval()
        p = self.student(x).argmax(1)
        return (p == y).float().mean().item(), (p == self.teacher(x).argmax(1)).float().mean().item()


if __name__ == "__main__":
    torch.manual_seed(9)
    teacher = Wide()
    teacher.load_state_dict(torch.load(HERE / "teacher.pt"))
    Distiller(teacher, Small()).fit(*tensors())
