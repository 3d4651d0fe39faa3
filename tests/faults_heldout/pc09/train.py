"""Burst counting front end. The comparator levels and refractory gaps are discrete, so they are tuned with an
evolution strategy; the read-out behind them is trained with gradients."""
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(12)
LENGTH, CHANNELS, CLASSES = 128, 4, 4


def make_signals(n, gen):
    y = torch.randint(CLASSES, (n,), generator=gen)
    x = 0.4 * torch.randn(n, CHANNELS, LENGTH, generator=gen)
    scale = torch.tensor([0.2, 1.0, 4.0, 0.6])
    rates = torch.tensor([[9, 3, 10, 4], [3, 9, 10, 10], [9, 9, 4, 4], [3, 3, 4, 10]]).float()
    for c in range(CHANNELS):
        k = torch.poisson(rates[y, c], generator=gen).long()
        for i in range(n):
            pos = torch.randint(2, LENGTH - 4, (int(k[i]),), generator=gen)
            x[i, c, pos] += 2.2 + 0.4 * torch.randn(len(pos), generator=gen)
    return x * scale[:, None], y


class SpikeCounter(nn.Module):
    """Counts upward crossings per channel above a level, two comparators each."""

    def __init__(self, channel_std):
        super().__init__()
        start = channel_std[:, None] * torch.tensor([0.5, 1.0])
        self.level = nn.Parameter(start.log(), requires_grad=False)

    def forward(self, x, level=None):
        lv = (self.level if level is None else level).exp()
        above = x[:, :, None, :] > lv[None, :, :, None]
        up = above[..., 1:] & ~above[..., :-1]
        return up.sum(-1).flatten(1).float() / 5.0


class Trainer:
    def __init__(self, channel_std, sigma=0.15, pairs=6, es_lr=0.12):
        self.front = SpikeCounter(channel_std)
        self.head = nn.Sequential(nn.Linear(CHANNELS * 2, 32), nn.ReLU(), nn.Linear(32, CLASSES))
        self.opt = torch.optim.Adam(self.head.parameters(), lr=5e-3, weight_decay=1e-4)
        self.sched = torch.optim.lr_scheduler.CosineAnnealingLR(self.opt, ROUNDS)
        self.sigma, self.pairs, self.es_lr = sigma, pairs, es_lr

    @torch.no_grad()
    def es_step(self, x, y):
        grad = torch.zeros_like(self.front.level)
        for _ in range(self.pairs):
            e = torch.randn_like(grad)
            up = F.cross_entropy(self.head(self.front(x, self.front.level + self.sigma * e)), y)
            down = F.cross_entropy(self.head(self.front(x, self.front.level - self.sigma * e)), y)
            grad += (up - down) / (2 * self.sigma) * e
        self.front.level -= self.es_lr * grad / self.pairs

    def sgd_epoch(self, x, y, batch=64):
        self.head.train()
        z, tot = self.front(x), 0.0
        for idx in torch.randperm(len(x)).split(batch):
            loss = F.cross_entropy(self.head(z[idx]), y[idx])
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            tot += loss.item() * len(idx)
        self.sched.step()
        return tot / len(x)

    @torch.no_grad()
    def evaluate(self, x, y):
        self.head.eval()
        out = self.head(self.front(x))
        return F.cross_entropy(out, y).item(), (out.argmax(1) == y).float().mean().item()


ROUNDS = 70


def main():
    gen = torch.Generator().manual_seed(12)
    xtr, ytr = make_signals(1600, gen)
    xva, yva = make_signals(600, gen)
    tr = Trainer(xtr.std(dim=(0, 2)))
    for r in range(1, ROUNDS + 1):
        loss = tr.sgd_epoch(xtr, ytr)
        for _ in range(4):
            idx = torch.randperm(len(xtr))[:400]
            tr.es_step(xtr[idx], ytr[idx])
        if r % 7 == 0 or r == 1:
            vl, acc = tr.evaluate(xva, yva)
            lv = " ".join(f"{v:.2f}" for v in tr.front.level.exp().flatten())
            print(f"round {r:3d} train {loss:.3f} val {vl:.3f} acc {acc:.3f}  levels {lv}")


if __name__ == "__main__":
    main()
