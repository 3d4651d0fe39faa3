import argparse

import torch
from torch import nn

from pipeline import Solubility


def parse():
    p = argparse.ArgumentParser(description="log-solubility from fingerprints")
    p.add_argument("--rounds", type=int, default=60)
    p.add_argument("--round-size", type=int, default=512)
    p.add_argument("--batch", type=int, default=64)
    p.add_argument("--lr", type=float, default=1e-3)
    p.add_argument("--seed", type=int, default=23)
    return p.parse_args()


def main():
    a = parse()
    torch.manual_seed(a.seed)
    data = Solubility("fingerprints.npz", a.seed)
    net = nn.Sequential(nn.Linear(96, 128), nn.ReLU(), nn.Dropout(0.1), nn.Linear(128, 64), nn.ReLU(), nn.Linear(64, 1))
    opt = torch.optim.AdamW(net.parameters(), lr=a.lr, weight_decay=1e-2)
    for r in range(1, a.rounds + 1):
        net.train()
        total = count = 0
        for x, y in data.round(a.round_size, a.batch):
            loss = nn.functional.mse_loss(net(x).squeeze(1), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(y)
            count += len(y)
        if r % 5 == 0:
            net.eval()
            with torch.no_grad():
                t = nn.functional.mse_loss(net(data.test[0]).squeeze(1), data.test[1]).item()
            print(f"round {r:3d} train {total / count:.4f} test {t:.4f}")


if __name__ == "__main__":
    main()
