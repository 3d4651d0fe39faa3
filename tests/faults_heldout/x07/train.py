import argparse
import time

import torch
from torch import nn

from dataset import loaders


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=12)
    p.add_argument("--batch-size", type=int, default=24)
    p.add_argument("--lr", type=float, default=1e-3)
    p.add_argument("--seed", type=int, default=2)
    return p.parse_args()


class Mixer(nn.Module):
    """Rows are tokens; two mixing blocks and a mean."""

    def __init__(self, dim=48, n_out=10):
        super().__init__()
        self.inp = nn.Linear(8, dim)
        self.tok = nn.ModuleList([nn.Linear(8, 8) for _ in range(2)])
        self.ch = nn.ModuleList([nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))
                                 for _ in range(2)])
        self.head = nn.Linear(8 * dim, n_out)

    def forward(self, x):
        h = self.inp(x.view(-1, 8, 8))
        for tok, ch in zip(self.tok, self.ch):
            h = h + tok(h.transpose(1, 2)).transpose(1, 2)
            h = h + ch(h)
        return self.head(h.flatten(1))


def run_epoch(net, loader, opt=None):
    net.train(opt is not None)
    loss_sum, hits, n = 0.0, 0, 0
    with torch.set_grad_enabled(opt is not None):
        for x, y in loader:
            logits = net(x)
            loss = nn.functional.cross_entropy(logits, y)
            if opt is not None:
                opt.zero_grad()
                loss.backward()
                opt.step()
            loss_sum += loss.item() * len(y)
            hits += (logits.argmax(1) == y).sum().item()
            n += len(y)
    return loss_sum / n, hits / n


def main():
    args = parse()
    torch.manual_seed(args.seed)
    train, test = loaders(args.batch_size, args.seed)
    net = Mixer()
    opt = torch.optim.AdamW(net.parameters(), lr=args.lr)
    for epoch in range(args.epochs):
        t0 = time.time()
        tl, ta = run_epoch(net, train, opt)
        vl, va = run_epoch(net, test)
        print(f"[{epoch:02d}] train {tl:.3f}/{ta:.3f}  test {vl:.3f}/{va:.3f}  {time.time() - t0:.1f}s")


if __name__ == "__main__":
    main()
