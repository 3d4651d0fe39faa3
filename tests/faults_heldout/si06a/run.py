"""Torque map of an six-speed test gearbox: expert mixture over operating regions, started from a stored start state."""
import os
import sys

import numpy as np
import torch
from torch import nn

ROOT = os.path.dirname(os.path.abspath(__file__))


class ExpertBank(nn.Module):
    def __init__(self, d_in, d_hidden, n):
        super().__init__()
        self.w1 = nn.Parameter(torch.empty(n, d_in, d_hidden))
        self.b1 = nn.Parameter(torch.empty(n, d_hidden))
        self.w2 = nn.Parameter(torch.empty(n, d_hidden, 1))
        self.b2 = nn.Parameter(torch.empty(n, 1))

    def forward(self, x):
        h = torch.tanh(torch.einsum("bi,eih->beh", x, self.w1) + self.b1)
        return (torch.einsum("beh,eho->beo", h, self.w2) + self.b2).squeeze(-1)


class GearboxNet(nn.Module):
    def __init__(self, d_in=4, d_hidden=5, n=8):
        super().__init__()
        self.gate = nn.Linear(d_in, n)
        self.experts = ExpertBank(d_in, d_hidden, n)

    def forward(self, x):
        share = self.gate(x).softmax(-1)
        return (share * self.experts(x)).sum(-1), share


class Run:
    def __init__(self, epochs=48, batch=40, lr=0.25, seed=0):
        torch.manual_seed(seed)
        self.epochs, self.batch = epochs, batch
        z = np.load(os.path.join(ROOT, "bench.npz"))
        x, y = torch.from_numpy(z["x"]).float(), torch.from_numpy(z["torque"]).float()
        n = int(0.75 * len(x))
        self.x = (x - x[:n].mean(0)) / x[:n].std(0)
        self.y = (y - y[:n].mean()) / y[:n].std()
        self.n = n
        self.net = GearboxNet()
        self.net.load_state_dict(torch.load(os.path.join(ROOT, "start.pt")))
        self.opt = torch.optim.SGD(self.net.parameters(), lr=lr, momentum=0.9, nesterov=True)
        self.sched = torch.optim.lr_scheduler.CosineAnnealingLR(self.opt, epochs)

    def one_epoch(self):
        self.net.train()
        total = 0.0
        for idx in torch.randperm(self.n).split(self.batch):
            pred, _ = self.net(self.x[idx])
            loss = nn.functional.smooth_l1_loss(pred, self.y[idx], beta=0.5)
            self.opt.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(self.net.parameters(), 2.0)
            self.opt.step()
            total += loss.item() * len(idx)
        self.sched.step()
        return total / self.n

    @torch.no_grad()
    def check(self):
        self.net.eval()
        pred, share = self.net(self.x[self.n:])
        y = self.y[self.n:]
        r2 = 1 - (pred - y).pow(2).mean() / y.var()
        return nn.functional.smooth_l1_loss(pred, y, beta=0.5).item(), r2.item(), share.max(-1).values.mean().item()

    def go(self):
        for e in range(1, self.epochs + 1):
            tr = self.one_epoch()
            if e % 6 == 0 or e == 1:
                va, r2, top = self.check()
                print(f"epoch {e:3d}: train {tr:.4f}  held-out {va:.4f}  R2 {r2:.3f}  largest share {top:.2f}", file=sys.stdout, flush=True)


if __name__ == "__main__":
    Run().go()
