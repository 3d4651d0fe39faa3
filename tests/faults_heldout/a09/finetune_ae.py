"""Joint fine-tuning of a stacked tanh autoencoder.

The layers were pre-trained one by one (weights/stack.pt); here the whole stack is
unrolled and trained end to end on the digit scans. The codes feed the retrieval index.
"""
import argparse
import time
from pathlib import Path

import numpy as np
import torch
from torch import nn

HERE = Path(__file__).resolve().parent


class StackedAE(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        pairs = list(zip(sizes[:-1], sizes[1:]))
        self.encoder = nn.ModuleList(nn.Linear(a, b) for a, b in pairs)
        self.decoder = nn.ModuleList(nn.Linear(b, a) for a, b in reversed(pairs))

    def encode(self, x):
        for layer in self.encoder:
            x = torch.tanh(layer(x))
        return x

    def decode(self, z):
        last = len(self.decoder) - 1
        for i, layer in enumerate(self.decoder):
            z = layer(z)
            if i != last:
                z = torch.tanh(z)
        return z

    def forward(self, x):
        return self.decode(self.encode(x))


def load_scans(path, val_fraction, seed):
    pixels = np.load(path).astype(np.float32) / 16.0
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(pixels))
    n_val = int(len(order) * val_fraction)
    val, train = pixels[order[:n_val]], pixels[order[n_val:]]
    mean = train.mean(axis=0)
    return torch.from_numpy(train - mean), torch.from_numpy(val - mean)


def explained(model, x):
    model.eval()
    with torch.no_grad():
        resid = ((model(x) - x) ** 2).mean()
    return 1.0 - (resid / (x ** 2).mean()).item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--scans", type=Path, default=HERE / "data" / "scans.npy")
    ap.add_argument("--init", type=Path, default=HERE / "weights" / "stack.pt")
    ap.add_argument("--out", type=Path, default=HERE / "weights" / "finetuned.pt")
    ap.add_argument("--epochs", type=int, default=80)
    ap.add_argument("--batch", type=int, default=64)
    ap.add_argument("--lr", type=float, default=3e-3)
    ap.add_argument("--seed", type=int, default=17)
    args = ap.parse_args()
    torch.manual_seed(args.seed)

    train, val = load_scans(args.scans, 0.2, seed=0)
    bundle = torch.load(args.init)
    model = StackedAE(bundle["sizes"])
    model.load_state_dict(bundle["state"])
    print("stack", bundle["sizes"], "train", len(train), "val", len(val))

    opt = torch.optim.Adam(model.parameters(), lr=args.lr)
    sched = torch.optim.lr_scheduler.MultiStepLR(opt, milestones=[args.epochs * 2 // 3, args.epochs * 5 // 6], gamma=0.3)
    best = -float("inf")
    started = time.time()
    for epoch in range(1, args.epochs + 1):
        model.train()
        losses = []
        for idx in torch.randperm(len(train)).split(args.batch):
            x = train[idx]
            loss = nn.functional.mse_loss(model(x), x)
            opt.zero_grad()
            loss.backward()
            opt.step()
            losses.append(loss.item())
        sched.step()
        ev = explained(model, val)
        if ev > best:
            best = ev
            torch.save({"sizes": bundle["sizes"], "state": model.state_dict()}, args.out)
        if epoch % 5 == 0 or epoch == 1:
            print(f"{epoch:3d}  mse {np.mean(losses):.5f}  val explained variance {ev:.4f}  ({time.time() - started:.1f}s)")
    print(f"best explained variance {best:.4f}")


if __name__ == "__main__":
    main()
