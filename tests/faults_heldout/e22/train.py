import argparse

import torch
from torch import nn

from optim import make_optimizer
from tasks import adding


class Reader(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.lift = nn.Linear(2, hidden)
        self.norm = nn.LayerNorm(hidden)
        self.rnn = nn.GRU(hidden, hidden, batch_first=True)
        self.out = nn.Sequential(nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, 1))

    def forward(self, x):
        _, h = self.rnn(self.norm(self.lift(x)))
        return self.out(h[-1]).squeeze(1)


def parse():
    p = argparse.ArgumentParser(description="adding problem")
    p.add_argument("--length", type=int, default=24)
    p.add_argument("--hidden", type=int, default=48)
    p.add_argument("--steps", type=int, default=600)
    p.add_argument("--batch", type=int, default=64)
    p.add_argument("--lr", type=float, default=3e-3)
    p.add_argument("--weight-decay", type=float, default=1e-3)
    return p.parse_args()


def main():
    a = parse()
    torch.manual_seed(8)
    gen = torch.Generator().manual_seed(9)
    xv, yv = adding(1000, a.length, torch.Generator().manual_seed(10))
    net = Reader(a.hidden)
    opt = make_optimizer(net, a.lr, a.weight_decay)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, a.lr, total_steps=a.steps, pct_start=0.1)
    run = None
    for s in range(1, a.steps + 1):
        x, y = adding(a.batch, a.length, gen)
        loss = nn.functional.mse_loss(net(x), y)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        sched.step()
        run = loss.item() if run is None else 0.97 * run + 0.03 * loss.item()
        if s % 100 == 0:
            net.eval()
            with torch.no_grad():
                v = nn.functional.mse_loss(net(xv), yv).item()
            net.train()
            print(f"step {s} train {run:.5f} held-out {v:.5f} (variance {yv.var().item():.4f})")


if __name__ == "__main__":
    main()
