"""Small digit model for the microcontroller, taught by the server model."""
import json

import numpy as np
import torch
from sklearn.datasets import load_digits
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

from nets import student, teacher


def data():
    d = load_digits()
    x = torch.tensor(d.data / 16.0 - 0.3, dtype=torch.float32)
    y = torch.tensor(d.target)
    idx = np.random.default_rng(31).permutation(len(y))
    return (x[idx[:1350]], y[idx[:1350]]), (x[idx[1350:]], y[idx[1350:]])


@torch.no_grad()
def accuracy(net, x, y):
    net.eval()
    return (net(x).argmax(1) == y).float().mean().item()


def main():
    cfg = json.load(open("distill.json"))
    torch.manual_seed(cfg["seed"])
    (xtr, ytr), (xte, yte) = data()

    big = teacher()
    big.load_state_dict(torch.load("teacher.pt", weights_only=True))
    big.eval().requires_grad_(False)
    print(f"teacher test acc {accuracy(big, xte, yte):.4f}")

    small = student()
    opt = torch.optim.Adam(small.parameters(), lr=cfg["lr"], weight_decay=1e-5)
    loader = DataLoader(TensorDataset(xtr, ytr), cfg["batch"], shuffle=True)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, cfg["epochs"] * len(loader))
    T, alpha = cfg["temperature"], cfg["alpha"]

    for epoch in range(1, cfg["epochs"] + 1):
        small.train()
        total = 0.0
        for x, y in loader:
            x = x + 0.05 * torch.randn_like(x)
            with torch.no_grad():
                soft = F.log_softmax(big(x) / T, dim=1)
            logits = small(x)
            kd = F.kl_div(F.log_softmax(logits / T, dim=1), soft, reduction="batchmean", log_target=True) * T * T
            loss = alpha * kd + (1 - alpha) * F.cross_entropy(logits, y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            total += loss.item()
        if epoch % 5 == 0:
            print(f"epoch {epoch:3d} loss {total / len(loader):.4f} student test acc {accuracy(small, xte, yte):.4f}")


if __name__ == "__main__":
    main()
