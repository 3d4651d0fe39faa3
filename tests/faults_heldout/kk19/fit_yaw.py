import argparse
import time

import torch
from torch.nn.functional import smooth_l1_loss
from torch.utils.data import DataLoader

from store.reader import TurbineDataset
from yaw_model import YawNet


class Meter:
    def __init__(self):
        self.sum, self.n = 0.0, 0

    def add(self, value, k=1):
        self.sum += value * k
        self.n += k

    @property
    def mean(self):
        return self.sum / max(self.n, 1)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=5)
    p.add_argument("--batch", type=int, default=8)
    p.add_argument("--lr", type=float, default=4e-3)
    args = p.parse_args()

    torch.manual_seed(64)
    train = DataLoader(TurbineDataset(0, 176), args.batch, shuffle=True)
    test = DataLoader(TurbineDataset(176, 210), 34)
    net = YawNet()
    opt = torch.optim.Adam(net.parameters(), lr=args.lr)

    for epoch in range(1, args.epochs + 1):
        tic, meter = time.perf_counter(), Meter()
        net.train()
        for x, y in train:
            loss = smooth_l1_loss(net(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            meter.add(loss.item(), len(y))
        net.eval()
        mae = Meter()
        with torch.no_grad():
            for x, y in test:
                mae.add((net(x) - y).abs().mean().item() * 10, len(y))
        dt = time.perf_counter() - tic
        print(f"epoch {epoch}: loss {meter.mean:.4f}, test MAE {mae.mean:.2f} deg, {dt:.1f} s ({meter.n / dt:.0f} records/s)")


if __name__ == "__main__":
    main()
