import csv
import random

import torch
from torch import nn

OUTCOMES = ["leave", "stay", "upgrade"]


class FactorTable(nn.Module):
    """Additive scores per field plus a low-rank interaction between every two fields."""

    def __init__(self, cardinalities, rank=6, n_out=3):
        super().__init__()
        self.main = nn.ModuleList([nn.Embedding(c, n_out) for c in cardinalities])
        self.factors = nn.ModuleList([nn.Embedding(c, rank) for c in cardinalities])
        self.mix = nn.Linear(rank, n_out)
        for e in self.main:
            nn.init.zeros_(e.weight)
        for e in self.factors:
            nn.init.normal_(e.weight, std=0.3)

    def forward(self, codes):
        score = sum(e(codes[:, j]) for j, e in enumerate(self.main))
        f = torch.stack([e(codes[:, j]) for j, e in enumerate(self.factors)], 1)
        pair = 0.5 * (f.sum(1).square() - f.square().sum(1))
        return score + self.mix(pair)


def read(path):
    with open(path, newline="") as fh:
        rows = list(csv.DictReader(fh))
    fields = [k for k in rows[0] if k != "outcome"]
    levels = {k: sorted({r[k] for r in rows}) for k in fields}
    x = torch.tensor([[levels[k].index(r[k]) for k in fields] for r in rows])
    y = torch.tensor([OUTCOMES.index(r["outcome"]) for r in rows])
    return x, y, [len(levels[k]) for k in fields]


def minibatches(idx, size, rng):
    idx = idx[:]
    rng.shuffle(idx)
    for i in range(0, len(idx), size):
        yield torch.tensor(idx[i: i + size])


def main():
    rng = random.Random(404)
    torch.manual_seed(404)
    x, y, card = read("customers.csv")
    ids = list(range(len(x)))
    rng.shuffle(ids)
    held, fit = ids[:2500], ids[2500:]
    net = FactorTable(card)
    opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9, nesterov=True)
    epochs = 14
    sched = torch.optim.lr_scheduler.PolynomialLR(opt, total_iters=epochs, power=1.0)
    prior = torch.bincount(y[fit], minlength=3).float() / len(fit)
    print("log loss of the class shares: %.4f" % -prior.log()[y[held]].mean())
    for ep in range(epochs):
        s = n = 0
        for b in minibatches(fit, 128, rng):
            loss = nn.functional.cross_entropy(net(x[b]), y[b])
            opt.zero_grad()
            loss.backward()
            opt.step()
            s, n = s + loss.item() * len(b), n + len(b)
        sched.step()
        with torch.no_grad():
            z = net(x[held])
            print("epoch %2d  fit %.4f  held-out %.4f  hit rate %.3f" % (
                ep, s / n, nn.functional.cross_entropy(z, y[held]), (z.argmax(1) == y[held]).float().mean()))


if __name__ == "__main__":
    main()
