import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits


class FixedPoint(nn.Module):
    """h* = tanh(W h* + U x + b); the backward pass solves the adjoint fixed point."""

    def __init__(self, d_in, d_h, max_iter=40, tol=1e-4):
        super().__init__()
        self.W = nn.Linear(d_h, d_h)
        self.U = nn.Linear(d_in, d_h, bias=False)
        nn.init.orthogonal_(self.W.weight, gain=0.4)
        self.max_iter, self.tol = max_iter, tol
        self.last_iters = 0

    def weight(self):
        # keep the map contractive: rescale when the spectral norm exceeds 0.9
        s = torch.linalg.matrix_norm(self.W.weight, 2)
        return self.W.weight * torch.clamp(0.9 / s, max=1.0)

    def cell(self, h, inj, w):
        return torch.tanh(F.linear(h, w, self.W.bias) + inj)

    def solve(self, f, h0):
        h = h0
        for k in range(self.max_iter):
            nxt = f(h)
            gap = (nxt - h).norm() / (nxt.norm() + 1e-8)
            h = nxt
            if gap < self.tol:
                break
        self.last_iters = k + 1
        return h

    def forward(self, x):
        inj, w = self.U(x), self.weight()
        with torch.no_grad():
            h = self.solve(lambda h: self.cell(h, inj, w), torch.zeros(len(x), inj.shape[1]))
        h = self.cell(h, inj, w)
        if self.training:
            h0 = h.detach().requires_grad_()
            f0 = self.cell(h0, inj.detach(), w.detach())

            def adjoint(g):
                return self.solve(lambda v: torch.autograd.grad(f0, h0, v, retain_graph=True)[0] + g, g)

            h.register_hook(adjoint)
        return h


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.deq = FixedPoint(64, 64)
        self.out = nn.Linear(64, 10)

    def forward(self, x):
        return self.out(self.deq(x))


class Trainer:
    def __init__(self, model, data, lr=8e-3, batch=96):
        self.model, self.batch = model, batch
        self.xtr, self.ytr, self.xte, self.yte = data
        self.opt = torch.optim.NAdam(model.parameters(), lr=lr)
        self.sched = torch.optim.lr_scheduler.ExponentialLR(self.opt, 0.9)

    def epoch(self):
        self.model.train()
        total = 0.0
        for idx in torch.randperm(len(self.xtr)).split(self.batch):
            loss = F.cross_entropy(self.model(self.xtr[idx]), self.ytr[idx])
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            total += loss.item() * len(idx)
        self.sched.step()
        return total / len(self.xtr)

    @torch.no_grad()
    def score(self):
        self.model.eval()
        return (self.model(self.xte).argmax(1) == self.yte).float().mean().item()


if __name__ == "__main__":
    torch.manual_seed(13)
    digits = load_digits()
    perm = np.random.default_rng(13).permutation(len(digits.target))
    x = torch.tensor(digits.data[perm] / 16.0 - 0.3, dtype=torch.float32)
    y = torch.tensor(digits.target[perm])
    model = Classifier()
    trainer = Trainer(model, (x[:1350], y[:1350], x[1350:], y[1350:]))
    for e in range(1, 26):
        loss = trainer.epoch()
        if e % 3 == 1:
            acc = trainer.score()
            print(f"{e:3d} loss {loss:.4f} test accuracy {acc:.4f} solver iterations {model.deq.last_iters}")
