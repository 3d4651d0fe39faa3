import argparse
import resource
import time

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits

from moco.model import MoCo


def augment(x):
    """Shift by up to one pixel, change contrast, add noise."""
    n = len(x)
    pad = F.pad(x, (1, 1, 1, 1))
    patches = pad.unfold(2, 8, 1).unfold(3, 8, 1)            # n, 1, 3, 3, 8, 8
    x = patches[torch.arange(n), :, torch.randint(3, (n,)), torch.randint(3, (n,))]
    x = x * torch.empty(n, 1, 1, 1).uniform_(0.6, 1.4)
    return x + 0.05 * torch.randn_like(x)


@torch.no_grad()
def retrieval(model, x):
    """Share of held-out images whose second view is the nearest among all second views."""
    model.eval()
    za, zb = (F.normalize(model.q(augment(x)), dim=1) for _ in range(2))
    model.train()
    return ((za @ zb.T).argmax(1) == torch.arange(len(x))).float().mean().item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=35)
    ap.add_argument("--batch", type=int, default=128)
    ap.add_argument("--lr", type=float, default=1e-3)
    args = ap.parse_args()
    torch.manual_seed(0)
    d = load_digits()
    x = torch.tensor(d.images / 16.0, dtype=torch.float32).unsqueeze(1)
    n_tr = 1400
    model = MoCo()
    opt = torch.optim.AdamW(model.q.parameters(), lr=args.lr)
    print(f"held-out retrieval before training: {retrieval(model, x[n_tr:]):.4f}")
    t0 = time.time()
    for epoch in range(1, args.epochs + 1):
        run = []
        for idx in torch.randperm(n_tr).split(args.batch):
            if len(idx) < args.batch:
                continue
            loss = model(augment(x[idx]), augment(x[idx]))
            opt.zero_grad()
            loss.backward()
            opt.step()
            run.append(loss.item())
        if epoch % 5 == 0:
            mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            print(f"epoch {epoch:3d}  info-nce {sum(run) / len(run):.3f}  {time.time() - t0:6.1f}s  {mb:.0f} MB")
    print(f"held-out retrieval: {retrieval(model, x[n_tr:]):.4f}")


if __name__ == "__main__":
    main()
