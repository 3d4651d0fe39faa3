import argparse
from pathlib import Path

import numpy as np
import torch

from tcn import Forecaster
from windows import WindowBank


def nll(mean, std, target):
    return -torch.distributions.Normal(mean, std).log_prob(target).mean()


@torch.no_grad()
def backtest(model, bank):
    model.eval()
    loss, err, naive, truth, inside, n = 0.0, 0.0, 0.0, 0.0, 0, 0
    for past, fut, cal, scale in bank.batches(128):
        mean, std = model(past, cal)
        loss += nll(mean, std, fut).item() * len(past)
        n += len(past)
        err += ((mean - fut).abs() * scale).sum().item()
        naive += ((past[:, -24:] - fut).abs() * scale).sum().item()
        truth += ((fut + 1) * scale).sum().item()
        inside += ((fut - mean).abs() < 1.2816 * std).float().mean(1).sum().item()
    return {"nll": loss / n, "wape": err / truth, "naive_wape": naive / truth, "cover80": inside / n}


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=10)
    ap.add_argument("--lr", type=float, default=3e-3)
    ap.add_argument("--seed", type=int, default=6)
    args = ap.parse_args()
    torch.manual_seed(args.seed)
    gen = torch.Generator().manual_seed(args.seed)

    load = np.load(Path(__file__).parent / "load.npz")["load"]
    cut = 24 * 89
    train = WindowBank(load, 0, cut, stride=5)
    test = WindowBank(load, cut, load.shape[1], stride=12)
    print(len(train), "training windows,", len(test), "test windows")

    model = Forecaster()
    opt = torch.optim.NAdam(model.parameters(), lr=args.lr)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, args.epochs, eta_min=1e-4)
    for epoch in range(args.epochs):
        model.train()
        hist = []
        for past, fut, cal, _ in train.batches(64, gen):
            mean, std = model(past, cal)
            loss = nll(mean, std, fut)
            opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            opt.step()
            hist.append(loss.item())
        sched.step()
        m = backtest(model, test)
        print(f"epoch {epoch + 1:2d} train nll {np.mean(hist):+.3f} test " + " ".join(f"{k} {v:+.3f}" for k, v in m.items()))


if __name__ == "__main__":
    main()
