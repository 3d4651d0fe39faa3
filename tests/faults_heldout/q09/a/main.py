import argparse
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

from tagger import Tagger

ROOT = Path(__file__).resolve().parent


def get_args():
    p = argparse.ArgumentParser()
    p.add_argument("--data", default="sequences.npz")
    p.add_argument("--lr", type=float, default=5e-3)
    p.add_argument("--warmup", type=int, default=100, help="linear ramp, in optimizer steps")
    p.add_argument("--steps", type=int, default=320)
    p.add_argument("--batch", type=int, default=40)
    p.add_argument("--layers", type=int, default=10)
    p.add_argument("--seed", type=int, default=2)
    return p.parse_args()


def lr_factor(step, warmup, total):
    if step < warmup:
        return (step + 1) / warmup
    return max(0.02, 1.0 - (step - warmup) / max(1, total - warmup))


@torch.no_grad()
def evaluate(model, x, y):
    model.eval()
    logits = model(x)
    model.train()
    return F.cross_entropy(logits.flatten(0, 1), y.flatten()).item(), (logits.argmax(-1) == y).float().mean().item()


def main():
    a = get_args()
    torch.set_num_threads(1)
    torch.manual_seed(a.seed)
    with np.load(ROOT / a.data) as z:
        x, y, xv, yv = (torch.from_numpy(z[k].astype(np.int64)) for k in ("x", "y", "x_dev", "y_dev"))
    model = Tagger(int(x.max()) + 1, int(y.max()) + 1, x.shape[1], layers=a.layers)
    opt = torch.optim.Adam(model.parameters(), lr=a.lr, betas=(0.9, 0.98))
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: lr_factor(s, a.warmup, a.steps))
    step, mean = 0, 0.0
    while step < a.steps:
        for idx in torch.randperm(len(x)).split(a.batch):
            if step >= a.steps:
                break
            loss = F.cross_entropy(model(x[idx]).flatten(0, 1), y[idx].flatten())
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            step += 1
            mean += loss.item()
            if step % 40 == 0:
                dl, da = evaluate(model, xv, yv)
                print(f"{step:5d} train {mean / 40:.4f} dev {dl:.4f} acc {da:.3f}", flush=True)
                mean = 0.0
    torch.save(model.state_dict(), ROOT / "tagger.pt")


if __name__ == "__main__":
    main()
