"""Claim frequency: Poisson network with exposure offset."""
import argparse
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from claims.encoding import RateEncoder
from claims.features import assemble, load


def deviance(y, mu):
    return 2 * (torch.xlogy(y, y / mu) - (y - mu)).mean().item()


class Frequency(nn.Module):
    def __init__(self, d, hidden, base_rate):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(d, hidden), nn.GELU(), nn.Dropout(0.1), nn.Linear(hidden, hidden), nn.GELU(),
                                 nn.Linear(hidden, 1))
        nn.init.constant_(self.net[-1].bias, float(np.log(base_rate)))

    def forward(self, x, years):
        return self.net(x).squeeze(1) + years.log()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--data", default=str(Path(__file__).parent / "data" / "policies.csv"))
    ap.add_argument("--epochs", type=int, default=15)
    ap.add_argument("--hidden", type=int, default=24)
    ap.add_argument("--batch", type=int, default=128)
    ap.add_argument("--lr", type=float, default=3e-3)
    ap.add_argument("--seed", type=int, default=18)
    args = ap.parse_args()

    torch.manual_seed(args.seed)
    d = load(args.data)
    perm = np.random.default_rng(args.seed).permutation(len(d["claims"]))
    pick = lambda idx: {k: v[idx] for k, v in d.items()}
    tr, va, te = (pick(i) for i in np.split(perm, [6000, 7200]))
    enc = RateEncoder(seed=args.seed)
    xtr, scale = assemble(tr, enc)
    f32 = lambda a: torch.tensor(a, dtype=torch.float32)
    train = TensorDataset(f32(xtr), f32(tr["years"]), f32(tr["claims"]))
    val, test = ((f32(assemble(p, enc, scale)[0]), f32(p["years"]), f32(p["claims"])) for p in (va, te))

    rate = tr["claims"].sum() / tr["years"].sum()
    net = Frequency(xtr.shape[1], args.hidden, rate)
    opt = torch.optim.AdamW(net.parameters(), lr=args.lr, weight_decay=0.02)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, args.epochs)
    loss_fn = nn.PoissonNLLLoss(log_input=True)
    loader = DataLoader(train, batch_size=args.batch, shuffle=True)

    def evaluate(part):
        net.eval()
        with torch.no_grad():
            out = net(part[0], part[1])
            return loss_fn(out, part[2]).item(), deviance(part[2], out.exp()), out.exp()

    print(f"{len(train)} policies, {rate:.3f} claims per year, {np.mean(tr['claims'] == 0):.0%} without claim")
    print("epoch   train nll   val nll   val deviance")
    for epoch in range(1, args.epochs + 1):
        net.train()
        total = 0.0
        for x, years, y in loader:
            loss = loss_fn(net(x, years), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(y)
        sched.step()
        nll, dev, _ = evaluate(val)
        print(f"{epoch:5d}   {total / len(train):.4f}      {nll:.4f}    {dev:.4f}")
    _, dev, mu = evaluate(test)
    null = deviance(test[2], test[1] * rate)
    print(f"test deviance {dev:.4f}, constant rate {null:.4f}, D2 {1 - dev / null:.3f}")
    freq = mu / test[1]
    for k, idx in enumerate(freq.argsort().tensor_split(5)):
        print(f"  quintile {k + 1}: predicted {mu[idx].sum() / test[1][idx].sum():.3f} claims/year, "
              f"observed {test[2][idx].sum() / test[1][idx].sum():.3f}")


if __name__ == "__main__":
    main()
