"""Mixed-precision surrogate: mid-span deflections (metres) of a beam from its design parameters."""
import argparse

import numpy as np
import torch
from torch import nn


class Surrogate(nn.Module):
    def __init__(self, n_in, out_mean, out_std, width=48):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(n_in, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU(), nn.Linear(width, 3))
        self.register_buffer("out_mean", out_mean)
        self.register_buffer("out_std", out_std)

    def forward(self, x):
        return self.net(x) * self.out_std + self.out_mean


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--lr", type=float, default=3e-3)
    p.add_argument("--epochs", type=int, default=24)
    p.add_argument("--batch-size", type=int, default=64)
    args = p.parse_args()
    torch.manual_seed(19)
    device = "cuda" if torch.cuda.is_available() else "cpu"

    table = torch.from_numpy(np.loadtxt("beams.csv", delimiter=",", skiprows=1)).float()
    table = table[torch.randperm(len(table))].to(device)
    x, y = table[:, :5], table[:, 5:]
    x = (x - x[:1200].mean(0)) / x[:1200].std(0)
    xt, yt, xv, yv = x[:1200], y[:1200], x[1200:], y[1200:]

    model = Surrogate(5, yt.mean(0).half(), yt.std(0).half()).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr, eps=1e-14)
    mse = nn.MSELoss()

    for epoch in range(args.epochs):
        model.train()
        running = 0.0
        for idx in torch.randperm(len(xt), device=device).split(args.batch_size):
            optimizer.zero_grad(set_to_none=True)
            with torch.autocast(device, dtype=torch.float16):
                loss = mse(model(xt[idx]), yt[idx])
            loss.backward()
            optimizer.step()
            running += loss.item() * len(idx)
        model.eval()
        with torch.no_grad(), torch.autocast(device, dtype=torch.float16):
            err = (model(xv).float() - yv).pow(2).mean().sqrt().item()
        if epoch % 3 == 0 or epoch == args.epochs - 1:
            print(f"epoch {epoch:3d}  train rmse {1e3 * (running / len(xt)) ** 0.5:.4f} mm  val rmse {1e3 * err:.4f} mm")


if __name__ == "__main__":
    main()
