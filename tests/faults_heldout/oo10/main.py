import argparse

import numpy as np
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

from moe import PlantModel


def r2(pred, y):
    return 1 - ((pred - y) ** 2).sum().item() / ((y - y.mean()) ** 2).sum().item()


def run(args):
    torch.manual_seed(args.seed)
    z = np.load(args.data)
    X, y = torch.from_numpy(z["X"].astype("float32")), torch.from_numpy(z["y"])
    tr, va = slice(0, 5000), slice(5000, None)
    loader = DataLoader(TensorDataset(X[tr], y[tr]), batch_size=args.batch_size, shuffle=True, drop_last=True)
    model = PlantModel()
    opt = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=1e-3)
    total = args.epochs * len(loader)
    warm = 50
    sched = torch.optim.lr_scheduler.SequentialLR(
        opt, [torch.optim.lr_scheduler.LinearLR(opt, 0.1, 1.0, warm),
              torch.optim.lr_scheduler.CosineAnnealingLR(opt, total - warm)], milestones=[warm])
    for epoch in range(1, args.epochs + 1):
        model.train()
        fit_sum = bal_sum = 0.0
        for xb, yb in loader:
            fit = F.mse_loss(model(xb), yb)
            bal = model.load_loss()
            opt.zero_grad()
            (fit + args.balance * bal).backward()
            opt.step()
            sched.step()
            fit_sum += fit.item()
            bal_sum += bal.item()
        model.eval()
        with torch.no_grad():
            q = r2(model(X[va]), y[va])
        if epoch % 3 == 0 or epoch == 1:
            print(f"epoch {epoch:2d} mse {fit_sum / len(loader):.4f} balance {bal_sum / len(loader):.3f} val R2 {q:.4f} "
                  f"usage {[round(u, 2) for u in model.moe1.usage.tolist()]}")


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--data", default="plant.npz")
    p.add_argument("--epochs", type=int, default=24)
    p.add_argument("--batch-size", type=int, default=100)
    p.add_argument("--lr", type=float, default=3e-3)
    p.add_argument("--balance", type=float, default=0.05)
    p.add_argument("--seed", type=int, default=0)
    run(p.parse_args())
