import argparse

import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset

from arm.model import InverseDynamics
from arm.sampling import PartialEpoch


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--log", default="arm_log.npz")
    p.add_argument("--hidden", type=int, default=64)
    p.add_argument("--epochs", type=int, default=150)
    p.add_argument("--per-epoch", type=int, default=250)
    p.add_argument("--batch", type=int, default=25)
    p.add_argument("--lr", type=float, default=4e-3)
    p.add_argument("--seed", type=int, default=6)
    return p.parse_args()


def main():
    a = parse()
    torch.manual_seed(a.seed)
    z = np.load(a.log)
    s = torch.tensor(z["state"].astype(np.float32))
    y = torch.tensor(z["torque"].astype(np.float32))
    s = (s - s[:4200].mean(0)) / s[:4200].std(0)
    y = (y - y[:4200].mean(0)) / y[:4200].std(0)
    train = TensorDataset(s[:4200], y[:4200])
    sampler = PartialEpoch(len(train), a.per_epoch, a.seed)
    loader = DataLoader(train, batch_size=a.batch, sampler=sampler)
    model = InverseDynamics(a.hidden)
    opt = torch.optim.Adam(model.parameters(), lr=a.lr)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, a.epochs)
    for epoch in range(a.epochs):
        model.train()
        total = 0.0
        for bs, by in loader:
            loss = (model(bs) - by).pow(2).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item()
        sched.step()
        if (epoch + 1) % 10 == 0:
            model.eval()
            with torch.no_grad():
                val = (model(s[4200:]) - y[4200:]).pow(2).mean().item()
            print(f"epoch {epoch + 1:3d}  train {total / len(loader):.5f}  val {val:.5f}")


if __name__ == "__main__":
    main()
