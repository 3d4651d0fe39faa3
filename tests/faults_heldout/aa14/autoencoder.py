"""Compress 8x8 digits to six numbers."""
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits

from optim import LeanAdamW


class AutoEncoder(nn.Module):
    def __init__(self, n_in=64, hidden=96, code=6):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(n_in, hidden), nn.GELU(), nn.Linear(hidden, hidden), nn.GELU(), nn.Linear(hidden, code))
        self.dec = nn.Sequential(nn.Linear(code, hidden), nn.GELU(), nn.Linear(hidden, hidden), nn.GELU(), nn.Linear(hidden, n_in))

    def forward(self, x):
        return self.dec(self.enc(x))


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=40)
    ap.add_argument("--batch", type=int, default=64)
    ap.add_argument("--lr", type=float, default=1e-3)
    ap.add_argument("--eps", type=float, default=1e-6)
    args = ap.parse_args()
    torch.manual_seed(6)
    x = torch.tensor(load_digits().data, dtype=torch.float32) / 16.0
    x = x[torch.randperm(len(x))]
    train, test = x[:1500], x[1500:]
    mean = train.mean(0)
    print(f"mean image only: {F.mse_loss(mean.expand_as(test), test).item():.4f}")
    model = AutoEncoder()
    opt = LeanAdamW(model.parameters(), lr=args.lr, eps=args.eps)
    for epoch in range(1, args.epochs + 1):
        running = 0.0
        for i in torch.randperm(len(train)).split(args.batch):
            loss = F.mse_loss(model(train[i] - mean), train[i] - mean)
            opt.zero_grad()
            loss.backward()
            opt.step()
            running += loss.item() * len(i)
        if epoch % 5 == 0:
            with torch.no_grad():
                val = F.mse_loss(model(test - mean), test - mean).item()
            print(f"epoch {epoch:3d}: train {running / len(train):.4f} test {val:.4f}")
