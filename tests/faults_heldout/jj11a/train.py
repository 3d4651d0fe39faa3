"""Truncated-BPTT training of a state-of-charge estimator on drive logs.

    python train.py --window 30
"""
import argparse
import pathlib

import numpy as np
import torch

from estimator import ChargeEstimator
from simulate import fleet

OUT = pathlib.Path(__file__).resolve().parent / "estimator.pt"


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--drives", type=int, default=160)
    p.add_argument("--length", type=int, default=150)
    p.add_argument("--window", type=int, default=30, help="steps per backward pass")
    p.add_argument("--reset-state", choices=["drive", "window"], default="drive",
                   help="where the recurrent state starts from zero")
    p.add_argument("--batch", type=int, default=16)
    p.add_argument("--epochs", type=int, default=25)
    p.add_argument("--lr", type=float, default=3e-3)
    p.add_argument("--seed", type=int, default=2718)
    return p.parse_args()


def assemble(count, length, seed, stats=None):
    x, y = fleet(count, length, seed)
    if stats is None:
        stats = x.mean((0, 1)), x.std((0, 1))
    x = (x - stats[0]) / stats[1]
    known = np.zeros_like(y)
    known[:, 0] = 2 * y[:, 0] - 1
    x = np.concatenate([x, known[..., None]], axis=2)
    return torch.from_numpy(x), torch.from_numpy(y), stats


def walk(x, y, window):
    for start in range(0, x.shape[1], window):
        yield x[:, start:start + window], y[:, start:start + window]


def rmse(model, x, y, args):
    model.eval()
    errors, state = [], None
    with torch.no_grad():
        for xw, yw in walk(x, y, args.window):
            if args.reset_state == "window":
                state = None
            pred, state = model(xw, state)
            errors.append((pred - yw) ** 2)
    return torch.cat(errors, 1).mean().sqrt().item()


def main():
    args = arguments()
    torch.manual_seed(args.seed)
    x, y, stats = assemble(args.drives, args.length, args.seed)
    xv, yv, _ = assemble(48, args.length, args.seed + 1, stats)
    print(f"{len(x)} drives, spread of the target {yv.std():.3f}")

    model = ChargeEstimator(inputs=x.shape[2])
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, args.epochs)
    for epoch in range(args.epochs):
        model.train()
        seen = []
        for idx in torch.randperm(len(x)).split(args.batch):
            state = None
            for xw, yw in walk(x[idx], y[idx], args.window):
                if args.reset_state == "window":
                    state = None
                pred, state = model(xw, state)
                loss = torch.nn.functional.mse_loss(pred, yw)
                optimizer.zero_grad()
                loss.backward()
                torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                state = state.detach()
                seen.append(loss.item())
        schedule.step()
        print(f"epoch {epoch + 1:2d}  train mse {np.mean(seen):.5f}  val rmse {rmse(model, xv, yv, args):.4f}")
    torch.save({"model": model.state_dict(), "stats": [s.tolist() for s in stats]}, OUT)


if __name__ == "__main__":
    main()
